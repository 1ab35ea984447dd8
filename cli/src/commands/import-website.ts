// Starts a crawl on the server and shows its progress.
import type { Terminal } from '../command.ts'
import type { Server } from '../server.ts'

const LOOK_EVERY_MS = 500

export async function importWebsite(server: Server, terminal: Terminal, url: string, maxPages: number | undefined) {
  const { client, botId } = server
  const limit = maxPages === undefined ? {} : { max_pages: maxPages }
  const known = await crawlOf(server, url)
  let crawl = known
    ? await runAgain(server, known.id, limit)
    : await client.request('POST /api/manage/v1/bots/{botId}/crawls', { params: { botId }, body: { url, ...limit } })
  const bar = terminal.progress()
  while (crawl.state === 'queued' || crawl.state === 'running') {
    const { found, waiting } = crawl.pages
    bar.show(found - waiting, found, url)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    const params = { botId, crawlId: crawl.id }
    crawl = await client.request('GET /api/manage/v1/bots/{botId}/crawls/{crawlId}', { params })
  }
  bar.end()
  const { done, unchanged, skipped, failed } = crawl.pages
  terminal.say(`${url}: ${done} indexed, ${unchanged} unchanged, ${skipped} skipped, ${failed} failed`)
  for (const { reason, pages } of crawl.skipped) terminal.say(`  skipped: ${pages} (${reason})`)
  for (const { reason, pages } of crawl.failed) terminal.say(`  failed: ${pages} (${reason})`)
  if (crawl.limit_reached) terminal.say('  The site has more pages. Raise --max-pages to crawl them.')
  if (crawl.state === 'failed') terminal.say(`  ${crawl.reason ?? 'The website could not be crawled.'}`)
  return { place: url, done, unchanged, skipped, failed: crawl.state === 'failed' ? Math.max(1, failed) : failed }
}

/** Reuses the crawl of an earlier import, so that only changes are fetched and vanished pages removed. */
async function crawlOf({ client, botId }: Server, url: string): Promise<{ id: string } | undefined> {
  const { href } = new URL(url)
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = cursor === undefined ? {} : { cursor }
    const list = await client.request('GET /api/manage/v1/bots/{botId}/crawls', { params: { botId }, query })
    const known = list.items.find((crawl) => new URL(crawl.url).href === href)
    if (known) return known
    cursor = list.next_cursor
  }
  return undefined
}

async function runAgain({ client, botId }: Server, crawlId: string, limit: { max_pages?: number }) {
  const params = { botId, crawlId }
  const change = 'PATCH /api/manage/v1/bots/{botId}/crawls/{crawlId}'
  if (limit.max_pages !== undefined) await client.request(change, { params, body: limit })
  return client.request('POST /api/manage/v1/bots/{botId}/crawls/{crawlId}/run', { params })
}
