import { type Command, FAILED, OK, requireWord, UsageError, wholeNumber } from '../command.ts'
import { sayPages, waitForCrawl } from '../crawl-progress.ts'
import { allItems, BOT_USAGE, botOptions, serverOf } from '../server.ts'

const RAISE = 'Raise its page limit to crawl them.'

export const crawls: Command = {
  name: 'crawls',
  summary: 'list, start and follow the crawls of websites',
  usage: `[start <url> | show <crawl id> | wait <crawl id> | stop <crawl id>] --bot <id>

"start" crawls a website, or runs the existing crawl of that site again, and returns at once; "wait" waits for its end and
exits with 1 if it failed. docent import <url> does both.

  --max-pages <n>      page limit
  --every <hours>      run again this long after each run; default: 168, a week
${BOT_USAGE}`,
  options: { ...botOptions, 'max-pages': { type: 'string' }, every: { type: 'string' } },

  async run(input, terminal) {
    const [action = 'list'] = input.positionals
    const server = serverOf(input, terminal)
    const { client, botId } = server
    const ofCrawl = () => ({ botId, crawlId: requireWord(input, 'the id of the crawl') })
    switch (action) {
      case 'list': {
        const list = (query: object) =>
          client.request('GET /api/manage/v1/bots/{botId}/crawls', { params: { botId }, query })
        const items = await allItems(list)
        for (const { id, url, state, pages } of items)
          terminal.say(`${id}  ${url}  ${state} (${pages.done + pages.unchanged} of ${pages.found} pages)`)
        terminal.result(items)
        return OK
      }
      case 'start': {
        const [maxPages, hours] = [wholeNumber(input, 'max-pages', 1), wholeNumber(input, 'every', 1)]
        const body = {
          url: requireWord(input, 'a URL'),
          update_existing: true,
          ...(maxPages === undefined ? {} : { max_pages: maxPages }),
          ...(hours === undefined ? {} : { every_hours: hours }),
        }
        const crawl = await client.request('POST /api/manage/v1/bots/{botId}/crawls', { params: { botId }, body })
        terminal.say(`${crawl.id}  ${crawl.url}  ${crawl.state}`)
        terminal.result(crawl)
        return OK
      }
      case 'stop': {
        const route = 'POST /api/manage/v1/bots/{botId}/crawls/{crawlId}/stop'
        const crawl = await client.request(route, { params: ofCrawl() })
        terminal.say(`${crawl.id}  ${crawl.url}  ${crawl.state}`)
        terminal.result(crawl)
        return OK
      }
      case 'show':
      case 'wait': {
        const route = 'GET /api/manage/v1/bots/{botId}/crawls/{crawlId}'
        const currentCrawl = await client.request(route, { params: ofCrawl() })
        const crawl = action === 'wait' ? await waitForCrawl(server, terminal, currentCrawl) : currentCrawl
        terminal.say(`${crawl.id}  ${crawl.state}${crawl.next_run_at ? `, next run ${crawl.next_run_at}` : ''}`)
        sayPages(terminal, crawl, RAISE)
        terminal.result(crawl)
        return action === 'wait' && crawl.state === 'failed' ? FAILED : OK
      }
      default:
        throw new UsageError(`Unknown command "docent crawls ${action}".`)
    }
  },
}
