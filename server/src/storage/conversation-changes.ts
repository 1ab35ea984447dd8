// What was done with a conversation beside its messages, and by whom.
import type { ConversationChange } from '@docent/contract'
import { timedId } from '../ids.ts'
import type { Database, Queries } from './database.ts'
import { writeMany } from './statements.ts'

export interface Change {
  kind: ConversationChange['kind']
  /** The name of a member; null: the visitor or the bot. */
  by: string | null
  /** The reason, the assignee's name, the end of the snooze or the tag. */
  value: string | null
}

interface ChangeRecord extends Change {
  id: string
  createdAt: number
}

const MOST = 500

/** Writes them in the transaction that makes the changes. */
export async function recordChanges(
  tx: Queries,
  { botId, id }: { botId: string; id: string },
  changes: readonly Change[],
  now: number,
): Promise<void> {
  await writeMany(
    tx,
    'INSERT INTO conversation_changes (bot_id, conversation_id, id, kind, changed_by, value, created_at) VALUES {rows}',
    changes.map(({ kind, by, value }) => [botId, id, timedId('chg', now), kind, by, value, now]),
  )
}

export function openConversationChangesTable(database: Database) {
  return {
    /** The newest, oldest first. */
    async list(botId: string, conversationId: string): Promise<ChangeRecord[]> {
      const rows = await database.query<Omit<ChangeRecord, 'by'> & { changedBy: string | null }>(
        `SELECT id, kind, changed_by, value, created_at FROM conversation_changes
         WHERE bot_id = $1 AND conversation_id = $2 ORDER BY id DESC LIMIT ${MOST}`,
        [botId, conversationId],
      )
      return rows.reverse().map(({ changedBy, ...row }) => ({ ...row, by: changedBy }))
    },
  }
}
