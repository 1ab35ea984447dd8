import type { CrawlReason } from '@docent/contract'
import { type Database, first, makeFromRow, type Stored } from './database.ts'
import { makeLeases } from './leases.ts'
import { assignments } from './statements.ts'

type CrawlState = 'queued' | 'running' | 'done' | 'failed' | 'stopped'

export interface CrawlRecord {
  botId: string
  id: string
  url: string
  /** Additional hosts of the site. */
  hosts: string[]
  include: string[]
  exclude: string[]
  maxPages: number
  everyHours: number | null
  state: CrawlState
  /** Why the last run failed. */
  reason: CrawlReason | null
  /** Whether the last run found more pages than allowed. */
  limitReached: boolean
  /** Number of runs. */
  run: number
  /** When it is next due; null: only on request. */
  dueAt: number | null
  createdAt: number
  startedAt: number | null
  finishedAt: number | null
}

const fromRow = makeFromRow<CrawlRecord>({ hosts: 'json', include: 'json', exclude: 'json', limitReached: 'flag' })

const CHANGEABLE = ['url', 'hosts', 'include', 'exclude', 'maxPages', 'everyHours', 'dueAt'] as const

export interface CrawlChange {
  url?: string | undefined
  hosts?: string[] | undefined
  include?: string[] | undefined
  exclude?: string[] | undefined
  maxPages?: number | undefined
  everyHours?: number | null | undefined
  dueAt?: number | null | undefined
}

export type CrawlsTable = ReturnType<typeof openCrawlsTable>

export function openCrawlsTable(database: Database) {
  const leases = makeLeases<Stored<CrawlRecord>>(database, 'crawls', '*')

  return {
    async insert(crawl: CrawlRecord) {
      await database.write(
        `INSERT INTO crawls (bot_id, id, url, hosts, include, exclude, max_pages, every_hours, state, run, due_at,
           leased_until, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, $12)`,
        [
          crawl.botId,
          crawl.id,
          crawl.url,
          JSON.stringify(crawl.hosts),
          JSON.stringify(crawl.include),
          JSON.stringify(crawl.exclude),
          crawl.maxPages,
          crawl.everyHours,
          crawl.state,
          crawl.run,
          crawl.dueAt,
          crawl.createdAt,
        ],
      )
    },

    async count(botId: string) {
      const row = await first(
        database.query<{ n: number }>('SELECT count(*) AS n FROM crawls WHERE bot_id = $1', [botId]),
      )
      return row?.n ?? 0
    },

    async find(botId: string, id: string) {
      const row = await first(
        database.query<Stored<CrawlRecord>>('SELECT * FROM crawls WHERE bot_id = $1 AND id = $2', [botId, id]),
      )
      return row && fromRow(row)
    },

    async list(botId: string, after: string, limit: number) {
      const rows = await database.query<Stored<CrawlRecord>>(
        'SELECT * FROM crawls WHERE bot_id = $1 AND id > $2 ORDER BY id LIMIT $3',
        [botId, after, limit],
      )
      return rows.map(fromRow)
    },

    async update(botId: string, id: string, change: CrawlChange) {
      const json = (list: string[] | undefined) => list && JSON.stringify(list)
      const values = {
        ...change,
        hosts: json(change.hosts),
        include: json(change.include),
        exclude: json(change.exclude),
      }
      const statement = assignments('crawls', { botId, id }, CHANGEABLE, values)
      if (statement) await database.write(statement.sql, statement.values)
    },

    /** Unless somebody has changed what is included meanwhile. */
    async addIncluded(botId: string, id: string, { before, patterns }: { before: string[]; patterns: string[] }) {
      await database.write('UPDATE crawls SET include = $4 WHERE bot_id = $1 AND id = $2 AND include = $3', [
        botId,
        id,
        JSON.stringify(before),
        JSON.stringify([...before, ...patterns]),
      ])
    },

    /** Requests a new run; one in progress continues. */
    async requestRun(botId: string, id: string, now: number) {
      await database.write(
        `UPDATE crawls SET state = 'queued', due_at = $3 WHERE bot_id = $1 AND id = $2 AND state <> 'running'`,
        [botId, id, now],
      )
    },

    /** Ends the run and its schedule. The worker notices that its lease is gone. */
    async stop(botId: string, id: string, now: number) {
      await database.batch([
        {
          sql: `UPDATE crawls SET state = CASE WHEN state IN ('queued', 'running') THEN 'stopped' ELSE state END,
                  finished_at = CASE WHEN state IN ('queued', 'running') THEN $3 ELSE finished_at END,
                  due_at = NULL, lease = NULL, leased_until = 0
                WHERE bot_id = $1 AND id = $2`,
          values: [botId, id, now],
        },
        {
          sql: `UPDATE crawl_pages SET state = 'queued' WHERE bot_id = $1 AND crawl_id = $2 AND state = 'fetching'`,
          values: [botId, id],
        },
      ])
    },

    /** Across all tenants: due crawls that are not leased. */
    async countDue(now: number, limit: number): Promise<{ depth: number; since: number | null }> {
      const row = await first(
        database.query<{ depth: number; since: number | null }>(
          `SELECT count(*) AS depth, min(due_at) AS since FROM (
             SELECT due_at FROM crawls WHERE due_at <= $1 AND leased_until <= $1 ORDER BY due_at LIMIT $2) AS due`,
          [now, limit],
        ),
      )
      return { depth: row?.depth ?? 0, since: row?.since ?? null }
    },

    async claim(lease: string, now: number, until: number) {
      const row = await leases.claim(lease, now, until)
      return row && fromRow(row)
    },

    renew: leases.renew,

    async startRun(botId: string, id: string, lease: string, now: number) {
      await database.write(
        `UPDATE crawls SET state = 'running', run = run + 1, reason = NULL, limit_reached = 0, started_at = $4, finished_at = NULL,
           due_at = $4
         WHERE bot_id = $1 AND id = $2 AND lease = $3`,
        [botId, id, lease, now],
      )
    },

    async reachLimit(botId: string, id: string) {
      await database.write('UPDATE crawls SET limit_reached = 1 WHERE bot_id = $1 AND id = $2', [botId, id])
    },

    /** Returns it to the queue, due at `dueAt`. */
    async release(botId: string, id: string, lease: string, dueAt: number) {
      await database.write(
        `UPDATE crawls SET lease = NULL, leased_until = 0, due_at = $4 WHERE bot_id = $1 AND id = $2 AND lease = $3`,
        [botId, id, lease, dueAt],
      )
    },

    async finish(
      botId: string,
      id: string,
      lease: string,
      end: { state: CrawlState; reason: CrawlReason | null; now: number },
    ) {
      await database.write(
        `UPDATE crawls SET lease = NULL, leased_until = 0, state = $4, reason = $5, finished_at = $6,
           due_at = $6 + CAST(every_hours AS BIGINT) * 3600000
         WHERE bot_id = $1 AND id = $2 AND lease = $3`,
        [botId, id, lease, end.state, end.reason, end.now],
      )
    },

    /** After the clock was set back: caps leases, retries and schedules at what they would be from now. */
    async capWaits(now: number, { leaseMs, retryMs }: { leaseMs: number; retryMs: number }) {
      const nextRunAt = '$1 + CAST(every_hours AS BIGINT) * 3600000'
      const waitingPages = `UPDATE crawl_pages SET due_at = $1 WHERE state = 'queued' AND due_at > $1`
      // Separately: a batch is one statement on PostgreSQL, which can change a row only once.
      await database.transaction(async (tx) => {
        await tx.query('UPDATE crawls SET leased_until = $1 WHERE leased_until > $1', [now + leaseMs])
        await tx.query(`${waitingPages} AND attempts = 0`, [now])
        await tx.query(`${waitingPages} AND attempts > 0`, [now + retryMs])
        await tx.query(`UPDATE crawls SET due_at = $1 WHERE state IN ('queued', 'running') AND due_at > $1`, [now])
        await tx.query(
          `UPDATE crawls SET due_at = ${nextRunAt} WHERE state NOT IN ('queued', 'running') AND due_at > ${nextRunAt}`,
          [now],
        )
      })
    },

    /** At start on a single-node database: no earlier lease holder is alive. */
    async forgetLeases() {
      if (database.engine === 'sqlite')
        await database.write('UPDATE crawls SET leased_until = 0 WHERE leased_until > 0')
    },
  }
}
