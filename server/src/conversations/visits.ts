// What a visitor's browser says about itself with every request: its device, its country, and the page it is on. Nothing is
// looked up anywhere.
import { regionOf } from '../answers/understand/contact-details.ts'
import type { KnownConversation } from '../storage/conversations.ts'
import type { Statement } from '../storage/database.ts'
import { type Visit, visitStatements } from '../storage/visits.ts'

/** Of the request that a visitor's browser made. */
export interface BrowserHeaders {
  userAgent?: string | undefined
  acceptLanguage?: string | undefined
}

/** Only what is new: most messages are written on the page of the one before. */
export function newVisit(
  conversation: { botId: string; id: string },
  known: Pick<KnownConversation, 'pageUrl'> | null,
  visited: BrowserHeaders & { pageUrl: string | null; locale: string | undefined; now: number },
): Statement[] {
  const { userAgent, acceptLanguage, pageUrl, locale, now } = visited
  if (known && (pageUrl === null || pageUrl === known.pageUrl)) return []
  return visitStatements(conversation.botId, conversation.id, {
    device: userAgent ? deviceOf(userAgent) : null,
    country: regionOf(locale) ?? regionOf(acceptLanguage?.split(/[,;]/)[0]?.trim()) ?? null,
    pageUrl,
    now,
  })
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
