import { readFileSync } from 'node:fs'
import type { BodyOf, Feed, Routes, ShopKey } from '@docent/contract'
import {
  type Command,
  type CommandInput,
  FAILED,
  OK,
  requireWord,
  type Terminal,
  text,
  UsageError,
  wholeNumber,
} from '../command.ts'
import { allItems, BOT_USAGE, botOptions, type Server, serverOf } from '../server.ts'

type NewFeed = BodyOf<Routes['POST /api/manage/v1/bots/{botId}/feeds']>

const POLL_MS = 500

export const feeds: Command = {
  name: 'feeds',
  summary: 'list, add, run and delete product feeds',
  usage: `[add <url> | show <feed id> | run <feed id> | delete <feed id>] --bot <id>

A feed is a list of products at a URL that the server pulls: at once when it is added ("show" tells what came of it), and then as
often as you say. "run" pulls it now, waits for the end and exits with 1 if it failed. Deleting a feed keeps its products.

With --shop, "add" takes the address of a shop and reads it through its own API. The key is read from --shop-key-file, from
DOCENT_SHOP_KEY or from the terminal (typed or piped), never from the command line: an access token of Shopify's Admin API, or
consumer key and secret of WooCommerce as ck_…:cs_….

  --every <hours>      1, 6, 12 or 24; default: only on request
  --currency <code>    for prices without a currency, such as EUR
  --remove-missing     remove products that are no longer in the feed
  --confirm-removal    of a run: even if they are more than half
  --shop <system>      shopify or woocommerce
  --shop-key-file <path>  a file with the key
${BOT_USAGE}`,
  options: {
    ...botOptions,
    every: { type: 'string' },
    currency: { type: 'string' },
    'remove-missing': { type: 'boolean' },
    'confirm-removal': { type: 'boolean' },
    shop: { type: 'string' },
    'shop-key-file': { type: 'string' },
  },

  async run(input, terminal) {
    const [action = 'list'] = input.positionals
    const server = serverOf(input, terminal)
    const { client, botId } = server
    const ofFeed = () => ({ botId, feedId: requireWord(input, 'the id of the feed') })
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
        const [hours, currency] = [wholeNumber(input, 'every', 1), text(input, 'currency')?.toUpperCase()]
        const body: NewFeed = {
          url: requireWord(input, 'a URL'),
          // The server names the intervals that it takes.
          ...(hours === undefined ? {} : { every_hours: hours as 24 }),
          ...(currency ? { currency } : {}),
          ...(input.values['remove-missing'] ? { remove_missing: true } : {}),
          ...(text(input, 'shop') === undefined ? {} : { shop: await readShopKey(input, terminal) }),
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
        const query = input.values['confirm-removal'] ? { confirm_removal: true } : {}
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

/** Not from a command line argument, which every user of the machine could read. */
async function readShopKey(input: CommandInput, terminal: Terminal): Promise<ShopKey> {
  const shop = text(input, 'shop')
  if (shop !== 'shopify' && shop !== 'woocommerce') throw new UsageError('--shop must be shopify or woocommerce.')
  const isShopify = shop === 'shopify'
  const file = text(input, 'shop-key-file')
  const prompt = isShopify ? 'Access token: ' : 'Consumer key and secret (ck_…:cs_…): '
  const secret = file
    ? readFileSync(file, 'utf8')
    : (terminal.environment.DOCENT_SHOP_KEY ?? (await terminal.readSecret(prompt)))
  const [first, second, ...others] = secret.split(/[\s:]+/).filter(Boolean)
  if (isShopify && first && second === undefined) return { type: shop, access_token: first }
  if (!isShopify && first && second && others.length === 0)
    return { type: shop, consumer_key: first, consumer_secret: second }
  throw new UsageError(
    isShopify
      ? 'The key must be one access token (shpat_…).'
      : 'The key must be consumer key and secret, as ck_…:cs_… or on two lines.',
  )
}

async function waitForRun({ client, botId }: Server, terminal: Terminal, startedFeed: Feed): Promise<Feed> {
  const params = { botId, feedId: startedFeed.id }
  const bar = terminal.progress()
  let feed = startedFeed
  while (feed.state === 'queued' || feed.state === 'running') {
    const items = feed.progress?.items ?? 0
    bar.show(items, items, 'products')
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
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
