// Headers that every response carries, whatever makes it: a route, a page, an error, a stream, a refusal from memory.
import type { FastifyInstance } from 'fastify'

const YEAR_SECONDS = 31_536_000

export type SecurityHeaders = Readonly<Record<string, string>>

export function securityHeaders(baseUrls: string[]): SecurityHeaders {
  return {
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    // For this host only: subdomains are not ours to decide.
    ...(baseUrls.some((url) => url.startsWith('https:'))
      ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}` }
      : {}),
  }
}

/** Call it last, so that it runs before any other listener. */
export function installSecurityHeaders({ server }: FastifyInstance, headers: SecurityHeaders) {
  const entries = Object.entries(headers)
  server.prependListener('request', (_request, response) => {
    for (const [name, value] of entries) response.setHeader(name, value)
  })
}
