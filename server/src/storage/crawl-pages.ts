import { createHash } from 'node:crypto'
import type { CrawlReason } from '@docent/contract'
import { type Database, first, type Queries } from './database.ts'

export type PageKind = 'page' | 'sitemap'
type PageState = 'queued' | 'fetching' | 'done' | 'unchanged' | 'skipped' | 'failed' | 'gone'

export interface CrawlPageRecord {
  id: string
  kind: PageKind
  url: string
  /** Links away from the start. */
  depth: number
  /** Redirects followed to reach it. */
  redirects: number
  state: PageState
  reason: CrawlReason | null
  /** Redirect target, or the page it duplicates. */
  relatedUrl: string | null
  statusCode: number | null
  title: string | null
  attempts: number
  /** Consecutive runs in which it was gone. */
  misses: number
  etag: string | null
  lastModified: string | null
  contentHash: string | null
  documentId: string | null
  dueAt: number
  fetchedAt: number | null
  /** When its document was last confirmed to match the site. */
  readAt: number | null
}

export interface FoundPage {
  kind: PageKind
  url: string
  depth: number
  redirects: number
  /** Why it will not be fetched; null: it will be. */
  skipped: CrawlReason | null
  /** Last modification according to the sitemap. */
  changedAt?: number
}

export type PageOutcome = Omit<CrawlPageRecord, 'id' | 'kind' | 'url' | 'depth' | 'redirects'>

interface PageFilter {
  kind?: PageKind
  state?: PageState
}

interface UnreadRow {
  crawlId: string
  documentId: string
  title: string
  url: string | null
  state: PageState
  readAt: number
}

// More query strings than this on one path suggest a crawler trap.
const MAX_QUERIES = 200
const MAX_SITEMAPS = 200
// Give up on dead links.
const MAX_MISSES = 3
const IDS_AT_ONCE = 50

export function crawlPageId(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, 32)
}

export type CrawlPagesTable = ReturnType<typeof openCrawlPagesTable>

export function openCrawlPagesTable(database: Database) {
  const ofCrawl = 'bot_id = $1 AND crawl_id = $2'

  return {
    /** Requeues every page fetched before: a page that answers "not modified" does not list its links again. */
    begin: (botId: string, crawlId: string, now: number) =>
      database.transaction(async (tx) => {
        // Its document was deleted, or now belongs to another crawl.
        await tx.query(
          `UPDATE crawl_pages SET document_id = NULL, content_hash = NULL, etag = NULL, last_modified = NULL
           WHERE ${ofCrawl} AND document_id IS NOT NULL AND NOT EXISTS (
             SELECT 1 FROM documents d
             WHERE d.bot_id = crawl_pages.bot_id AND d.id = crawl_pages.document_id AND d.crawl_id = $2
           )`,
          [botId, crawlId],
        )
        await tx.query(
          `DELETE FROM crawl_pages WHERE ${ofCrawl}
           AND (kind = 'sitemap' OR state = 'gone' OR (document_id IS NULL AND misses >= ${MAX_MISSES}))`,
          [botId, crawlId],
        )
        await tx.query(
          `UPDATE crawl_pages SET state = 'queued', reason = NULL, attempts = 0, due_at = $3
           WHERE ${ofCrawl} AND NOT (state = 'skipped' AND fetched_at IS NULL AND reason <> 'robots')`,
          [botId, crawlId, now],
        )
      }),

    /** When patterns change or the limit rises, every page must be read again for its links. */
    forgetLinks: (botId: string, crawlId: string) =>
      database.transaction(async (tx) => {
        await tx.query(`UPDATE crawl_pages SET etag = NULL, last_modified = NULL, read_at = NULL WHERE ${ofCrawl}`, [
          botId,
          crawlId,
        ])
        await tx.query(`DELETE FROM crawl_pages WHERE ${ofCrawl} AND state = 'skipped' AND fetched_at IS NULL`, [
          botId,
          crawlId,
        ])
      }),

    /** Pages beyond a lowered limit: those farthest from the start and, at equal depth, those without a document. */
    async listBeyond(botId: string, crawlId: string, most: number) {
      return database.query<CrawlPageRecord>(
        `SELECT * FROM crawl_pages WHERE ${ofCrawl} AND state = 'queued'
         ORDER BY depth, CASE WHEN document_id IS NULL THEN 1 ELSE 0 END, id LIMIT 100000 OFFSET $3`,
        [botId, crawlId, most],
      )
    },

    async remove(botId: string, crawlId: string, id: string) {
      await database.write(`DELETE FROM crawl_pages WHERE ${ofCrawl} AND id = $3`, [botId, crawlId, id])
    },

    async listKnown(botId: string, crawlId: string, ids: string[]): Promise<Set<string>> {
      const knownUrls = new Set<string>()
      for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
        // A fixed number of parameters, so that the statement is prepared once.
        const batchIds = Array.from({ length: IDS_AT_ONCE }, (_, index) => ids[from + index] ?? '')
        const places = batchIds.map((_, index) => `$${index + 3}`).join(', ')
        const rows = await database.query<{ id: string }>(
          `SELECT id FROM crawl_pages WHERE ${ofCrawl} AND id IN (${places})`,
          [botId, crawlId, ...batchIds],
        )
        for (const { id } of rows) knownUrls.add(id)
      }
      return knownUrls
    },

    /** Adds unknown pages; returns whether the limit left some out. */
    add: (botId: string, crawlId: string, pages: FoundPage[], limits: { maxPages: number; now: number }) =>
      database.transaction(async (tx) => {
        const room = await roomLeft(tx, botId, crawlId, limits.maxPages)
        let isFull = false
        for (const page of pages) {
          const isSkipped = page.skipped !== null || (await isCrawlerTrap(tx, botId, crawlId, page.url))
          const shelf = page.kind === 'sitemap' ? 'sitemaps' : isSkipped ? 'skipped' : 'pages'
          if (room[shelf] <= 0) {
            isFull ||= shelf === 'pages'
            continue
          }
          const reason = page.skipped ?? (isSkipped ? 'trap' : null)
          if (await insert(tx, botId, crawlId, page, reason, limits.now)) room[shelf]--
        }
        return { isFull }
      }),

    /**
     * Skips pages that the sitemap says are unchanged since they were read. The start page and pages read too long ago
     * are fetched anyway: sitemaps can be out of date.
     */
    async settleUnchanged(botId: string, crawlId: string, pages: FoundPage[], readSince: number) {
      const statements = pages.flatMap(({ kind, url, changedAt }) =>
        kind !== 'page' || changedAt === undefined
          ? []
          : {
              sql: `UPDATE crawl_pages SET state = 'unchanged' WHERE ${ofCrawl} AND id = $3 AND state = 'queued'
                    AND attempts = 0 AND depth > 0 AND document_id IS NOT NULL AND read_at > $4 AND read_at >= $5`,
              values: [botId, crawlId, crawlPageId(url), readSince, changedAt],
            },
      )
      if (statements.length > 0) await database.batch(statements, { durable: false })
    },

    /** The next pages to fetch: the start, where it redirects to, then sitemaps, then nearest to the start. */
    async listDue(botId: string, crawlId: string, now: number, limit: number) {
      return database.query<CrawlPageRecord>(
        `SELECT * FROM crawl_pages WHERE ${ofCrawl} AND state = 'queued' AND due_at <= $3
         ORDER BY CASE WHEN kind = 'page' AND depth = 0 THEN redirects ELSE 100 END, kind DESC, depth, id LIMIT $4`,
        [botId, crawlId, now, limit],
      )
    },

    /** When the first queued page may be fetched; null when none is queued. */
    async firstDueAt(botId: string, crawlId: string) {
      const row = await first(
        database.query<{ dueAt: number | null }>(
          `SELECT min(due_at) AS due_at FROM crawl_pages WHERE ${ofCrawl} AND state = 'queued'`,
          [botId, crawlId],
        ),
      )
      return row?.dueAt ?? null
    },

    /** Counts the attempt before it is made: a page that crashes the process must not do so forever. */
    async take(botId: string, crawlId: string, id: string) {
      await database.write(
        `UPDATE crawl_pages SET state = 'fetching', attempts = attempts + 1 WHERE ${ofCrawl} AND id = $3`,
        [botId, crawlId, id],
      )
    },

    /** Requeues pages left in progress, unless another holder has the crawl now. */
    async putBack(botId: string, crawlId: string, lease: string) {
      await database.write(
        `UPDATE crawl_pages SET state = 'queued' WHERE ${ofCrawl} AND state = 'fetching' AND EXISTS (
           SELECT 1 FROM crawls c WHERE c.bot_id = $1 AND c.id = $2 AND (c.lease = $3 OR c.lease IS NULL)
         )`,
        [botId, crawlId, lease],
      )
    },

    /** Returns whether the page still existed. */
    async finish(botId: string, crawlId: string, id: string, outcome: PageOutcome) {
      const rows = await database.write(
        `UPDATE crawl_pages SET state = $4, reason = $5, related_url = $6, status_code = $7, title = $8, attempts = $9,
           misses = $10, etag = $11, last_modified = $12, content_hash = $13, document_id = $14, due_at = $15,
           fetched_at = $16, read_at = $17
         WHERE ${ofCrawl} AND id = $3 RETURNING id`,
        [
          botId,
          crawlId,
          id,
          outcome.state,
          outcome.reason,
          outcome.relatedUrl,
          outcome.statusCode,
          outcome.title,
          outcome.attempts,
          outcome.misses,
          outcome.etag,
          outcome.lastModified,
          outcome.contentHash,
          outcome.documentId,
          outcome.dueAt,
          outcome.fetchedAt,
          outcome.readAt,
        ],
      )
      return rows.length > 0
    },

    async find(botId: string, crawlId: string, id: string) {
      return first(
        database.query<CrawlPageRecord>(`SELECT * FROM crawl_pages WHERE ${ofCrawl} AND id = $3`, [botId, crawlId, id]),
      )
    },

    /** Pages that no longer load although they have a document first, then those last read before a time; longest ago first. */
    async listUnread(botId: string, before: number) {
      const rows = await database.query<UnreadRow>(
        `SELECT p.crawl_id, p.document_id, d.title, d.url, p.state, coalesce(p.read_at, d.updated_at) AS read_at
         FROM crawl_pages p JOIN documents d ON d.bot_id = p.bot_id AND d.id = p.document_id
         WHERE p.bot_id = $1 AND (p.state = 'failed' OR p.read_at < $2)
         ORDER BY CASE WHEN p.state = 'failed' THEN 0 ELSE 1 END, read_at, p.document_id LIMIT 1000`,
        [botId, before],
      )
      return rows.map(({ state, ...page }) => ({ ...page, isFailing: state === 'failed' }))
    },

    /** Another page with the same content, if any. */
    async findCopy(botId: string, crawlId: string, id: string, contentHash: string) {
      return first(
        database.query<CrawlPageRecord>(
          `SELECT * FROM crawl_pages WHERE ${ofCrawl} AND id <> $3 AND content_hash = $4 AND document_id IS NOT NULL
           ORDER BY depth, id LIMIT 1`,
          [botId, crawlId, id, contentHash],
        ),
      )
    },

    async count(botId: string, crawlId: string) {
      return database.query<{ state: PageState; reason: CrawlReason | null; pages: number }>(
        `SELECT state, reason, count(*) AS pages FROM crawl_pages WHERE ${ofCrawl} AND kind = 'page'
         GROUP BY state, reason ORDER BY state, reason`,
        [botId, crawlId],
      )
    },

    async list(botId: string, crawlId: string, { kind, state }: PageFilter, after: string, limit: number) {
      return database.query<CrawlPageRecord>(
        `SELECT * FROM crawl_pages WHERE ${ofCrawl} AND id > $3 AND kind = coalesce($5, kind)
           AND state = coalesce($6, state) ORDER BY id LIMIT $4`,
        [botId, crawlId, after, limit, kind ?? null, state ?? null],
      )
    },
  }
}

/** How many more pages may be fetched, recorded as skipped, and read as sitemaps. */
async function roomLeft(tx: Queries, botId: string, crawlId: string, maxPages: number) {
  const rows = await tx.query<{ shelf: 'pages' | 'skipped' | 'sitemaps'; n: number }>(
    `SELECT CASE WHEN kind = 'sitemap' THEN 'sitemaps' WHEN state = 'skipped' AND fetched_at IS NULL THEN 'skipped'
       ELSE 'pages' END AS shelf, count(*) AS n
     FROM crawl_pages WHERE bot_id = $1 AND crawl_id = $2 GROUP BY 1`,
    [botId, crawlId],
  )
  const room = { pages: maxPages, skipped: maxPages, sitemaps: MAX_SITEMAPS }
  for (const { shelf, n } of rows) room[shelf] -= n
  return room
}

/** Not in `judgeUrl` of sources/crawl: it counts rows, also those that the same transaction has just added. */
async function isCrawlerTrap(tx: Queries, botId: string, crawlId: string, url: string): Promise<boolean> {
  if (!url.includes('?')) return false
  const [row] = await tx.query<{ n: number }>(
    'SELECT count(*) AS n FROM crawl_pages WHERE bot_id = $1 AND crawl_id = $2 AND path = $3',
    [botId, crawlId, pathOf(url)],
  )
  return (row?.n ?? 0) >= MAX_QUERIES
}

async function insert(
  tx: Queries,
  botId: string,
  crawlId: string,
  page: FoundPage,
  reason: CrawlReason | null,
  now: number,
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO crawl_pages (bot_id, crawl_id, id, kind, url, path, depth, redirects, state, reason, attempts, misses,
       due_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, 0, $11) ON CONFLICT DO NOTHING RETURNING id`,
    [
      botId,
      crawlId,
      crawlPageId(page.url),
      page.kind,
      page.url,
      pathOf(page.url),
      page.depth,
      page.redirects,
      reason === null ? 'queued' : 'skipped',
      reason,
      now,
    ],
  )
  return rows.length > 0
}

function pathOf(url: string): string {
  return url.split('?')[0] ?? url
}
