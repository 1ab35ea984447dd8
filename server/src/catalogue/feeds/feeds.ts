// The product feeds of a bot: lists of products that are pulled from its shop.
import { type BodyOf, Fault, FEEDS_PER_BOT, type Routes, type ShopKey } from '@docent/contract'
import { randomId } from '../../ids.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { LeasedWorker } from '../../sources/leased-worker.ts'
import type { FeedRecord, ProductFeedsTable } from '../../storage/feeds.ts'

const HOUR_MS = 3_600_000

export interface FeedDeps {
  productFeeds: ProductFeedsTable
  puller: LeasedWorker
  /** Why a URL may not be called, or null. */
  urlProblem: Outbound['urlProblem']
  sealUrl: (feedId: string, url: string) => string
  sealShopKey: (feedId: string, key: string) => string
  clock: () => number
}

export async function findFeed({ productFeeds }: FeedDeps, botId: string, feedId: string): Promise<FeedRecord> {
  const feed = await productFeeds.find(botId, feedId)
  if (!feed) throw new Fault('not_found')
  return feed
}

async function checkFeedUrl({ urlProblem }: FeedDeps, url: string, carriesKey: boolean): Promise<void> {
  const problem = URL.canParse(url)
    ? await urlProblem(feedRequest(url).url, { carriesKey })
    : 'This is not a URL. Enter a complete one, such as https://example.com.'
  if (problem) throw new Fault('validation_failed', { details: [{ path: 'url', message: problem }] })
}

type NewFeed = BodyOf<Routes['POST /api/manage/v1/bots/{botId}/feeds']>

export async function createFeed(deps: FeedDeps, botId: string, input: NewFeed): Promise<FeedRecord> {
  const { productFeeds, puller, sealUrl, clock } = deps
  await checkFeedUrl(deps, input.url, input.shop !== undefined)
  const none = { shop: null, shopKey: null, keyHint: null }
  const id = randomId('feed')
  const feed = {
    botId,
    id,
    url: sealUrl(id, input.url),
    shownUrl: shownUrl(input.url),
    ...(input.shop ? shopColumns(deps, id, input.shop) : none),
    everyHours: input.every_hours ?? null,
    currency: input.currency ?? null,
    removeMissing: input.remove_missing ?? false,
    createdAt: clock(),
  }
  if (!(await productFeeds.insert(feed, FEEDS_PER_BOT))) throw new Fault('too_many_feeds')
  puller.wake()
  return findFeed(deps, botId, id)
}

type FeedChange = BodyOf<Routes['PATCH /api/manage/v1/bots/{botId}/feeds/{feedId}']>

export async function updateFeed(deps: FeedDeps, feed: FeedRecord, input: FeedChange): Promise<FeedRecord> {
  const { productFeeds, puller, sealUrl, clock } = deps
  const { botId, id } = feed
  const carriesKey = input.shop !== undefined || feed.shop !== null
  if (input.url !== undefined) await checkFeedUrl(deps, input.url, carriesKey)
  else if (input.shop) await checkFeedUrl(deps, originOf(feed.shownUrl), carriesKey)
  // Otherwise whoever may change the address could have the key sent to a host of their own.
  if (feed.shop && input.url !== undefined && !input.shop && originOf(input.url) !== originOf(feed.shownUrl))
    throw new Fault('validation_failed', {
      details: [{ path: 'shop', message: 'Enter the key again, because the address has changed.' }],
    })
  const everyHours = input.every_hours === undefined ? feed.everyHours : input.every_hours
  const dueAt = everyHours === null ? null : (feed.finishedAt ?? clock()) + everyHours * HOUR_MS
  // The next run must fetch the whole feed.
  const isOtherCurrency = input.currency !== undefined && input.currency !== feed.currency
  const isWhole =
    input.url !== undefined || input.shop !== undefined || input.remove_missing === true || isOtherCurrency
  await productFeeds.update(botId, id, {
    ...(input.url === undefined ? {} : { url: sealUrl(id, input.url), shownUrl: shownUrl(input.url) }),
    ...(input.shop ? shopColumns(deps, id, input.shop) : {}),
    everyHours: input.every_hours,
    currency: input.currency,
    removeMissing: input.remove_missing === undefined ? undefined : Number(input.remove_missing),
    ...(isWhole ? { etag: null, lastModified: null } : {}),
    dueAt: input.every_hours === undefined || feed.paused || feed.state !== 'idle' ? undefined : dueAt,
  })
  if (input.paused === true) {
    await productFeeds.pause(botId, id)
    await puller.cancel(botId, id)
  }
  if (input.paused === false) await productFeeds.resume(botId, id, dueAt)
  puller.wake()
  return findFeed(deps, botId, id)
}

export async function runFeed(deps: FeedDeps, { botId, id }: FeedRecord, isConfirmed: boolean): Promise<FeedRecord> {
  await deps.productFeeds.requestRun(botId, id, isConfirmed, deps.clock())
  deps.puller.wake()
  return findFeed(deps, botId, id)
}

/** Keeps its products. */
export async function deleteFeed({ productFeeds, puller }: FeedDeps, { botId, id }: FeedRecord): Promise<void> {
  await productFeeds.remove(botId, id)
  await puller.cancel(botId, id)
}

function shopColumns({ sealShopKey }: FeedDeps, feedId: string, key: ShopKey) {
  const secret = key.type === 'shopify' ? key.access_token : key.consumer_key
  // Of a short key, four characters would be too much of it.
  const keyHint = secret.length < 12 ? '' : secret.slice(-4)
  return { shop: key.type, shopKey: sealShopKey(feedId, JSON.stringify(key)), keyHint }
}

function originOf(url: string): string {
  return new URL(url.replace('…@', '')).origin
}

// Feed URLs may contain secrets: a user name and password, or a token.

/** The part that may be shown. */
function shownUrl(text: string): string {
  const url = new URL(text)
  const credentials = url.username || url.password ? '…@' : ''
  // A parameter without a value may be the secret itself.
  const names = [...url.searchParams].map(([name, value]) => (value ? `${encodeURIComponent(name)}=…` : '…'))
  return `${url.protocol}//${credentials}${url.host}${url.pathname}${names.length > 0 ? `?${names.join('&')}` : ''}`
}

/** The part that viewers see: even the path may contain a token. */
export function hostAndFile(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  const file = pathname.split('/').at(-1) ?? ''
  if (!/\.\w{2,7}$/.test(file)) return `${protocol}//${host}/…`
  return `${protocol}//${host}/${pathname === `/${file}` ? '' : '…/'}${file}`
}

/** Moves credentials to a header. */
export function feedRequest(text: string): { url: string; authorization: string | null } {
  const url = new URL(text)
  const { username, password } = url
  url.username = ''
  url.password = ''
  url.hash = ''
  if (!username && !password) return { url: url.href, authorization: null }
  const pair = `${decodeUrlPart(username)}:${decodeUrlPart(password)}`
  return { url: url.href, authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

function decodeUrlPart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
