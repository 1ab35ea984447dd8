// Whether a URL belongs to a crawl: the site's own hosts, the patterns, and no crawler traps.
import type { CrawlReason } from '@docent/contract'
import { matchPath } from './match-path.ts'

const DEEPEST = 25
const MAX_REPEATS = 3
const MAX_SEGMENTS = 25
const MAX_PARAMETERS = 8

const otherTypes =
  /\.(doc|xlsx?|pptx?|odt|zip|gz|tgz|rar|7z|exe|dmg|apk|iso|png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|mp[34]|m4[av]|webm|avi|mov|wav|ogg|css|js|mjs|map|json|xml|rss|atom|woff2?|ttf|eot|ics|csv)$/i

export interface Scope {
  url: string
  hosts: string[]
  include: string[]
  exclude: string[]
}

// Cached, because every link of every page is checked.
const knownSites = new WeakMap<Scope, Set<string>>()

/** Why a page is skipped, or null. */
export function judgeUrl(url: string, depth: number, scope: Scope): CrawlReason | null {
  const { pathname, search } = new URL(url)
  // A pattern that starts with a scheme matches the whole URL, any other the path and query.
  const fits = (pattern: string) => matchPath(pattern, /^https?:/i.test(pattern) ? url : pathname + search)
  if (!isOnSite(url, scope)) return 'off_site'
  if (scope.exclude.some(fits)) return 'excluded'
  if (scope.include.length > 0 && !scope.include.some(fits)) return 'not_included'
  if (otherTypes.test(pathname)) return 'unsupported_type'
  if (depth > DEEPEST) return 'too_deep'
  return isTrap(pathname, search) ? 'trap' : null
}

export function isOnSite(url: string, scope: Scope): boolean {
  let sites = knownSites.get(scope)
  if (!sites) {
    const named = scope.hosts.map((host) => `http://${host}`).filter((text) => URL.canParse(text))
    sites = new Set([scope.url, ...named].map(siteOf))
    knownSites.set(scope, sites)
  }
  return sites.has(siteOf(url))
}

/** The host with its port; with or without "www." it is the same site. */
function siteOf(url: string): string {
  return new URL(url).host.replace(/^www\./, '')
}

/** Broken relative links produce ever deeper, repetitive paths. */
function isTrap(pathname: string, search: string): boolean {
  const segments = pathname.split('/').filter(Boolean)
  const counts = new Map<string, number>()
  for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1)
  const isRepeating = [...counts.values()].some((count) => count >= MAX_REPEATS)
  return isRepeating || segments.length > MAX_SEGMENTS || new URLSearchParams(search).size > MAX_PARAMETERS
}
