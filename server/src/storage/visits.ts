// Which device a conversation came from, and the pages it was continued on.
import { createHash } from 'node:crypto'
import { type Database, first, type Statement } from './database.ts'

export interface Visit {
  device: { browser: string | null; system: string | null; kind: DeviceKind } | null
  /** ISO 3166, as the browser's time zone or language tells it. */
  country: string | null
  timezone: string | null
  /** The other site from which the first page was reached. */
  referrer: string | null
  /** In the order of the first visit. */
  pages: { url: string; visitedAt: number }[]
}

type DeviceKind = 'desktop' | 'phone' | 'tablet'

const MAX_PAGES = 50

/** To be written together with the turn. The device is that of the last one. */
export function visitStatements(
  botId: string,
  conversationId: string,
  visit: Omit<Visit, 'pages'> & { pageUrl: string | null; now: number },
): Statement[] {
  const { device, country, timezone, referrer, pageUrl, now } = visit
  const deviceStatement: Statement = {
    sql: `INSERT INTO conversation_devices (bot_id, conversation_id, browser, system, kind, country, timezone, referrer)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (bot_id, conversation_id)
      DO UPDATE SET browser = $3, system = $4, kind = $5, country = $6, timezone = $7`,
    values: [
      ...[botId, conversationId, device?.browser ?? null, device?.system ?? null],
      ...[device?.kind ?? null, country, timezone, referrer],
    ],
  }
  if (pageUrl === null) return [deviceStatement]
  const pageStatement: Statement = {
    sql: `INSERT INTO conversation_pages (bot_id, conversation_id, url_hash, url, visited_at)
      SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS BIGINT)
      WHERE (SELECT count(*) FROM conversation_pages p WHERE p.bot_id = $1 AND p.conversation_id = $2) < ${MAX_PAGES}
      ON CONFLICT (bot_id, conversation_id, url_hash) DO NOTHING`,
    values: [botId, conversationId, createHash('sha256').update(pageUrl).digest('hex'), pageUrl, now],
  }
  return [deviceStatement, pageStatement]
}

export function openVisitsTable(database: Database) {
  return {
    /** Null: nothing is known, as of those through the chat API. */
    async find(botId: string, conversationId: string): Promise<Visit | null> {
      const device = await first(
        database.query<{
          browser: string | null
          system: string | null
          kind: DeviceKind | null
          country: string | null
          timezone: string | null
          referrer: string | null
        }>(
          `SELECT browser, system, kind, country, timezone, referrer FROM conversation_devices
           WHERE bot_id = $1 AND conversation_id = $2`,
          [botId, conversationId],
        ),
      )
      if (!device) return null
      const pages = await database.query<{ url: string; visitedAt: number }>(
        `SELECT url, visited_at FROM conversation_pages WHERE bot_id = $1 AND conversation_id = $2
         ORDER BY visited_at, url`,
        [botId, conversationId],
      )
      const { browser, system, kind, ...place } = device
      return { device: kind && { browser, system, kind }, ...place, pages }
    },
  }
}
