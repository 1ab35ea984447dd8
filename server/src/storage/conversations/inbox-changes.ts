// Changes by team members that post no message.
import { queryMany, writeMany } from '../bulk-statements.ts'
import type { Database, Queries } from '../database.ts'
import type { InboxRecord } from './inbox.ts'

interface Ids {
  botId: string
  id: string
}

export interface InboxState {
  status: 'bot' | 'open' | 'resolved'
  snoozedUntil: number | null
  assignee: { id: string; name: string } | null
}

/** Writes the new state unless the conversation has changed since it was read; returns whether it did. */
export async function updateInboxState(
  tx: Queries,
  { botId, id }: Ids,
  from: Pick<InboxRecord, 'status' | 'assignee' | 'handover' | 'storedSnooze'>,
  to: InboxState,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE conversations SET inbox_status = $3, snoozed_until = $4, assignee_id = $5, assignee_name = $6
     WHERE bot_id = $1 AND id = $2 AND inbox_status = $7 AND coalesce(assignee_id, '') = $8
       AND handover_status = $9 AND coalesce(snoozed_until, 0) = $10 RETURNING id`,
    [
      ...[botId, id, to.status, to.snoozedUntil, to.assignee?.id ?? null, to.assignee?.name ?? null],
      ...[from.status === 'snoozed' ? 'open' : from.status, from.assignee?.id ?? '', from.handover.status],
      from.storedSnooze ?? 0,
    ],
  )
  return rows.length > 0
}

/** Reopens a resolved conversation, or moves one of the bot's to the team. */
export async function openInInbox(tx: Queries, { botId, id }: Ids): Promise<void> {
  await tx.query(`UPDATE conversations SET inbox_status = 'open', snoozed_until = NULL WHERE bot_id = $1 AND id = $2`, [
    botId,
    id,
  ])
}

export async function changeTags(tx: Queries, { botId, id }: Ids, add: string[], remove: string[]): Promise<void> {
  await queryMany(
    tx,
    'DELETE FROM conversation_tags WHERE bot_id = $1 AND conversation_id = $2 AND tag IN ({list})',
    [botId, id],
    remove,
  )
  await writeMany(
    tx,
    'INSERT INTO conversation_tags (bot_id, conversation_id, tag) VALUES {rows} ON CONFLICT DO NOTHING',
    [...new Set(add)].map((tag) => [botId, id, tag]),
  )
}

export type InboxChangesTable = ReturnType<typeof createInboxChangesTable>

export function createInboxChangesTable(database: Database) {
  return {
    async markRead({ botId, id }: Ids, readerId: string, until: number) {
      await database.write(
        `INSERT INTO conversation_reads (bot_id, conversation_id, reader_id, read_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (bot_id, conversation_id, reader_id) DO UPDATE SET read_at = excluded.read_at
         WHERE conversation_reads.read_at < excluded.read_at`,
        [botId, id, readerId, until],
      )
    },

    /** Returns whether this is later than the stored time. */
    async markSeen({ botId, id }: Ids, by: 'visitor' | 'agent', until: number): Promise<boolean> {
      const column = by === 'visitor' ? 'visitor_seen_at' : 'agent_seen_at'
      const rows = await database.write(
        `UPDATE conversations SET ${column} = $3
         WHERE bot_id = $1 AND id = $2 AND coalesce(${column}, 0) < $3 RETURNING id`,
        [botId, id, until],
      )
      return rows.length > 0
    },

    /** Open conversations per assignee. */
    async countOpen(botIds: readonly string[]): Promise<Map<string, number>> {
      const rows = await queryMany<{ assignee_id: string; count: number }>(
        database,
        `SELECT assignee_id, count(*) AS count FROM conversations
         WHERE inbox_status = 'open' AND assignee_id IS NOT NULL AND bot_id IN ({list}) GROUP BY assignee_id`,
        [],
        botIds,
      )
      return sumUp(rows.map(({ assignee_id, count }) => [assignee_id, Number(count)]))
    },

    /** Conversations per tag. */
    async countTags(botIds: readonly string[]): Promise<Map<string, number>> {
      const rows = await queryMany<{ tag: string; count: number }>(
        database,
        'SELECT tag, count(*) AS count FROM conversation_tags WHERE bot_id IN ({list}) GROUP BY tag',
        [],
        botIds,
      )
      return sumUp(rows.map(({ tag, count }) => [tag, Number(count)]))
    },
  }
}

function sumUp(counts: [string, number][]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count)
  return sums
}
