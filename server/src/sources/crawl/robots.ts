// Caches each origin's robots.txt: missing means that everything is allowed, a server error that nothing is.
import { makeTtlCache } from '../../caching.ts'
import type { FetchPage } from '../../outbound/fetch-page.ts'
import { FetchFailure } from '../../outbound/fetch-page.ts'
import { decodeText } from '../extraction/decode-text.ts'

const KEPT_MS = 30 * 60_000
const MAX_ORIGINS = 1000
const LIMIT_BYTES = 512 * 1024
const REDIRECTS = 5

/** The server could not say what is allowed, so nothing is for now. */
export class RobotsUnreachable extends Error {
  override readonly name = 'RobotsUnreachable'
}

export type RobotsOf = (origin: string, signal: AbortSignal) => Promise<RobotsRules>

export function openRobotsCache(deps: { fetchPage: FetchPage; timeoutMs: number; clock: () => number }): RobotsOf {
  const { fetchPage, timeoutMs, clock } = deps
  const cache = makeTtlCache<RobotsRules>({ ttlMs: KEPT_MS, maxEntries: MAX_ORIGINS, clock })

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

// robots.txt by RFC 9309: the group for our name or for all, the longest matching rule, allow on a tie.
const LONGEST_CHARACTERS = 512 * 1024
// Longer than any URL that a rule could match.
const LONGEST_LINE = 4000
const MAX_SITEMAPS = 50
const OUR_NAME = 'docentbot'

interface RobotsRules {
  /** Takes a path with its query. */
  allows(path: string): boolean
  delayMs: number | null
  sitemaps: string[]
}

interface Group {
  names: string[]
  rules: { allow: boolean; pattern: string }[]
  delaySeconds: number | null
}

const allAllowed: RobotsRules = { allows: () => true, delayMs: null, sitemaps: [] }

export function parseRobots(text: string): RobotsRules {
  const { groups, sitemaps } = readGroups(text.slice(0, LONGEST_CHARACTERS))
  const namedGroups = groups.filter(({ names }) => names.includes(OUR_NAME))
  const ours = namedGroups.length > 0 ? namedGroups : groups.filter(({ names }) => names.includes('*'))
  const rules = ours.flatMap((group) => group.rules)
  const delaySeconds = ours.find((group) => group.delaySeconds !== null)?.delaySeconds ?? null
  return {
    allows(path) {
      const normalisedPath = normalPath(path)
      if (normalisedPath === '/robots.txt') return true
      let best: { allow: boolean; pattern: string } | null = null
      for (const rule of rules) {
        if (!matchPath(rule.pattern, normalisedPath)) continue
        const isStronger = !best || rule.pattern.length > best.pattern.length
        if (isStronger || (rule.pattern.length === best?.pattern.length && rule.allow)) best = rule
      }
      return best?.allow ?? true
    },
    delayMs: delaySeconds === null ? null : delaySeconds * 1000,
    sitemaps,
  }
}

function readGroups(text: string) {
  const groups: Group[] = []
  const sitemaps: string[] = []
  let group: Group | null = null
  let isHead = false
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    const value = (line.slice(colon + 1).split('#', 1)[0] ?? '').trim()
    if (name.length + value.length > LONGEST_LINE) continue
    if (name === 'user-agent') {
      if (!isHead || !group) {
        group = { names: [], rules: [], delaySeconds: null }
        groups.push(group)
      }
      isHead = true
      group.names.push(productName(value))
    } else if (name === 'sitemap') {
      if (sitemaps.length < MAX_SITEMAPS) sitemaps.push(value)
    } else if (name === 'allow' || name === 'disallow') {
      isHead = false
      if (value) group?.rules.push({ allow: name === 'allow', pattern: normalPath(value) })
    } else if (name === 'crawl-delay') {
      isHead = false
      if (group && /^\d+(\.\d+)?$/.test(value)) group.delaySeconds = Number(value)
    }
  }
  return { groups, sitemaps }
}

/** "DocentBot/1.0" and "docentbot" are the same. */
function productName(value: string): string {
  return value === '*' ? value : (/^[\w-]+/.exec(value)?.[0] ?? '').toLowerCase()
}

/** Normalises encodings: %7E and ~, ä and %C3%A4. */
function normalPath(path: string): string {
  return path
    .replace(/%[0-9a-f]{2}/gi, (code) => {
      const sign = String.fromCharCode(Number.parseInt(code.slice(1), 16))
      return /[A-Za-z0-9\-._~]/.test(sign) ? sign : code.toUpperCase()
    })
    .replace(/[^\x21-\x7e]+/g, (signs) => encodeURIComponent(signs.toWellFormed()))
}

/**
 * Matches a pattern as in robots.txt (RFC 9309): from the start, `*` for any characters, a final `$` for the end.
 * Takes linear time, whatever the pattern.
 */
export function matchPath(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$')
  const [first = '', ...rest] = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(first)) return false
  let at = first.length
  if (rest.length === 0) return !isWhole || at === path.length
  const last = rest.pop() ?? ''
  for (const part of rest) {
    const foundAt = path.indexOf(part, at)
    if (foundAt < 0) return false
    at = foundAt + part.length
  }
  if (isWhole) return path.length - last.length >= at && path.endsWith(last)
  return path.indexOf(last, at) >= 0
}
