// Links into pages of the crawl: of the site, one spelling each, with the reason where they are left out.
import type { FoundPage, PageKind } from '../../storage/crawls/crawl-page-rows.ts'
import { isOfSite, judgeUrl, type Scope } from './judge-url.ts'
import { normalUrl } from './normal-url.ts'

// Others want their turn.
const TURN_MS = 10

interface Link {
  url: string
  changedAt?: number
}

export function linksOf(urls: string[]): Link[] {
  return urls.map((url) => ({ url }))
}

export async function foundPages(
  links: Link[],
  { crawl, base, depth, kind }: { crawl: Scope; base: string; depth: number; kind: PageKind },
): Promise<FoundPage[]> {
  const found = new Map<string, FoundPage>()
  let turnEnds = performance.now() + TURN_MS
  for (const { url: link, changedAt } of links) {
    const url = normalUrl(link, { base })
    // What belongs to others is not of this crawl, and not worth a line in its report.
    if (url && !found.has(url) && isOfSite(url, crawl)) {
      const skipped = kind === 'page' ? judgeUrl(url, depth, crawl) : null
      found.set(url, { kind, url, depth, redirects: 0, skipped, ...(changedAt === undefined ? {} : { changedAt }) })
    }
    if (performance.now() < turnEnds) continue
    await new Promise(setImmediate)
    turnEnds = performance.now() + TURN_MS
  }
  return [...found.values()]
}

/** A sitemap as the start of a crawl is all there is to it: links on its pages are not followed. */
export function isSitemapUrl(url: string): boolean {
  const { pathname } = new URL(url)
  return /\.xml(\.gz)?$/i.test(pathname) || /sitemap[^/]*\.(txt|gz)$/i.test(pathname)
}
