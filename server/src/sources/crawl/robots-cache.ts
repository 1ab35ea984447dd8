// Caches each origin's robots.txt: missing means that everything is allowed, a server error that nothing is.

import { createTtlCache } from '../../caching/ttl-cache.ts'
import { FetchFailure } from '../../outbound/fetch-failure.ts'
import type { FetchPage } from '../../outbound/fetch-page.ts'
import { decodeText } from '../extraction/decode-text.ts'
import { allAllowed, parseRobots, type RobotsRules } from './robots-rules.ts'

const KEPT_MS = 30 * 60_000
const MAX_ORIGINS = 1000
const LIMIT_BYTES = 512 * 1024
const REDIRECTS = 5

/** The server could not say what is allowed, so nothing is for now. */
export class RobotsUnreachable extends Error {
  override readonly name = 'RobotsUnreachable'
}

export type RobotsOf = (origin: string, signal: AbortSignal) => Promise<RobotsRules>

export function createRobotsCache(deps: { fetchPage: FetchPage; timeoutMs: number; clock: () => number }): RobotsOf {
  const { fetchPage, timeoutMs, clock } = deps
  const cache = createTtlCache<RobotsRules>({ ttlMs: KEPT_MS, maxEntries: MAX_ORIGINS, clock })

  return async (origin, signal) => (await cache.read(origin, () => ask(origin, signal))) ?? allAllowed

  async function ask(origin: string, signal: AbortSignal): Promise<RobotsRules> {
    const page = { url: `${origin}/robots.txt`, redirects: REDIRECTS, limitBytes: LIMIT_BYTES, timeoutMs, signal }
    try {
      const { status, body, headers } = await fetchPage({ ...page, accept: 'text/plain,*/*;q=0.1' })
      if (status >= 500 || status === 429) throw new RobotsUnreachable(`robots.txt is answered with ${status}.`)
      return status >= 200 && status < 300 ? parseRobots(decodeText(body, headers['content-type'] ?? '')) : allAllowed
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error
      // A redirect loop counts as missing; a file too large to read may forbid anything.
      if (error.code === 'too_many_redirects') return allAllowed
      if (error.code === 'refused_address') throw error
      throw new RobotsUnreachable(`robots.txt: ${error.message}`)
    }
  }
}
