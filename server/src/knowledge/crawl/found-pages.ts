// Links into pages of the crawl: of the site, one spelling each, with the reason where they are left out.
import type { FoundPage, PageKind } from '../../storage/crawl-page-rows.ts'
import { isOfSite, judgeUrl, type Scope } from './judge-url.ts'
import { normalUrl } from './normal-url.ts'

export function foundPages(
  links: string[],
  { crawl, base, depth, kind }: { crawl: Scope; base: string; depth: number; kind: PageKind },
): FoundPage[] {
  const urls = new Set<string>()
  for (const link of links) {
    const url = normalUrl(link, { base })
    // What belongs to others is not of this crawl, and not worth a line in its report.
    if (url && isOfSite(url, crawl)) urls.add(url)
  }
  return [...urls].map((url) => {
    const skipped = kind === 'page' ? judgeUrl(url, depth, crawl) : null
    return { kind, url, depth, redirects: 0, skipped }
  })
}

/** A sitemap as the start of a crawl is all there is to it: links on its pages are not followed. */
export function isSitemapUrl(url: string): boolean {
  const { pathname } = new URL(url)
  return /\.xml(\.gz)?$/i.test(pathname) || /sitemap[^/]*\.(txt|gz)$/i.test(pathname)
}
