import type { FastifyRequest } from 'fastify'
import { bearerToken, hashSecret } from '../access/secrets.ts'
import type { BackupDescription } from '../maintenance/scheduled-backups.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { unavailable } from './server/errors.ts'
import type { Route } from './server/route.ts'

export interface SystemDeps {
  /** Null when the database accepts writes. */
  whyNotReady: () => Promise<string | null>
  backlogs: () => Promise<Record<'vectors' | 'crawls' | 'webhooks', { depth: number; oldest_seconds: number }>>
  describeBackups: () => Promise<BackupDescription | null>
  isStopping: () => boolean
  details: () => Record<string, string>
  metrics: Metrics
}

export function systemRoutes(route: Route, deps: SystemDeps) {
  const { whyNotReady, backlogs, describeBackups, isStopping, details, metrics } = deps

  route('GET /livez', async () => ({ status: 'alive' }))

  route('GET /readyz', async () => {
    const reason = isStopping() ? 'the server is stopping' : await whyNotReady()
    if (reason) throw unavailable(undefined, `Not ready: ${reason}.`)
    return { status: 'ready', details: details(), backlogs: await backlogs(), backups: await describeBackups() }
  })

  route('GET /metrics', async ({ reply }) => reply.type('text/plain; version=0.0.4').send(await metrics.text()))
}

/** With METRICS_TOKEN, anyone who presents it; without, only direct local requests. */
export function makeOperatorCheck(metricsToken: string | null): (request: FastifyRequest) => boolean {
  const tokenHash = metricsToken && hashSecret(metricsToken)
  return (request) => {
    const token = bearerToken(request.headers.authorization)
    if (tokenHash) return token !== null && hashSecret(token) === tokenHash
    const address = request.socket.remoteAddress ?? ''
    const isProxied = request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined
    return !isProxied && /^(127\.|::1$|::ffff:127\.)/.test(address)
  }
}
