// What needs attention in the bots of a workspace: content that failed or changed, endpoints that fail.
import type { Database } from './database.ts'
import { queryMany } from './statements.ts'

interface CrawlNews {
  botId: string
  id: string
  url: string
  failed: number
  /** Pages of the last run. */
  failedPages: number
  changedPages: number
  finishedAt: number | null
}

interface FeedNews {
  botId: string
  id: string
  shownUrl: string
  report: string
  finishedAt: number
}

interface EndpointNews {
  botId: string
  id: string
  kind: string
  url: string
  settings: string | null
  disabledReason: string | null
  /** When it began to fail, or was disabled. */
  since: number
}

interface TestNews {
  botId: string
  worse: number
  total: number
  ranAt: number
}

export function openAttentionTable(database: Database) {
  return {
    /** Crawls that failed, or whose last run since then had failed or changed pages. */
    listCrawls(botIds: readonly string[], since: number) {
      const pages = (state: string) => `(SELECT count(*) FROM crawl_pages p
        WHERE p.bot_id = c.bot_id AND p.crawl_id = c.id AND p.kind = 'page' AND p.state = '${state}')`
      return queryMany<CrawlNews>(
        database,
        `SELECT * FROM (
           SELECT c.bot_id, c.id, c.url, CASE WHEN c.state = 'failed' THEN 1 ELSE 0 END AS failed, c.finished_at,
             CASE WHEN c.state = 'done' THEN ${pages('failed')} ELSE 0 END AS failed_pages,
             CASE WHEN c.state = 'done' AND c.run > 1 THEN ${pages('done')} ELSE 0 END AS changed_pages
           FROM crawls c
           WHERE (c.state = 'failed' OR (c.state = 'done' AND c.finished_at >= $1)) AND c.bot_id IN ({list})) AS n
         WHERE n.failed = 1 OR n.failed_pages > 0 OR n.changed_pages > 0`,
        [since],
        botIds,
      )
    },

    /** The last run of every feed. */
    listFeeds: (botIds: readonly string[]) =>
      queryMany<FeedNews>(
        database,
        `SELECT f.bot_id, f.id, f.shown_url, r.report, r.finished_at FROM product_feeds f
         JOIN product_feed_runs r ON r.bot_id = f.bot_id AND r.feed_id = f.id AND r.id = (
           SELECT max(l.id) FROM product_feed_runs l WHERE l.bot_id = f.bot_id AND l.feed_id = f.id)
         WHERE f.paused = 0 AND f.bot_id IN ({list})`,
        [],
        botIds,
      ),

    /** Bots whose test questions got worse. */
    listTests: (botIds: readonly string[]) =>
      queryMany<TestNews>(
        database,
        `SELECT bot_id, count(*) AS total, max(ran_at) AS ran_at,
           sum(CASE WHEN outcome = 'worse' THEN 1 ELSE 0 END) AS worse
         FROM test_questions WHERE bot_id IN ({list}) GROUP BY bot_id
         HAVING sum(CASE WHEN outcome = 'worse' THEN 1 ELSE 0 END) > 0`,
        [],
        botIds,
      ),

    /** Webhooks, mirrors and notification channels that fail, or were disabled because they did. */
    listEndpoints: (botIds: readonly string[]) =>
      queryMany<EndpointNews>(
        database,
        `SELECT bot_id, id, kind, url, settings, disabled_reason, coalesce(disabled_at, failing_since) AS since
         FROM webhooks WHERE (disabled_at IS NULL AND failing_since IS NOT NULL
           OR disabled_at IS NOT NULL AND disabled_reason <> 'manual') AND bot_id IN ({list})`,
        [],
        botIds,
      ),
  }
}
