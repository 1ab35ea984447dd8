// The progress of a crawl, and what became of its pages.
import type { Crawl } from '@docent/contract'
import type { Terminal } from './command.ts'
import type { Server } from './server.ts'

const POLL_MS = 500

export async function waitForCrawl({ client, botId }: Server, terminal: Terminal, startedCrawl: Crawl): Promise<Crawl> {
  const params = { botId, crawlId: startedCrawl.id }
  const bar = terminal.progress()
  let crawl = startedCrawl
  while (crawl.state === 'queued' || crawl.state === 'running') {
    const { found, waiting } = crawl.pages
    bar.show(found - waiting, found, crawl.url)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    crawl = await client.request('GET /api/manage/v1/bots/{botId}/crawls/{crawlId}', { params })
  }
  bar.end()
  return crawl
}

export function sayPages(terminal: Terminal, crawl: Crawl, beyondLimit: string) {
  const { done, unchanged, skipped, failed } = crawl.pages
  terminal.say(`${crawl.url}: ${done} indexed, ${unchanged} unchanged, ${skipped} skipped, ${failed} failed`)
  for (const { reason, pages } of crawl.skipped) terminal.say(`  skipped: ${pages} (${reason})`)
  if (crawl.skipped.some(({ reason }) => reason === 'needs_javascript'))
    terminal.say(
      '  Pages that scripts make have no text without JavaScript: import their content as files or documents.',
    )
  for (const { reason, pages } of crawl.failed) terminal.say(`  failed: ${pages} (${reason})`)
  if (crawl.limit_reached) terminal.say(`  The site has more pages. ${beyondLimit}`)
  if (crawl.state === 'failed') terminal.say(`  ${crawl.reason ?? 'The website could not be crawled.'}`)
}
