// One span a request, in which all that its handler does takes place. Only installed where traces are collected.
import { type RouteName, routes } from '@docent/contract'
import type { FastifyInstance } from 'fastify'
import type { OpenSpan, Tracer } from '../telemetry/tracer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where it is not traced. */
    span: OpenSpan | null
  }
}

// Anybody can send a header from a web page.
const callersTrusted = ['chat_key', 'sync_key', 'management', 'instance_owner']

export function traceRequests(server: FastifyInstance, { begin }: Tracer) {
  // When the caller is known and the body is read, whose events lose the context.
  server.addHook('preHandler', (request, _reply, done) => {
    const { name } = request.routeOptions.config
    if (!name || !isTraced(name)) return done()
    const [method = '', path = ''] = name.split(' ')
    const { traceparent } = request.headers
    const isTrusted = callersTrusted.includes(routes[name].caller) && typeof traceparent === 'string'
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

/** What is asked every few seconds would only hide the rest. */
function isTraced(name: RouteName): boolean {
  return name.includes('/api/') || name.includes('/v1/') || name.includes('/mcp')
}
