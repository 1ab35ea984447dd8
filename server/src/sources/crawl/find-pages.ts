// Turns links into pages of the crawl: on the same site, normalised, with a reason where they are skipped.
import type { FoundPage, PageKind } from '../../storage/crawl-pages.ts'
import { isOnSite, judgeUrl, type Scope } from './judge-url.ts'
import { normaliseUrl } from './normalise-url.ts'

// Then yield to other work.
const TURN_MS = 10

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
  const found = new Map<string, FoundPage>()
  let turnEnds = performance.now() + TURN_MS
  for (const { url: link, changedAt } of links) {
    const url = normaliseUrl(link, { base })
    // Links to other sites are not part of the crawl or its report.
    if (url && !found.has(url) && isOnSite(url, crawl)) {
      const skipped = kind === 'page' ? judgeUrl(url, depth, crawl) : null
      found.set(url, { kind, url, depth, redirects: 0, skipped, ...(changedAt === undefined ? {} : { changedAt }) })
    }
    if (performance.now() < turnEnds) continue
    await new Promise(setImmediate)
    turnEnds = performance.now() + TURN_MS
  }
  return [...found.values()]
}

/** A crawl that starts at a sitemap covers only the pages listed there, without following links. */
export function isSitemapUrl(url: string): boolean {
  const { pathname } = new URL(url)
  return /\.xml(\.gz)?$/i.test(pathname) || /sitemap[^/]*\.(txt|gz)$/i.test(pathname)
}
