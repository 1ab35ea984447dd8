import { type RouteName, routes } from '@docent/contract'
import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { OpenSpan, Tracer } from '../../telemetry/tracing.ts'

/** Logs and counts every request by route, so that no id or text is recorded. */
export function observeRequests(server: FastifyInstance, metrics: Metrics) {
  server.decorateRequest('span', null)
  const routeNames = new Set<string>(Object.keys(routes))
  server.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  server.addHook('onResponse', async (request, reply) => {
    const name: RouteName | 'other' = request.routeOptions.config.name ?? 'other'
    const durationMs = Math.round(reply.elapsedTime * 100) / 100
    const trace = request.span ? { trace: request.span.traceId } : {}
    request.log.info({ route: name, status: reply.statusCode, ms: durationMs, ...trace }, 'request')
    const route = routeNames.has(name) ? name : 'other'
    metrics.count('docent_requests_total', { route, status: reply.statusCode })
    metrics.observeSeconds('docent_request_seconds', { route }, reply.elapsedTime / 1000)
  })
}

// One span per request, active while its handler runs. Installed only where traces are collected.

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if not traced. */
    span: OpenSpan | null
  }
}

// Any web page can send this header, so trust only these callers.
const CALLERS_TRUSTED = ['chat_key', 'sync_key', 'management', 'instance_owner']

export function traceRequests(server: FastifyInstance, { begin }: Tracer) {
  // After authentication and body parsing, whose events lose the async context.
  server.addHook('preHandler', (request, _reply, done) => {
    const { name } = request.routeOptions.config
    if (!name || !isTraced(name)) return done()
    const [method = '', path = ''] = name.split(' ')
    const { traceparent } = request.headers
    const isTrusted = CALLERS_TRUSTED.includes(routes[name].caller) && typeof traceparent === 'string'
    const attributes = { 'http.request.method': method, 'http.route': path, 'docent.request_id': request.id }
    request.span = begin(name, 'server', attributes, isTrusted ? traceparent : undefined)
    request.span.run(done)
  })
  server.addHook('onResponse', async ({ span }, { statusCode }) => {
    if (!span) return
    span.set({ 'http.response.status_code': statusCode })
    if (statusCode >= 500) span.fail(`status ${statusCode}`)
    span.end()
  })
}

/** Frequent polling would only hide the rest. */
function isTraced(name: RouteName): boolean {
  return name.includes('/api/') || name.includes('/v1/') || name.includes('/mcp')
}
