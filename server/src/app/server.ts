// The HTTP server, with everything common to all routes.
import fastify, { type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { EndedCallMirror } from '../conversations/mirror.ts'
import { allowedMethods } from '../http/allowed-methods.ts'
import { installBodies } from '../http/bodies/read-bodies.ts'
import { limitConnections } from '../http/connections/connection-limits.ts'
import { routeHosts } from '../http/connections/host-routing.ts'
import { limitPipelining } from '../http/connections/limit-pipelining.ts'
import { installSecurityHeaders, securityHeaders } from '../http/connections/security-headers.ts'
import { installMalformedRequests, serverOptions } from '../http/connections/server-options.ts'
import { installErrors, unavailable } from '../http/errors.ts'
import { installMirror } from '../http/mirror.ts'
import { observeRequests } from '../http/observe-requests.ts'
import { serializerCompiler, validatorCompiler } from '../http/schemas.ts'
import { traceRequests } from '../http/trace-requests.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Tracer } from '../telemetry/tracer.ts'

interface Deps {
  config: Config
  logger: Logger
  metrics: Metrics
  /** Null: requests are not traced. */
  tracer: Tracer | null
  mirrorEndedCall: EndedCallMirror['mirror']
  isStopping: () => boolean
}

export function createServer({ config, logger, metrics, tracer, mirrorEndedCall, isStopping }: Deps) {
  const headers = securityHeaders([config.baseUrl, config.widgetBaseUrl])
  const server: FastifyInstance = fastify(serverOptions(logger, config.trustedProxies, headers))
  server.setValidatorCompiler(validatorCompiler)
  server.setSerializerCompiler(serializerCompiler)
  installBodies(server)
  installErrors(server, allowedMethods(server))
  observeRequests(server, metrics)
  if (tracer) traceRequests(server, tracer)
  installMirror(server, mirrorEndedCall)
  installMalformedRequests(server)
  limitConnections(server, {
    perAddress: config.connectionsPerAddress,
    unreadMs: config.unreadTimeoutMs,
    unreadBytes: config.unreadBytes,
    unreadBytesPerAddress: config.unreadBytesPerAddress,
    trustedProxies: config.trustedProxies,
  })
  routeHosts(server, config.baseUrl, config.widgetBaseUrl)
  server.addHook('onRequest', async (_request, reply) => {
    if (!isStopping()) return
    reply.header('connection', 'close')
    throw unavailable()
  })

  return {
    server,
    /** Call after all routes, so that it runs first. */
    installSecurityHeaders: () => installSecurityHeaders(server, headers),
    async listen(): Promise<number> {
      limitPipelining(server.server)
      await server.listen({ host: config.host, port: config.port })
      const address = server.server.address()
      return typeof address === 'object' && address ? address.port : config.port
    },
    /** Waits for running requests, up to the stop timeout. */
    async close() {
      const deadline = setTimeout(() => server.server.closeAllConnections(), config.stopTimeoutMs)
      await server.close()
      clearTimeout(deadline)
    },
  }
}
