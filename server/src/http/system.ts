import type { FastifyRequest } from 'fastify'
import { bearerToken } from '../access/bearer.ts'
import { hashSecret } from '../access/secrets.ts'
import type { Metrics } from '../metrics.ts'
import { unavailable } from './errors.ts'
import type { Route } from './route.ts'

interface Deps {
  /** Resolves when the database can be reached. */
  ping: () => Promise<void>
  isStopping: () => boolean
  details: () => Record<string, string>
  metrics: Metrics
}

export function systemRoutes(route: Route, { ping, isStopping, details, metrics }: Deps) {
  route('GET /livez', async () => ({ status: 'alive' }))

  route('GET /readyz', async () => {
    if (isStopping()) throw unavailable()
    await ping()
    return { status: 'ready', details: details() }
  })

  route('GET /metrics', async ({ reply }) => reply.type('text/plain; version=0.0.4').send(metrics.text()))
}

/** With a token set, whoever has it; without one, the machine itself and nothing that came through a proxy. */
export function operatorCheck(metricsToken: string | null): (request: FastifyRequest) => boolean {
  const wanted = metricsToken && hashSecret(metricsToken)
  return (request) => {
    const token = bearerToken(request.headers.authorization)
    if (wanted) return token !== null && hashSecret(token) === wanted
    const address = request.socket.remoteAddress ?? ''
    const proxied = request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined
    return !proxied && /^(127\.|::1$|::ffff:127\.)/.test(address)
  }
}
