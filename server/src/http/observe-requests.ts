import { type RouteName, routes } from '@docent/contract'
import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../telemetry/metrics.ts'

/** Logs and counts every request by route, so that no id or text is recorded. */
export function observeRequests(server: FastifyInstance, metrics: Metrics) {
  server.decorateRequest('span', null)
  const named = new Set<string>(Object.keys(routes))
  server.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  server.addHook('onResponse', async (request, reply) => {
    const name: RouteName | 'other' = request.routeOptions.config.name ?? 'other'
    const durationMs = Math.round(reply.elapsedTime * 100) / 100
    const trace = request.span ? { trace: request.span.traceId } : {}
    request.log.info({ route: name, status: reply.statusCode, ms: durationMs, ...trace }, 'request')
    const route = named.has(name) ? name : 'other'
    metrics.count('docent_requests_total', { route, status: reply.statusCode })
    metrics.observeSeconds('docent_request_seconds', { route }, reply.elapsedTime / 1000)
  })
}
