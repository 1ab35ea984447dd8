// Normalises URLs, so that each page has one.
import { LONGEST_LINK } from '../extraction/read-head.ts'

const LONGEST = 2000
const tracking =
  /^(utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|twclid|yclid|igshid|mc_[ce]id|_hs(enc|mi)|vero_id|mkt_tok|_ga|_gl|ref_src|phpsessid|jsessionid|sid)$/i
const indexPage = /\/(index\.(html?|php|aspx?|jsp)|default\.(html?|aspx?))$/i

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
    .filter((part) => part !== '' && !tracking.test(part.split('=', 1)[0] ?? ''))
    .join('&')
  url.pathname = url.pathname.replace(/;jsessionid=[^/;]*/i, '')
  if (!keepIndex) url.pathname = url.pathname.replace(indexPage, '/')
  return url.href.length <= LONGEST ? url.href : null
}
