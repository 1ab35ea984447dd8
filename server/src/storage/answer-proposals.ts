import { type CuratedAnswerRecord, putAnswer } from './curated-answers.ts'
import { type Database, first } from './database.ts'

export interface AnswerProposalRecord {
  id: string
  conversationId: string
  messageId: string
  question: string
  answer: string
  /** A member's name. */
  proposedBy: string | null
  createdAt: number
}

const COLUMNS = 'id, conversation_id, message_id, question, answer, proposed_by, created_at'

export type AnswerProposalsTable = ReturnType<typeof openAnswerProposalsTable>

export function openAnswerProposalsTable(database: Database) {
  return {
    /** Returns the one that there is when the reply was proposed before. */
    async insert(botId: string, record: AnswerProposalRecord): Promise<AnswerProposalRecord> {
      const { id, conversationId, messageId, question, answer, proposedBy, createdAt } = record
      await database.write(
        `INSERT INTO answer_proposals (bot_id, ${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (bot_id, conversation_id, message_id) DO NOTHING`,
        [botId, id, conversationId, messageId, question, answer, proposedBy, createdAt],
      )
      const rows = await database.query<AnswerProposalRecord>(
        `SELECT ${COLUMNS} FROM answer_proposals WHERE bot_id = $1 AND conversation_id = $2 AND message_id = $3`,
        [botId, conversationId, messageId],
      )
      return rows[0] ?? record
    },

    async find(botId: string, id: string): Promise<AnswerProposalRecord | undefined> {
      return first(
        database.query<AnswerProposalRecord>(`SELECT ${COLUMNS} FROM answer_proposals WHERE bot_id = $1 AND id = $2`, [
          botId,
          id,
        ]),
      )
    },

    list: (botId: string, after: string, limit: number) =>
      database.query<AnswerProposalRecord>(
        `SELECT ${COLUMNS} FROM answer_proposals WHERE bot_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
        [botId, after, limit],
      ),

    async count(botId: string): Promise<number> {
      const row = await first(
        database.query<{ proposals: number }>('SELECT count(*) AS proposals FROM answer_proposals WHERE bot_id = $1', [
          botId,
        ]),
      )
      return row?.proposals ?? 0
    },

    /** Puts an answer in its place. False: somebody has decided on it meanwhile. */
    approve: (botId: string, id: string, answer: CuratedAnswerRecord) =>
      database.transaction(async (tx) => {
        const removedRows = await tx.query('DELETE FROM answer_proposals WHERE bot_id = $1 AND id = $2 RETURNING id', [
          botId,
          id,
        ])
        if (removedRows.length > 0) await putAnswer(tx, botId, answer)
        return removedRows.length > 0
      }),

    async remove(botId: string, id: string) {
      await database.write('DELETE FROM answer_proposals WHERE bot_id = $1 AND id = $2', [botId, id])
    },
  }
}
