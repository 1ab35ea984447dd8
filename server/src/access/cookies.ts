import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '@docent/contract'
import type { Context } from '../context.ts'
import { DAY_MS } from '../days.ts'
import { randomId } from '../ids.ts'

// An HttpOnly cookie for this host alone. Over TLS, or locally, the __Host- prefix binds it to this host and TLS; on
// plain http elsewhere browsers would reject that, so it is left out.
// Parsed on demand: @fastify/cookie would parse every cookie of every request.
const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

export interface HostCookie {
  read(cookie: string | undefined): string | null
  /** The `Set-Cookie` header for a request to this host. */
  write(value: string, host: string | undefined): string
  clear(host: string | undefined): string
}

interface Shape {
  name: string
  maxAgeSeconds: number
  /** Values of another form are ignored. */
  pattern: RegExp
}

export const sessionCookie = (baseUrl: string) =>
  makeHostCookie(baseUrl, { name: 'docent_session', maxAgeSeconds: 90 * 86_400, pattern: /^[\w-]{43}$/ })

export function makeHostCookie(baseUrl: string, { name: plainName, maxAgeSeconds, pattern }: Shape): HostCookie {
  const hasTls = baseUrl.startsWith('https:')
  const secureName = `__Host-${plainName}`
  const header = (value: string, host: string | undefined, maxAge: number) => {
    const isSecure = hasTls || LOCAL.test(host ?? '')
    const name = isSecure ? secureName : plainName
    return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  }
  function cookieValue(cookie: string | undefined, name: string): string | null {
    for (const part of cookie?.split(';') ?? []) {
      const [key, value] = part.trim().split('=')
      if (key === name && value && pattern.test(value)) return value
    }
    return null
  }
  return {
    read: (cookie) => cookieValue(cookie, secureName) ?? (hasTls ? null : cookieValue(cookie, plainName)),
    write: (value, host) => header(value, host, maxAgeSeconds),
    clear: (host) => header('', host, 0),
  }
}

// A sealed cookie, kept after the session ends, marks browsers an account has used before. Their attempts are
// counted separately, so that strangers who guess cannot lock the person out.

const PLACE = 'known device'
const KNOWN_DAYS = 365

export interface KnownDevice {
  id: string
  accountId: string
}

export function openKnownDevices({ config, sealed, clock }: Context) {
  const cookie = makeHostCookie(config.baseUrl, {
    name: 'docent_device',
    maxAgeSeconds: KNOWN_DAYS * 86_400,
    pattern: /^[\w.-]{1,400}$/,
  })

  return {
    read(header: string | undefined): KnownDevice | null {
      const value = cookie.read(header)
      const text = value === null ? null : sealed.open(value, PLACE)
      const [id, accountId, seenAt] = text?.split(' ') ?? []
      if (!id || !accountId || clock() - Number(seenAt) >= KNOWN_DAYS * DAY_MS) return null
      return { id, accountId }
    },

    /** The `Set-Cookie` header after a log-in. Another account's device counts as new. */
    write(accountId: string, before: KnownDevice | null, host: string | undefined): string {
      const id = before?.accountId === accountId ? before.id : randomId('dev')
      return cookie.write(sealed.seal(`${id} ${accountId} ${clock()}`, PLACE), host)
    },
  }
}

// Which site a request comes from. Browsers also send cookies cross-site, so changes must come from our own pages.

type Site = 'own' | 'other' | 'unknown'
export type RequestSite = (headers: IncomingHttpHeaders) => Site

export function makeRequestSite(baseUrl: string): RequestSite {
  const ownOrigin = new URL(baseUrl).origin
  return (headers) => {
    const site = headers['sec-fetch-site']
    if (site !== undefined) return site === 'same-origin' || site === 'none' ? 'own' : 'other'
    const { origin } = headers
    if (origin === undefined) return 'unknown'
    return origin === ownOrigin || (URL.canParse(origin) && new URL(origin).host === headers.host) ? 'own' : 'other'
  }
}

/** For requests that receive a cookie: prevents log-in CSRF. */
export function requireOwnSite(site: Site) {
  if (site === 'other') throw new Fault('cross_site_request')
}
