// A replace makes the catalogue equal to what was sent, in one request or several. It records every id it was sent. At
// its end it removes the rest, except what another open replace was sent and what an upsert has written since it
// began. So among concurrent ones the last to end decides, and none loses rows.

import { type Database, first, type Queries } from './database.ts'
import { writeMany } from './statements.ts'

const ROWS_AT_ONCE = 200
const INSERT_SIGHTINGS =
  'INSERT INTO product_sightings (bot_id, product_id, replacement_id) VALUES {rows} ON CONFLICT DO NOTHING'

export interface Removal {
  botId: string
  replacementId: string
  /** Open replaces without a request since then are abandoned. */
  abandonedBefore: number
  now: number
}

interface NewBatch {
  id: string
  botId: string
  syncId: string
  hash: string
  isFinal: boolean
  now: number
  /** Open replaces without a request since then have expired. */
  expireBefore: number
  /** Finished before then: deleted. */
  forgetBefore: number
}

export type Replacement =
  | { kind: 'open'; id: string }
  | { kind: 'expired' }
  | { kind: 'repeated'; report: string | null }

interface ReplacementRow {
  id: string
  state: 'open' | 'finished' | 'expired'
  batches: number
  lastBatchHash: string
  report: string | null
}

export type ProductReplacementsTable = ReturnType<typeof openProductReplacementsTable>

export function openProductReplacementsTable(database: Database) {
  return {
    /** The open replace of this name; started if there is none. */
    join: (batch: NewBatch) =>
      database.transaction(async (tx): Promise<Replacement> => {
        const { botId, syncId, now } = batch
        // Locks the bot's row, so that two concurrent first batches start one replace.
        const [bot] = await tx.query<{ productVersion: number }>(
          'UPDATE bots SET product_version = product_version WHERE id = $1 RETURNING product_version',
          [botId],
        )
        await tx.query(
          `UPDATE product_replacements SET state = 'expired' WHERE bot_id = $1 AND state = 'open' AND updated_at < $2`,
          [botId, batch.expireBefore],
        )
        await tx.query(`DELETE FROM product_replacements WHERE bot_id = $1 AND state <> 'open' AND updated_at < $2`, [
          botId,
          batch.forgetBefore,
        ])
        const [last] = await tx.query<ReplacementRow>(
          `SELECT id, state, batches, last_batch_hash, report FROM product_replacements
           WHERE bot_id = $1 AND sync_id = $2 ORDER BY id DESC LIMIT 1`,
          [botId, syncId],
        )
        if (last?.state === 'expired') return { kind: 'expired' }
        // The last batch of a finished replace, sent again: starting over with it alone would remove the rest.
        if (last?.state === 'finished' && last.batches > 1 && batch.isFinal && last.lastBatchHash === batch.hash) {
          return { kind: 'repeated', report: last.report }
        }
        if (last?.state === 'open') {
          await tx.query(
            `UPDATE product_replacements SET batches = batches + 1, last_batch_hash = $3, updated_at = $4
             WHERE bot_id = $1 AND id = $2`,
            [botId, last.id, batch.hash, now],
          )
          return { kind: 'open', id: last.id }
        }
        await tx.query(
          `INSERT INTO product_replacements
             (bot_id, id, sync_id, state, start_version, batches, last_batch_hash, updated_at)
           VALUES ($1, $2, $3, 'open', $4, 1, $5, $6)`,
          [botId, batch.id, syncId, bot?.productVersion ?? 0, batch.hash, now],
        )
        return { kind: 'open', id: batch.id }
      }),

    /** How many products an open replace of this name has been sent. */
    async countSent(botId: string, syncId: string): Promise<number> {
      const row = await first(
        database.query<{ n: number }>(
          `SELECT count(*) AS n FROM product_sightings s
           JOIN product_replacements r ON r.bot_id = s.bot_id AND r.id = s.replacement_id AND r.state = 'open'
           JOIN products p ON p.bot_id = s.bot_id AND p.id = s.product_id
           WHERE s.bot_id = $1 AND r.sync_id = $2`,
          [botId, syncId],
        ),
      )
      return row?.n ?? 0
    },

    /** Whether a replace has been sent any products. */
    async hasSent(botId: string, id: string): Promise<boolean> {
      const sightings = await database.query(
        `SELECT 1 AS one FROM product_sightings s
         JOIN products p ON p.bot_id = s.bot_id AND p.id = s.product_id
         WHERE s.bot_id = $1 AND s.replacement_id = $2 LIMIT 1`,
        [botId, id],
      )
      return sightings.length > 0
    },

    async saveReport(botId: string, id: string, report: string) {
      await database.write('UPDATE product_replacements SET report = $3 WHERE bot_id = $1 AND id = $2', [
        botId,
        id,
        report,
      ])
    },

    /** A replace refused before it was sent anything leaves no trace. */
    async drop(botId: string, id: string) {
      await database.write('DELETE FROM product_replacements WHERE bot_id = $1 AND id = $2 AND batches = 1', [
        botId,
        id,
      ])
    },

    /** Removes the recorded ids of finished replaces, in batches so that nobody waits. */
    async forgetSightings(botId: string) {
      for (let after = ''; ; await new Promise(setImmediate)) {
        const [range] = await database.query<{ last: string | null }>(
          `SELECT max(product_id) AS last FROM (
             SELECT product_id FROM product_sightings WHERE bot_id = $1 AND product_id > $2
             ORDER BY product_id LIMIT ${ROWS_AT_ONCE}) AS next_rows`,
          [botId, after],
        )
        if (!range?.last) return
        await database.write(
          `DELETE FROM product_sightings WHERE bot_id = $1 AND product_id > $2 AND product_id <= $3 AND NOT EXISTS (
             SELECT 1 FROM product_replacements r
             WHERE r.bot_id = $1 AND r.id = product_sightings.replacement_id AND r.state = 'open')`,
          [botId, after, range.last],
        )
        after = range.last
      }
    },
  }
}

/** Records ids sent in an open replace. */
export async function recordSightings(tx: Queries, botId: string, replacementId: string, ids: string[]) {
  const open = await tx.query(
    `SELECT 1 AS one FROM product_replacements WHERE bot_id = $1 AND id = $2 AND state = 'open'`,
    [botId, replacementId],
  )
  if (open.length === 0) return
  await writeMany(
    tx,
    INSERT_SIGHTINGS,
    ids.map((id) => [botId, id, replacementId]),
  )
}

export async function removeUnsent(
  tx: Queries,
  { botId, replacementId, abandonedBefore, now }: Removal,
  onRemoved: (removedProducts: { id: string }[]) => Promise<void>,
): Promise<number | null> {
  const [replacement] = await tx.query<{ startVersion: number }>(
    `UPDATE product_replacements SET state = 'finished', updated_at = $3
     WHERE bot_id = $1 AND id = $2 AND state = 'open' RETURNING start_version`,
    [botId, replacementId, now],
  )
  if (!replacement) return null
  await tx.query(
    `UPDATE product_replacements SET state = 'expired' WHERE bot_id = $1 AND state = 'open' AND updated_at < $2`,
    [botId, abandonedBefore],
  )
  let removedCount = 0
  for (let after = ''; ; ) {
    const [range] = await tx.query<{ last: string | null }>(
      `SELECT max(id) AS last FROM (
         SELECT id FROM products WHERE bot_id = $1 AND id > $2 ORDER BY id LIMIT ${ROWS_AT_ONCE}) AS next_rows`,
      [botId, after],
    )
    if (!range?.last) return removedCount
    const removedProducts = await tx.query<{ id: string }>(
      `DELETE FROM products WHERE bot_id = $1 AND id > $2 AND id <= $3
         AND NOT (replacement_id IS NULL AND version > $4)
         AND NOT EXISTS (
           SELECT 1 FROM product_sightings s
           JOIN product_replacements r ON r.bot_id = s.bot_id AND r.id = s.replacement_id
           WHERE s.bot_id = products.bot_id AND s.product_id = products.id AND (r.id = $5 OR r.state = 'open'))
       RETURNING id`,
      [botId, after, range.last, replacement.startVersion, replacementId],
    )
    await onRemoved(removedProducts)
    removedCount += removedProducts.length
    after = range.last
  }
}

const KEPT = 100

export interface SyncRecord {
  id: string
  startedAt: number
  finishedAt: number
  /** The response, as JSON. */
  report: string
}

export type ProductSyncsTable = ReturnType<typeof openProductSyncsTable>

export function openProductSyncsTable(database: Database) {
  return {
    /** Keeps only the latest ones. From here on every question sees the synced products. */
    insert: (botId: string, sync: SyncRecord) =>
      database.transaction(async (tx) => {
        await tx.query('UPDATE bots SET product_ready_version = product_version WHERE id = $1', [botId])
        await tx.query(
          'INSERT INTO product_syncs (bot_id, id, started_at, finished_at, report) VALUES ($1, $2, $3, $4, $5)',
          [botId, sync.id, sync.startedAt, sync.finishedAt, sync.report],
        )
        await tx.query(
          `DELETE FROM product_syncs WHERE bot_id = $1 AND id <= (
             SELECT id FROM product_syncs WHERE bot_id = $1 ORDER BY id DESC LIMIT 1 OFFSET ${KEPT})`,
          [botId],
        )
      }),

    /** Newest first. */
    async list(botId: string, before: string, limit: number): Promise<SyncRecord[]> {
      return database.query<SyncRecord>(
        `SELECT id, started_at, finished_at, report FROM product_syncs
         WHERE bot_id = $1 ${before === '' ? '' : 'AND id < $3'} ORDER BY id DESC LIMIT $2`,
        before === '' ? [botId, limit] : [botId, limit, before],
      )
    },
  }
}
