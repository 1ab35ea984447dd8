// What a visitor's browser says about itself with every request: its device, time zone and country, the page it is on, and
// where it came from. Nothing is looked up anywhere.
import type { WidgetMessage } from '@docent/contract'
import { regionOf } from '../answers/understand/contact-details.ts'
import { isTimezone } from '../local-time.ts'
import type { KnownConversation } from '../storage/conversations.ts'
import type { Statement } from '../storage/database.ts'
import { type Visit, visitStatements } from '../storage/visits.ts'
import timeZones from './time-zones.json' with { type: 'json' }

/** Of the request that a visitor's browser made. */
export interface BrowserHeaders {
  userAgent?: string | undefined
  acceptLanguage?: string | undefined
}

/** Only what is new: most messages are written on the page of the one before. */
export function newVisit(
  conversation: { botId: string; id: string },
  knownConversation: Pick<KnownConversation, 'pageUrl'> | null,
  request: Pick<WidgetMessage, 'page_url' | 'referrer' | 'locale' | 'timezone'>,
  { userAgent, acceptLanguage }: BrowserHeaders,
  now: number,
): Statement[] {
  const { page_url: pageUrl = null, referrer = '', locale } = request
  const timezone = request.timezone && isTimezone(request.timezone) ? request.timezone : null
  if (knownConversation && (pageUrl === null || pageUrl === knownConversation.pageUrl)) return []
  return visitStatements(conversation.botId, conversation.id, {
    device: userAgent ? deviceOf(userAgent) : null,
    country: countryOf(timezone) ?? regionOf(locale) ?? regionOf(acceptLanguage?.split(/[,;]/)[0]?.trim()) ?? null,
    timezone,
    referrer: knownConversation ? null : otherSite(referrer, pageUrl),
    pageUrl,
    now,
  })
}

const countries = new Map(
  Object.entries(timeZones).flatMap(([country, zones]) => zones.split(' ').map((zone) => [zone, country])),
)

/** People keep a foreign language in their browser more often than a foreign time. */
export function countryOf(timezone: string | null): string | undefined {
  // Names without a place ("CET") stand for the time of many countries.
  if (!timezone?.includes('/')) return undefined
  // Browsers know some zones by a newer name.
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions()
  return countries.get(timeZone)
}

const MAX_REFERRER = 500

/** Without its query, which may have what the visitor searched for. */
function otherSite(referrer: string, pageUrl: string | null): string | null {
  const url = URL.parse(referrer)
  if (!url || !/^https?:$/.test(url.protocol) || (pageUrl && URL.parse(pageUrl)?.host === url.host)) return null
  return `${url.origin}${url.pathname}`.slice(0, MAX_REFERRER)
}

// Browsers name those that they are compatible with, so the more specific come first.
const BROWSERS: [name: string, sign: RegExp][] = [
  ['Edge', /\bEdgA?\/|\bEdgiOS\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\bFirefox\/|\bFxiOS\//],
  ['Chrome', /\bChrome\/|\bCriOS\//],
  ['Safari', /\bSafari\//],
]
const SYSTEMS: [name: string, sign: RegExp][] = [
  ['iPadOS', /\biPad\b/],
  ['iOS', /\biPhone\b|\biPod\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]

export function deviceOf(userAgent: string): NonNullable<Visit['device']> {
  const nameIn = (list: typeof BROWSERS) => list.find(([, sign]) => sign.test(userAgent))?.[0] ?? null
  const system = nameIn(SYSTEMS)
  const isTablet = system === 'iPadOS' || (system === 'Android' && !/\bMobile\b/.test(userAgent))
  const kind = isTablet ? 'tablet' : /\bMobi/.test(userAgent) ? 'phone' : 'desktop'
  return { browser: nameIn(BROWSERS), system, kind }
}
