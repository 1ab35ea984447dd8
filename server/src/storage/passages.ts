// The passages of a document as people work with them: how often they were cited, and what was changed about them.
import { type Database, first, type Statement, type Value } from './database.ts'
import {
  fromPassageRow,
  incrementVersion,
  lockVersion,
  PASSAGE_COLUMNS,
  PASSAGE_EDITS,
  type PassagePosition,
  type PassageRecord,
  type PassageRow,
} from './documents.ts'
import type { Citation, Rating } from './messages.ts'
import { bulkStatements, queryMany } from './statements.ts'

const QUESTIONS_SHOWN = 3
// A passage that answered for years is cited many thousand times; what people look at is how it does now.
const RATED_ANSWERS = 500
const ANSWERS_SEARCHED = 20

export interface PassageEdit {
  /** The correction. */
  text: string | null
  excluded: boolean
  phrasings: string[]
}

export interface EditedPassage extends PassageEdit {
  id: string
  /** Null: no longer on the page. */
  ordinal: number | null
  headings: string[]
  /** Now, or when it was last on the page. */
  pageText: string
  /** The page's text when the passage was edited; null: never edited. */
  editedPageText: string | null
  editedAt: number | null
}

export interface PassageUse {
  cited: number
  lastCitedAt: number | null
  ratedUp: number
  ratedDown: number
  /** Newest first. */
  questions: CitedQuestion[]
}

interface CitedQuestion {
  text: string
  conversationId: string
  askedAt: number
  rating: Rating | null
}

/** Where a passage stands in its document. */
export interface Heading {
  documentId: string
  title: string
  language: string
  /** From the outermost to the innermost. */
  headings: string[]
}

type ListedRow = PassageRow & { pageText: string | null; editedAt: number | null }
interface EditRow {
  id: string
  headings: string
  pageText: string
  text: string | null
  excluded: number
  phrasings: string
  editedAt: number
}

export type PassagesTable = ReturnType<typeof openPassagesTable>

export function openPassagesTable(database: Database) {
  return {
    /** In the order of the page, from an ordinal on. */
    async list(botId: string, documentId: string, after: number, limit: number): Promise<EditedPassage[]> {
      const rows = await database.query<ListedRow>(
        `SELECT ${PASSAGE_COLUMNS}, e.page_text, e.updated_at AS edited_at FROM passages p
         JOIN documents d ON d.bot_id = p.bot_id AND d.id = p.document_id ${PASSAGE_EDITS}
         WHERE p.bot_id = $1 AND p.document_id = $2 AND p.ordinal > $3 ORDER BY p.ordinal LIMIT $4`,
        [botId, documentId, after, limit],
      )
      return rows.map((row) => {
        const { passageId, headings, pageText, isExcluded } = fromPassageRow(row)
        // The edit may be of the passage that was here before.
        const edit = row.editId === passageId ? row : null
        return {
          id: passageId,
          ordinal: row.ordinal,
          headings,
          pageText,
          text: edit?.correctedText ?? null,
          excluded: isExcluded,
          phrasings: JSON.parse(edit?.phrasings ?? '[]'),
          editedPageText: edit?.pageText ?? null,
          editedAt: edit?.editedAt ?? null,
        }
      })
    },

    /** All of a bot, by document and ordinal, from a position on. */
    async listForReview(botId: string, after: PassagePosition, limit: number): Promise<PassageRecord[]> {
      const rows = await database.query<PassageRow>(
        `SELECT ${PASSAGE_COLUMNS} FROM passages p
         JOIN documents d ON d.bot_id = p.bot_id AND d.id = p.document_id ${PASSAGE_EDITS}
         WHERE p.bot_id = $1 AND (p.document_id, p.ordinal) > ($2, $3) ORDER BY p.document_id, p.ordinal LIMIT $4`,
        [botId, after.documentId, after.ordinal, limit],
      )
      return rows.map(fromPassageRow)
    },

    /** Of passages that answers may use, in the order of their pages. */
    async listHeadings(botId: string, limit: number): Promise<Heading[]> {
      const rows = await database.query<Omit<Heading, 'headings'> & { headings: string }>(
        `SELECT p.document_id, d.title, d.language, p.headings FROM passages p
         JOIN documents d ON d.bot_id = p.bot_id AND d.id = p.document_id ${PASSAGE_EDITS}
         WHERE p.bot_id = $1 AND coalesce(e.excluded, 0) = 0 ORDER BY p.document_id, p.ordinal LIMIT $2`,
        [botId, limit],
      )
      return rows.map(({ headings, ...row }) => ({ ...row, headings: JSON.parse(headings) }))
    },

    /** Edits of passages that are no longer on the page. */
    async listMissing(botId: string, documentId: string): Promise<EditedPassage[]> {
      const rows = await database.query<EditRow>(
        `SELECT id, headings, page_text, text, excluded, phrasings, updated_at AS edited_at FROM passage_edits
         WHERE bot_id = $1 AND document_id = $2 AND ordinal IS NULL ORDER BY id`,
        [botId, documentId],
      )
      return rows.map((row) => ({
        id: row.id,
        ordinal: null,
        headings: JSON.parse(row.headings),
        pageText: row.pageText,
        text: row.text,
        excluded: row.excluded === 1,
        phrasings: JSON.parse(row.phrasings),
        editedPageText: row.pageText,
        editedAt: row.editedAt,
      }))
    },

    /** By passage id. Counts what is kept of the conversations; ratings and questions are those of the last answers. */
    async listUse(botId: string, documentId: string, ids: readonly string[]): Promise<Map<string, PassageUse>> {
      const counts = await queryMany<{ passageId: string; cited: number }>(
        database,
        `SELECT passage_id, count(*) AS cited FROM passage_citations
         WHERE bot_id = $1 AND document_id = $2 AND passage_id IN ({list}) GROUP BY passage_id`,
        [botId, documentId],
        ids,
      )
      // Ids of messages sort by time, so the index has the last ones at its end.
      const last = `(SELECT c.bot_id, c.conversation_id, c.message_id FROM passage_citations c
        WHERE c.bot_id = $1 AND c.document_id = $2 AND c.passage_id = $3 ORDER BY c.message_id DESC LIMIT $4) AS c
        JOIN messages m ON m.bot_id = c.bot_id AND m.conversation_id = c.conversation_id AND m.id = c.message_id`
      const uses = counts.map(async ({ passageId, cited }): Promise<[string, PassageUse]> => {
        const key = [botId, documentId, passageId]
        const [ratings] = await database.query<{ lastCitedAt: number | null; ratedUp: number; ratedDown: number }>(
          `SELECT max(m.created_at) AS last_cited_at,
             coalesce(sum(CASE WHEN m.rating = 'up' THEN 1 ELSE 0 END), 0) AS rated_up,
             coalesce(sum(CASE WHEN m.rating = 'down' THEN 1 ELSE 0 END), 0) AS rated_down FROM ${last}`,
          [...key, RATED_ANSWERS],
        )
        const questions = await database.query<CitedQuestion>(
          `SELECT q.text, m.conversation_id, m.created_at AS asked_at, m.rating FROM ${last}
           JOIN messages q ON q.bot_id = m.bot_id AND q.conversation_id = m.conversation_id AND q.id = m.question_id
           ORDER BY m.created_at DESC, m.id DESC LIMIT ${QUESTIONS_SHOWN}`,
          [...key, ANSWERS_SEARCHED],
        )
        return [passageId, { cited, ...(ratings ?? { lastCitedAt: null, ratedUp: 0, ratedDown: 0 }), questions }]
      })
      return new Map(await Promise.all(uses))
    },

    /** What replies came from, by message id; without documents that are gone. */
    async listCited(botId: string, conversationId: string, messageIds: readonly string[]) {
      const rows = await queryMany<Citation & { messageId: string; title: string }>(
        database,
        `SELECT c.message_id, c.document_id, c.passage_id, d.title FROM passage_citations c
         JOIN documents d ON d.bot_id = c.bot_id AND d.id = c.document_id
         WHERE c.bot_id = $1 AND c.conversation_id = $2 AND c.message_id IN ({list})
         ORDER BY c.message_id, c.document_id, c.passage_id`,
        [botId, conversationId],
        messageIds,
      )
      return Map.groupBy(rows, ({ messageId }) => messageId)
    },

    /** Null edit: none, so that the passage is as on its page. False: it was moved, removed or edited meanwhile. */
    change: (
      botId: string,
      documentId: string,
      passage: Pick<EditedPassage, 'id' | 'ordinal' | 'headings' | 'pageText' | 'editedAt'>,
      edit: (PassageEdit & { editedPageText: string }) | null,
      now: number,
    ) =>
      database.transaction(async (tx) => {
        await lockVersion(tx, botId)
        const same = await first(
          tx.query<{ id: string }>(
            passage.ordinal === null
              ? `SELECT id FROM passage_edits WHERE bot_id = $1 AND document_id = $2 AND id = $3 AND ordinal IS NULL`
              : `SELECT document_id AS id FROM passages
                 WHERE bot_id = $1 AND document_id = $2 AND ordinal = $3 AND text = $4 AND headings = $5`,
            passage.ordinal === null
              ? [botId, documentId, passage.id]
              : [botId, documentId, passage.ordinal, passage.pageText, JSON.stringify(passage.headings)],
          ),
        )
        const key: Value[] = [botId, documentId, passage.id]
        const before = await first(
          tx.query<{ ordinal: number | null; updatedAt: number }>(
            'SELECT ordinal, updated_at FROM passage_edits WHERE bot_id = $1 AND document_id = $2 AND id = $3',
            key,
          ),
        )
        // An edit that was left behind at another place is listed with no passage: this one replaces it.
        const editedAt = before && before.ordinal === passage.ordinal ? before.updatedAt : null
        if (!same || editedAt !== passage.editedAt) return false
        const version = await incrementVersion(tx, botId)
        await tx.query('DELETE FROM passage_edits WHERE bot_id = $1 AND document_id = $2 AND id = $3', key)
        if (edit) {
          // One edit per place. What was left behind here is of a passage that is gone.
          await tx.query(
            'UPDATE passage_edits SET ordinal = NULL WHERE bot_id = $1 AND document_id = $2 AND ordinal = $3',
            [botId, documentId, passage.ordinal],
          )
          await tx.query(
            `INSERT INTO passage_edits
               (bot_id, document_id, id, ordinal, headings, page_text, text, excluded, phrasings, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
            [
              ...key,
              passage.ordinal,
              JSON.stringify(passage.headings),
              edit.editedPageText,
              edit.text,
              Number(edit.excluded),
              JSON.stringify(edit.phrasings),
              now,
            ],
          )
        }
        await tx.query('UPDATE documents SET version = $3 WHERE bot_id = $1 AND id = $2', [botId, documentId, version])
        await tx.query('UPDATE document_vectors SET outdated = 1 WHERE bot_id = $1 AND document_id = $2', [
          botId,
          documentId,
        ])
        return true
      }),
  }
}

/** Written with the reply. */
export function citationInsertions(
  botId: string,
  conversationId: string,
  messageId: string,
  citations: readonly Citation[],
): Statement[] {
  const rows = citations.map(({ documentId, passageId }) => [botId, conversationId, messageId, documentId, passageId])
  return [
    ...bulkStatements(
      `INSERT INTO passage_citations (bot_id, conversation_id, message_id, document_id, passage_id) VALUES {rows}`,
      rows,
    ),
  ]
}
