// Which site a request comes from. Browsers also send cookies cross-site, so changes must come from our own pages.
import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '@docent/contract'

type Site = 'own' | 'other' | 'unknown'
export type RequestSite = (headers: IncomingHttpHeaders) => Site

export function createRequestSite(baseUrl: string): RequestSite {
  const own = new URL(baseUrl).origin
  return (headers) => {
    const site = headers['sec-fetch-site']
    if (site !== undefined) return site === 'same-origin' || site === 'none' ? 'own' : 'other'
    const { origin } = headers
    if (origin === undefined) return 'unknown'
    return origin === own || (URL.canParse(origin) && new URL(origin).host === headers.host) ? 'own' : 'other'
  }
}

/** For requests that receive a cookie: prevents log-in CSRF. */
export function requireOwnSite(site: Site) {
  if (site === 'other') throw new Fault('cross_site_request')
}
