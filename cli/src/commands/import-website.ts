// Starts a crawl on the server and shows its progress.
import type { Terminal } from '../command.ts'
import { sayPages, waitForCrawl } from '../crawl-progress.ts'
import type { Server } from '../server.ts'

export async function importWebsite(server: Server, terminal: Terminal, url: string, maxPages: number | undefined) {
  const { client, botId } = server
  // A second import of a site fetches only what changed, and removes pages that are gone.
  const body = { url, update_existing: true, ...(maxPages === undefined ? {} : { max_pages: maxPages }) }
  const startedCrawl = await client.request('POST /api/manage/v1/bots/{botId}/crawls', { params: { botId }, body })
  const crawl = await waitForCrawl(server, terminal, startedCrawl)
  sayPages(terminal, crawl, 'Raise --max-pages to crawl them.')
  const { done, unchanged, skipped, failed } = crawl.pages
  return { place: url, done, unchanged, skipped, failed: crawl.state === 'failed' ? Math.max(1, failed) : failed }
}
