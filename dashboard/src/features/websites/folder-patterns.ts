// The pages under the path of a URL, as patterns of a crawl.

const PAGE = /\/[^/]+\.(html?|php|aspx?|jsp)$/i
const SITEMAP = /\.(xml|txt|gz)$/i
const LONGEST = 400

/** `/help/` for https://example.com/help and https://example.com/help/start.html; null for a whole site or a sitemap. */
export function folderOf(url: string): string | null {
  const { pathname = '/' } = URL.parse(url) ?? {}
  // In a pattern, `*` and `$` have a meaning of their own.
  if (SITEMAP.test(pathname) || /[*$]/.test(pathname) || pathname.length > LONGEST) return null
  const folder = pathname.replace(PAGE, '/').replace(/\/*$/, '/')
  return folder === '/' ? null : folder
}

export function folderPatterns(url: string): string[] {
  const folder = folderOf(url)
  if (folder === null) return []
  const page = folder.slice(0, -1)
  return [folder, `${page}$`, `${page}?`]
}

/** Of a URL that redirects elsewhere, the pages where it leads; of one that redirects below its folder, still the folder. */
export function patternsUnder(typedUrl: string, crawledUrl: string): string[] {
  const folder = folderOf(typedUrl)
  const isBelow = folder !== null && folderOf(crawledUrl)?.startsWith(folder)
  return folderPatterns(isBelow ? typedUrl : crawledUrl)
}
