// Whether a URL belongs to a crawl: the site's own hosts, the patterns, and no crawler traps.
import type { CrawlReason } from '@docent/contract'
import type { FoundPage, PageKind } from '../../storage/crawl-pages.ts'
import { LONGEST_LINK } from '../extraction/read-head.ts'
import { matchPath } from './robots.ts'

const DEEPEST = 25
const MAX_REPEATS = 3
const MAX_SEGMENTS = 25
const MAX_PARAMETERS = 8

const OTHER_TYPES =
  /\.(doc|xls|ppt|od[psg]|zip|gz|tgz|rar|7z|exe|dmg|apk|iso|png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|mp[34]|m4[av]|webm|avi|mov|wav|ogg|css|js|mjs|map|json|xml|rss|atom|woff2?|ttf|eot|ics|csv)$/i

interface Scope {
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
  if (OTHER_TYPES.test(pathname)) return 'unsupported_type'
  if (depth > DEEPEST) return 'too_deep'
  return isTrap(pathname, search) ? 'trap' : null
}

const PAGE_FILE = /\/[^/]+\.(html?|php|aspx?|jsp)$/i
const LONGEST_FOLDER = 400

/** The pages under the path of a URL, as patterns; none for a whole site. */
export function folderPatterns(url: string): string[] {
  const folder = new URL(url).pathname.replace(PAGE_FILE, '/').replace(/\/*$/, '')
  // In a pattern, `*` and `$` have a meaning of their own.
  if (folder === '' || /[*$]/.test(folder) || folder.length > LONGEST_FOLDER) return []
  return [`${folder}/`, `${folder}$`, `${folder}?`]
}

export function isOnSite(url: string, scope: Scope): boolean {
  let sites = knownSites.get(scope)
  if (!sites) {
    const hostUrls = scope.hosts.map((host) => `http://${host}`).filter((text) => URL.canParse(text))
    sites = new Set([scope.url, ...hostUrls].map(siteOf))
    knownSites.set(scope, sites)
  }
  return sites.has(siteOf(url))
}

/** The host with its port; with or without "www." it is the same site. */
export function siteOf(url: string): string {
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

// Turns links into pages of the crawl: on the same site, normalised, with a reason where they are skipped.

// Then yield to other work.
const SLICE_MS = 10

interface Link {
  url: string
  changedAt?: number
}

export function toLinks(urls: string[]): Link[] {
  return urls.map((url) => ({ url }))
}

export async function findPages(
  links: Link[],
  { crawl, base, depth, kind }: { crawl: Scope; base: string; depth: number; kind: PageKind },
): Promise<FoundPage[]> {
  const pagesByUrl = new Map<string, FoundPage>()
  let sliceEnds = performance.now() + SLICE_MS
  for (const { url: link, changedAt } of links) {
    const url = normaliseUrl(link, { base })
    // Links to other sites are not part of the crawl or its report.
    if (url && !pagesByUrl.has(url) && isOnSite(url, crawl)) {
      const skipReason = kind === 'page' ? judgeUrl(url, depth, crawl) : null
      pagesByUrl.set(url, {
        kind,
        url,
        depth,
        redirects: 0,
        skipped: skipReason,
        ...(changedAt === undefined ? {} : { changedAt }),
      })
    }
    if (performance.now() < sliceEnds) continue
    await new Promise(setImmediate)
    sliceEnds = performance.now() + SLICE_MS
  }
  return [...pagesByUrl.values()]
}

/** A crawl that starts at a sitemap covers only the pages listed there, without following links. */
export function isSitemapUrl(url: string): boolean {
  const { pathname } = new URL(url)
  return /\.xml(\.gz)?$/i.test(pathname) || /sitemap[^/]*\.(txt|gz)$/i.test(pathname)
}

// Normalises URLs, so that each page has one.
const LONGEST = 2000
const TRACKING =
  /^(utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|twclid|yclid|igshid|mc_[ce]id|_hs(enc|mi)|vero_id|mkt_tok|_ga|_gl|ref_src|phpsessid|jsessionid|sid)$/i
const INDEX_PAGE = /\/(index\.(html?|php|aspx?|jsp)|default\.(html?|aspx?))$/i

/** Null for URLs that cannot be fetched. Index pages named by a redirect or a person keep their name. */
export function normaliseUrl(href: string, { base, keepIndex = false }: { base?: string; keepIndex?: boolean } = {}) {
  if (href.length > LONGEST_LINK || !URL.canParse(href, base)) return null
  const url = new URL(href, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  if (url.username || url.password) return null
  url.hash = ''
  url.search = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !TRACKING.test(part.split('=', 1)[0] ?? ''))
    .join('&')
  url.pathname = url.pathname.replace(/;jsessionid=[^/;]*/i, '')
  if (!keepIndex) url.pathname = url.pathname.replace(INDEX_PAGE, '/')
  return url.href.length <= LONGEST ? url.href : null
}
