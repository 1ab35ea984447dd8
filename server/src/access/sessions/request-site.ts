// Where a browser says a request comes from. A cookie goes along with requests that other sites cause, so that what
// changes something must come from a page of ours.
import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '@docent/contract'

type Site = 'own' | 'other' | 'untold'
export type RequestSite = (headers: IncomingHttpHeaders) => Site

export function createRequestSite(baseUrl: string): RequestSite {
  const own = new URL(baseUrl).origin
  return (headers) => {
    const site = headers['sec-fetch-site']
    if (site !== undefined) return site === 'same-origin' || site === 'none' ? 'own' : 'other'
    const { origin } = headers
    if (origin === undefined) return 'untold'
    return origin === own || (URL.canParse(origin) && new URL(origin).host === headers.host) ? 'own' : 'other'
  }
}

/** For requests that carry no cookie yet but are to get one: nobody is logged in by another site. */
export function requireOwnSite(site: Site) {
  if (site === 'other') throw new Fault('cross_site_request')
}
