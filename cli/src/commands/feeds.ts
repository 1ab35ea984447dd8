import type { BodyOf, Feed, Routes } from '@docent/contract'
import { type Command, FAILED, OK, requireWord, type Terminal, text, UsageError, wholeNumber } from '../command.ts'
import { allItems, BOT_USAGE, botOptions, type Server, serverOf } from '../server.ts'

type NewFeed = BodyOf<Routes['POST /api/manage/v1/bots/{botId}/feeds']>

const LOOK_EVERY_MS = 500

export const feeds: Command = {
  name: 'feeds',
  summary: 'list, add, run and delete product feeds',
  usage: `[add <url> | show <feed id> | run <feed id> | delete <feed id>] --bot <id>

A feed is a list of products at a URL that the server pulls. "run" pulls it now, waits for the end and exits with 1 if it
failed. Deleting a feed keeps its products.

  --every <hours>      1, 6, 12 or 24; default: only on request
  --currency <code>    for prices without a currency, such as EUR
  --remove-missing     remove products that are no longer in the feed
  --confirm-removal    of a run: even if they are more than half
${BOT_USAGE}`,
  options: {
    ...botOptions,
    every: { type: 'string' },
    currency: { type: 'string' },
    'remove-missing': { type: 'boolean' },
    'confirm-removal': { type: 'boolean' },
  },

  async run(given, terminal) {
    const [action = 'list'] = given.positionals
    const server = serverOf(given, terminal)
    const { client, botId } = server
    const ofFeed = () => ({ botId, feedId: requireWord(given, 'the id of the feed') })
    switch (action) {
      case 'list': {
        const list = (query: object) =>
          client.request('GET /api/manage/v1/bots/{botId}/feeds', { params: { botId }, query })
        const items = await allItems(list)
        for (const feed of items) terminal.say(`${feed.id}  ${feed.url}  ${feed.state}${outcomeOf(feed)}`)
        terminal.result(items)
        return OK
      }
      case 'add': {
        const [hours, currency] = [wholeNumber(given, 'every', 1), text(given, 'currency')?.toUpperCase()]
        const body: NewFeed = {
          url: requireWord(given, 'a URL'),
          // The server names the intervals that it takes.
          ...(hours === undefined ? {} : { every_hours: hours as 24 }),
          ...(currency ? { currency } : {}),
          ...(given.values['remove-missing'] ? { remove_missing: true } : {}),
        }
        const feed = await client.request('POST /api/manage/v1/bots/{botId}/feeds', { params: { botId }, body })
        terminal.say(`${feed.id}  ${feed.url}  ${feed.state}`)
        terminal.result(feed)
        return OK
      }
      case 'show': {
        const feed = await client.request('GET /api/manage/v1/bots/{botId}/feeds/{feedId}', { params: ofFeed() })
        return sayFeed(terminal, feed)
      }
      case 'run': {
        const query = given.values['confirm-removal'] ? { confirm_removal: true } : {}
        const route = 'POST /api/manage/v1/bots/{botId}/feeds/{feedId}/run'
        const feed = await waitForRun(server, terminal, await client.request(route, { params: ofFeed(), query }))
        sayFeed(terminal, feed)
        return feed.last_run?.outcome === 'failed' ? FAILED : OK
      }
      case 'delete': {
        const params = ofFeed()
        await client.request('DELETE /api/manage/v1/bots/{botId}/feeds/{feedId}', { params })
        terminal.say(`${params.feedId} is deleted.`)
        terminal.result({ id: params.feedId, deleted: true })
        return OK
      }
      default:
        throw new UsageError(`Unknown command "docent feeds ${action}".`)
    }
  },
}

async function waitForRun({ client, botId }: Server, terminal: Terminal, started: Feed): Promise<Feed> {
  const params = { botId, feedId: started.id }
  const bar = terminal.progress()
  let feed = started
  while (feed.state === 'queued' || feed.state === 'running') {
    const items = feed.progress?.items ?? 0
    bar.show(items, items, 'products')
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    feed = await client.request('GET /api/manage/v1/bots/{botId}/feeds/{feedId}', { params })
  }
  bar.end()
  return feed
}

function sayFeed(terminal: Terminal, feed: Feed): number {
  const { id, url, state, last_run: run } = feed
  terminal.say(`${id}  ${url}  ${state}${outcomeOf(feed)}`)
  if (run) {
    const { created, updated, unchanged, deleted, failed } = run
    terminal.say(
      `  ${created} new, ${updated} changed, ${unchanged} unchanged, ${deleted} removed, ${failed} refused, ${run.pages} page${run.pages === 1 ? '' : 's'}`,
    )
    if (run.cut_reason) terminal.say(`  Not all pages were read (${run.cut_reason}); nothing was removed.`)
    if (run.removal_held > 0)
      terminal.say(`  ${run.removal_held} missing products were kept: more than half. --confirm-removal removes them.`)
    for (const { index, id: product, message } of [...run.errors, ...run.warnings])
      terminal.say(`  ${index + 1} (${product ?? 'no id'}): ${message}`)
  }
  terminal.result(feed)
  return OK
}

function outcomeOf({ last_run: run }: Feed): string {
  if (!run) return ''
  return `, last run ${run.finished_at}: ${run.outcome}${run.reason ? ` (${run.reason})` : ''}`
}
