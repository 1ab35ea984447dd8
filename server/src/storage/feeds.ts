import { type Database, first, makeFromRow, type Stored } from './database.ts'
import { makeLeases } from './leases.ts'
import { assignments } from './statements.ts'

type FeedState = 'idle' | 'queued' | 'running'

export interface FeedRecord {
  botId: string
  id: string
  /** Sealed: it may hold credentials. */
  url: string
  /** Without credentials. */
  shownUrl: string
  /** The shop system whose API is read, if it is not a plain feed. */
  shop: 'shopify' | 'woocommerce' | null
  /** Sealed. */
  shopKey: string | null
  keyHint: string | null
  format: string | null
  everyHours: number | null
  /** Of products that state none. */
  currency: string | null
  removeMissing: boolean
  /** Whether the next run may remove more than half of the products. */
  removalConfirmed: boolean
  paused: boolean
  state: FeedState
  etag: string | null
  lastModified: string | null
  /** Runs started but not finished. */
  attempts: number
  readBytes: number
  totalBytes: number | null
  readItems: number
  dueAt: number | null
  createdAt: number
  finishedAt: number | null
}

const fromRow = makeFromRow<FeedRecord>({ removeMissing: 'flag', removalConfirmed: 'flag', paused: 'flag' })

const COLUMNS = `bot_id, id, url, shown_url, shop, shop_key, key_hint, format, every_hours, currency, remove_missing, removal_confirmed, paused, state, etag,
  last_modified, attempts, read_bytes, total_bytes, read_items, due_at, created_at, finished_at`

const CHANGEABLE = [
  'url',
  'shownUrl',
  'shop',
  'shopKey',
  'keyHint',
  'everyHours',
  'currency',
  'removeMissing',
  'dueAt',
  'etag',
  'lastModified',
] as const

export interface FeedChange {
  url?: string | undefined
  shownUrl?: string | undefined
  shop?: FeedRecord['shop'] | undefined
  shopKey?: string | null | undefined
  keyHint?: string | null | undefined
  everyHours?: number | null | undefined
  currency?: string | null | undefined
  removeMissing?: number | undefined
  dueAt?: number | null | undefined
  etag?: null | undefined
  lastModified?: null | undefined
}

export interface FeedRunRecord {
  id: string
  startedAt: number
  finishedAt: number
  /** As reported, as JSON. */
  report: string
}

/** Result of a run. Undefined fields stay unchanged. */
export interface FeedEnd {
  dueAt: number | null
  format?: string | undefined
  etag?: string | null | undefined
  lastModified?: string | null | undefined
  productIds?: Uint8Array | undefined
}

const RESULTS = ['dueAt', 'format', 'etag', 'lastModified', 'productIds'] as const

const RUNS_KEPT = 20

export type ProductFeedsTable = ReturnType<typeof openProductFeedsTable>

export function openProductFeedsTable(database: Database) {
  const ofFeed = 'bot_id = $1 AND id = $2'
  const leases = makeLeases<Stored<FeedRecord>>(database, 'product_feeds', COLUMNS)

  return {
    /** False when the bot has reached its limit. */
    async insert(
      feed: Pick<
        FeedRecord,
        'botId' | 'id' | 'url' | 'shownUrl' | 'shop' | 'shopKey' | 'keyHint' | 'everyHours' | 'currency' | 'createdAt'
      > & { removeMissing: boolean },
      most: number,
    ) {
      const rows = await database.write(
        `INSERT INTO product_feeds (bot_id, id, url, shown_url, every_hours, remove_missing, state, due_at, created_at,
           currency, shop, shop_key, key_hint)
         SELECT $1, $2, $3, $4, CAST($5 AS INTEGER), CAST($6 AS INTEGER), 'queued', CAST($7 AS BIGINT), CAST($7 AS BIGINT),
           CAST($9 AS TEXT), CAST($10 AS TEXT), CAST($11 AS TEXT), CAST($12 AS TEXT)
         WHERE (SELECT count(*) FROM product_feeds WHERE bot_id = $1) < $8 RETURNING id`,
        [
          feed.botId,
          feed.id,
          feed.url,
          feed.shownUrl,
          feed.everyHours,
          Number(feed.removeMissing),
          feed.createdAt,
          most,
          feed.currency,
          feed.shop,
          feed.shopKey,
          feed.keyHint,
        ],
      )
      return rows.length > 0
    },

    async find(botId: string, id: string) {
      const row = await first(
        database.query<Stored<FeedRecord>>(`SELECT ${COLUMNS} FROM product_feeds WHERE ${ofFeed}`, [botId, id]),
      )
      return row && fromRow(row)
    },

    async list(botId: string, after: string, limit: number) {
      const rows = await database.query<Stored<FeedRecord>>(
        `SELECT ${COLUMNS} FROM product_feeds WHERE bot_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
        [botId, after, limit],
      )
      return rows.map(fromRow)
    },

    async update(botId: string, id: string, change: FeedChange) {
      const statement = assignments('product_feeds', { botId, id }, CHANGEABLE, change)
      if (statement) await database.write(statement.sql, statement.values)
    },

    /** Also ends a run in progress: its holder notices that the lease is gone. */
    async pause(botId: string, id: string) {
      await database.write(
        `UPDATE product_feeds SET paused = 1, state = 'idle', due_at = NULL, lease = NULL, leased_until = 0, attempts = 0
         WHERE ${ofFeed}`,
        [botId, id],
      )
    },

    async resume(botId: string, id: string, dueAt: number | null) {
      await database.write(
        `UPDATE product_feeds SET paused = 0, due_at = CASE WHEN state = 'idle' THEN $3 ELSE due_at END
         WHERE ${ofFeed} AND paused = 1`,
        [botId, id, dueAt],
      )
    },

    /** Requests a full run; one in progress continues. */
    async requestRun(botId: string, id: string, isConfirmed: boolean, now: number) {
      await database.write(
        `UPDATE product_feeds SET state = 'queued', due_at = $4, removal_confirmed = $3, etag = NULL, last_modified = NULL
         WHERE ${ofFeed} AND state <> 'running'`,
        [botId, id, Number(isConfirmed), now],
      )
    },

    async remove(botId: string, id: string) {
      await database.write(`DELETE FROM product_feeds WHERE ${ofFeed}`, [botId, id])
    },

    /** Compressed lists of the products brought by this feed, or by all others of the bot. */
    async listProductIds(botId: string, id: string, which: 'own' | 'others') {
      const rows = await database.query<{ productIds: Uint8Array }>(
        `SELECT product_ids FROM product_feeds
         WHERE bot_id = $1 AND id ${which === 'own' ? '=' : '<>'} $2 AND product_ids IS NOT NULL`,
        [botId, id],
      )
      return rows.map(({ productIds }) => productIds)
    },

    async claim(lease: string, now: number, until: number) {
      const row = await leases.claim(lease, now, until)
      return row && fromRow(row)
    },

    renew: leases.renew,

    async startRun(botId: string, id: string, lease: string) {
      await database.write(
        `UPDATE product_feeds SET state = 'running', attempts = attempts + 1, read_bytes = 0, total_bytes = NULL,
           read_items = 0
         WHERE ${ofFeed} AND lease = $3`,
        [botId, id, lease],
      )
    },

    async recordProgress(
      botId: string,
      id: string,
      lease: string,
      progress: { bytes: number; totalBytes: number | null; items: number },
    ) {
      await database.writeRelaxed(
        `UPDATE product_feeds SET read_bytes = $4, total_bytes = $5, read_items = $6 WHERE ${ofFeed} AND lease = $3`,
        [botId, id, lease, progress.bytes, progress.totalBytes, progress.items],
      )
    },

    /** Returns it unfinished, due at once. */
    async release(botId: string, id: string, lease: string, now: number) {
      await database.write(
        `UPDATE product_feeds SET lease = NULL, leased_until = 0, state = 'queued', attempts = 0, due_at = $4
         WHERE ${ofFeed} AND lease = $3`,
        [botId, id, lease, now],
      )
    },

    finish: (botId: string, id: string, lease: string, end: FeedEnd, run: FeedRunRecord) =>
      database.transaction(async (tx) => {
        const endedFeeds = await tx.query(
          `UPDATE product_feeds SET lease = NULL, leased_until = 0, state = 'idle', attempts = 0, removal_confirmed = 0,
             finished_at = $4
           WHERE ${ofFeed} AND lease = $3 RETURNING id`,
          [botId, id, lease, run.finishedAt],
        )
        if (endedFeeds.length === 0) return
        const statement = assignments('product_feeds', { botId, id }, RESULTS, end)
        if (statement) await tx.query(statement.sql, statement.values)
        await tx.query(
          `INSERT INTO product_feed_runs (bot_id, feed_id, id, started_at, finished_at, report)
           VALUES ($1, $2, $3, $4, $5, $6)`,
          [botId, id, run.id, run.startedAt, run.finishedAt, run.report],
        )
        await tx.query(
          `DELETE FROM product_feed_runs WHERE bot_id = $1 AND feed_id = $2 AND id <= (
             SELECT id FROM product_feed_runs WHERE bot_id = $1 AND feed_id = $2
             ORDER BY id DESC LIMIT 1 OFFSET ${RUNS_KEPT})`,
          [botId, id],
        )
      }),

    /** Newest first. */
    async listRuns(botId: string, id: string, before: string, limit: number): Promise<FeedRunRecord[]> {
      return database.query<FeedRunRecord>(
        `SELECT id, started_at, finished_at, report FROM product_feed_runs
         WHERE bot_id = $1 AND feed_id = $2 ${before === '' ? '' : 'AND id < $4'} ORDER BY id DESC LIMIT $3`,
        [botId, id, limit, ...(before === '' ? [] : [before])],
      )
    },

    /** After the clock was set back: caps leases and schedules at what they would be from now. */
    async capWaits(now: number, leaseMs: number) {
      const nextRunAt = '$1 + CAST(every_hours AS BIGINT) * 3600000'
      await database.transaction(async (tx) => {
        await tx.query('UPDATE product_feeds SET leased_until = $1 WHERE leased_until > $1', [now + leaseMs])
        await tx.query(`UPDATE product_feeds SET due_at = $1 WHERE state <> 'idle' AND due_at > $1`, [now])
        await tx.query(
          `UPDATE product_feeds SET due_at = ${nextRunAt} WHERE state = 'idle' AND due_at > ${nextRunAt}`,
          [now],
        )
      })
    },

    /** At start on a single-node database: no earlier lease holder is alive. */
    async forgetLeases() {
      if (database.engine === 'sqlite')
        await database.write('UPDATE product_feeds SET leased_until = 0 WHERE leased_until > 0')
    },
  }
}
