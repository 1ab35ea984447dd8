// One spelling for addresses that lead to the same page.
const LONGEST = 2000
const tracking =
  /^(utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|twclid|yclid|igshid|mc_[ce]id|_hs(enc|mi)|vero_id|mkt_tok|_ga|_gl|ref_src|phpsessid|jsessionid|sid)$/i
const indexPage = /\/(index\.(html?|php|aspx?|jsp)|default\.(html?|aspx?))$/i

/** Null when it is nothing that can be fetched. Where a redirect or a person names an index page, it stays one. */
export function normalUrl(href: string, { base, keepIndex = false }: { base?: string; keepIndex?: boolean } = {}) {
  if (!URL.canParse(href, base)) return null
  const url = new URL(href, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  if (url.username || url.password) return null
  url.hash = ''
  for (const name of [...url.searchParams.keys()]) if (tracking.test(name)) url.searchParams.delete(name)
  if (!url.searchParams.size) url.search = ''
  url.pathname = url.pathname.replace(/;jsessionid=[^/;]*/i, '')
  if (!keepIndex) url.pathname = url.pathname.replace(indexPage, '/')
  return url.href.length <= LONGEST ? url.href : null
}
