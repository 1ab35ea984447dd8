// Whether an address belongs to a crawl: the site's own hosts, the patterns, and no way into an endless maze.
import { matchPath } from './match-path.ts'

const DEEPEST = 25
const MOST_REPEATS = 3
const MOST_SEGMENTS = 25
const MOST_PARAMETERS = 8

const otherTypes =
  /\.(doc|xlsx?|pptx?|odt|zip|gz|tgz|rar|7z|exe|dmg|apk|iso|png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|mp[34]|m4[av]|webm|avi|mov|wav|ogg|css|js|mjs|map|json|xml|rss|atom|woff2?|ttf|eot|ics|csv)$/i

export interface Scope {
  url: string
  hosts: string[]
  include: string[]
  exclude: string[]
}

// Asked for every link of every page.
const knownSites = new WeakMap<Scope, Set<string>>()

export type UrlReason = 'off_site' | 'excluded' | 'not_included' | 'unsupported_type' | 'too_deep' | 'trap'

/** Why a page is left out, or null. */
export function judgeUrl(url: string, depth: number, scope: Scope): UrlReason | null {
  const { pathname, search } = new URL(url)
  // A pattern that starts with a scheme is for whole addresses, any other for the path with its query.
  const fits = (pattern: string) => matchPath(pattern, /^https?:/i.test(pattern) ? url : pathname + search)
  if (!isOfSite(url, scope)) return 'off_site'
  if (scope.exclude.some(fits)) return 'excluded'
  if (scope.include.length > 0 && !scope.include.some(fits)) return 'not_included'
  if (otherTypes.test(pathname)) return 'unsupported_type'
  if (depth > DEEPEST) return 'too_deep'
  return isTrap(pathname, search) ? 'trap' : null
}

export function isOfSite(url: string, scope: Scope): boolean {
  let sites = knownSites.get(scope)
  if (!sites) {
    const named = scope.hosts.map((host) => `http://${host}`).filter((text) => URL.canParse(text))
    sites = new Set([scope.url, ...named].map(siteOf))
    knownSites.set(scope, sites)
  }
  return sites.has(siteOf(url))
}

/** The host and a port of its own; with or without "www." it is the same site. */
function siteOf(url: string): string {
  return new URL(url).host.replace(/^www\./, '')
}

/** Relative links that lead ever deeper repeat themselves. */
function isTrap(pathname: string, search: string): boolean {
  const segments = pathname.split('/').filter(Boolean)
  const counts = new Map<string, number>()
  for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1)
  const isRepeating = [...counts.values()].some((count) => count >= MOST_REPEATS)
  return isRepeating || segments.length > MOST_SEGMENTS || new URLSearchParams(search).size > MOST_PARAMETERS
}
