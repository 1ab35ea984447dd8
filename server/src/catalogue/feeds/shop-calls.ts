// Calls to the API of a shop system: one at a time, as fast as the shop allows, within the limits of a run.

import { setTimeout as sleep } from 'node:timers/promises'
import type { FeedReason } from '@docent/contract'
import type { FetchPage, PageResponse } from '../../outbound/fetch-page.ts'
import { retryAfterMs } from '../../retry-after.ts'
import { type Item, isItem } from '../products/collect-fields.ts'
import type { FeedEntry } from './feed-formats.ts'
import type { CutReason } from './feed-pages.ts'

/** Why a run imported nothing. */
export class FeedFailure extends Error {
  override readonly name = 'FeedFailure'
  readonly reason: FeedReason
  readonly statusCode: number | null

  constructor(reason: FeedReason, statusCode: number | null = null) {
    super(`the feed could not be pulled: ${reason}`)
    this.reason = reason
    this.statusCode = statusCode
  }
}

/** Parsed on the event loop, so a page must stay small. */
const PAGE_BYTES = 8 * 1024 ** 2
const MAX_TRIES = 6
const FIRST_PAUSE_MS = 1000
const LATER = new Set([429, 502, 503, 504])

interface ShopCall {
  url: string
  headers?: Record<string, string>
  authorization?: string
  /** The body of a POST. */
  json?: unknown
}

interface ShopResponse {
  headers: PageResponse['headers']
  body: unknown
}

/** Throws `FeedFailure` with what the status means to the owner of the shop. */
type CallShop = (call: ShopCall) => Promise<ShopResponse>

/** Yields the products of one page at a time, and returns how the reading ended. */
export type ShopReading = AsyncGenerator<FeedEntry[], { pages: number; cutReason: CutReason | null }>

interface Limits {
  fetchPage: FetchPage
  limitBytes: number
  deadline: number
  signal: AbortSignal
  progress: { bytes: number }
}

export interface ShopAccess {
  call: CallShop
  /** Waits because the shop asks for it. Fails the run if its time would not suffice. */
  pause: (ms: number) => Promise<void>
}

export function openShop({ fetchPage, limitBytes, deadline, signal, progress }: Limits): ShopAccess {
  async function pause(ms: number): Promise<void> {
    if (Date.now() + ms >= deadline) throw new FeedFailure('rate_limited', 429)
    await sleep(ms, undefined, { signal })
  }

  async function call({ url, headers = {}, authorization, json }: ShopCall): Promise<ShopResponse> {
    for (let attempt = 1; ; attempt++) {
      const response = await fetchPage({
        url,
        headers,
        ...(authorization ? { authorization } : {}),
        ...(json === undefined ? {} : { json: JSON.stringify(json) }),
        accept: 'application/json',
        signal,
        limitBytes: Math.min(PAGE_BYTES, Math.max(limitBytes - progress.bytes, 0)),
        timeoutMs: Math.max(deadline - Date.now(), 1),
      })
      progress.bytes += response.body.length
      const { status } = response
      if (!LATER.has(status)) return { headers: response.headers, body: readResponse(response) }
      if (attempt === MAX_TRIES) throw new FeedFailure(status === 429 ? 'rate_limited' : 'http_status', status)
      await pause(retryAfterMs(response.headers['retry-after'], Date.now()) ?? FIRST_PAUSE_MS * 2 ** (attempt - 1))
    }
  }

  return { call, pause }
}

function readResponse({ status, body }: PageResponse): unknown {
  if (status === 401) throw new FeedFailure('wrong_key', status)
  if (status === 403) throw new FeedFailure('permission_missing', status)
  // Also a redirect: the key is for the shop's own host only.
  if (status === 404 || status === 410 || (status >= 300 && status < 400))
    throw new FeedFailure('wrong_address', status)
  if (status !== 200) throw new FeedFailure('http_status', status)
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    // The page of a website, not the interface of a shop.
    throw new FeedFailure('wrong_address', status)
  }
}

export function itemsOf(value: unknown): Item[] {
  return Array.isArray(value) ? value.filter(isItem) : []
}
