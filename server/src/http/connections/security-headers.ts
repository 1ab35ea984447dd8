// Headers for every response, from routes, pages, errors, streams and cached refusals alike.
import type { FastifyInstance } from 'fastify'

const YEAR_SECONDS = 31_536_000

export type SecurityHeaders = Readonly<Record<string, string>>

export function securityHeaders(baseUrls: string[]): SecurityHeaders {
  return {
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    // This host only: subdomains are not ours to decide.
    ...(baseUrls.some((url) => url.startsWith('https:'))
      ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}` }
      : {}),
  }
}

/** Call last, so that its listener runs first. */
export function installSecurityHeaders({ server }: FastifyInstance, headers: SecurityHeaders) {
  const entries = Object.entries(headers)
  server.prependListener('request', (_request, response) => {
    for (const [name, value] of entries) response.setHeader(name, value)
  })
}
