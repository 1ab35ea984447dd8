// The HTTP server, with everything common to all routes.
import { type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, Fault } from '@docent/contract'
import fastify, { type FastifyBaseLogger, type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { EndedCallMirror } from '../../conversations/mirror.ts'
import { randomId } from '../../ids.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { Tracer } from '../../telemetry/tracing.ts'
import { installBodies } from './bodies.ts'
import { limitConnections } from './connection-limits.ts'
import {
  collectRoutes,
  errorBody,
  installErrors,
  type NotFoundPage,
  sendFault,
  toFault,
  unavailable,
} from './errors.ts'
import { installLargeReads } from './large-reads.ts'
import { installMirror } from './mirror.ts'
import { observeRequests, traceRequests } from './observe-requests.ts'
import { serializerCompiler, validatorCompiler } from './schemas.ts'

interface Deps {
  config: Config
  logger: Logger
  metrics: Metrics
  /** Null: requests are not traced. */
  tracer: Tracer | null
  mirrorEndedCall: EndedCallMirror['mirror']
  isStopping: () => boolean
  notFoundPage: NotFoundPage
}

export function openServer({ config, logger, metrics, tracer, mirrorEndedCall, isStopping, notFoundPage }: Deps) {
  const headers = securityHeaders([config.baseUrl, config.widgetBaseUrl])
  const server: FastifyInstance = fastify(serverOptions(logger, config.trustedProxies, headers))
  server.setValidatorCompiler(validatorCompiler)
  server.setSerializerCompiler(serializerCompiler)
  installBodies(server)
  installErrors(server, collectRoutes(server), notFoundPage)
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
  installLargeReads(server)
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

// HTTP server limits, and responses to requests too malformed to reach a route.

const parserCodes: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Only trusted proxies may set the client address. */
function serverOptions(logger: Logger, trustedProxies: string[], headers: SecurityHeaders) {
  return {
    loggerInstance: logger as FastifyBaseLogger,
    logController: new fastify.LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    requestIdHeader: false as const,
    genReqId: () => randomId('req'),
    bodyLimit: 1024 * 1024,
    routerOptions: { maxParamLength: 300 },
    // Enough for a large upload on a slow line; headers have a shorter limit.
    requestTimeout: 300_000,
    http: { headersTimeout: 20_000, maxHeaderSize: 16 * 1024, requireHostHeader: false },
    keepAliveTimeout: 72_000,
    // Our own hook responds in the error format.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, headers),
    frameworkErrors: (error, request, reply) => void sendFault(toFault(error), request, reply),
  } satisfies FastifyHttpOptions<Server>
}

/** Handles requests that Node would answer itself, without a body. */
function installMalformedRequests(server: FastifyInstance) {
  server.addHook('onRequest', async ({ raw }) => {
    if (raw.httpVersion === '1.1' && raw.headers.host === undefined) {
      throw new Fault('validation_failed', { message: 'The request has no Host header.' })
    }
  })
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response))
}

function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket, headers: SecurityHeaders) {
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
    socket.destroy()
    return
  }
  const fault = new Fault(parserCodes[error.code ?? ''] ?? 'validation_failed', {
    ...(parserCodes[error.code ?? ''] ? {} : { message: 'The HTTP request is malformed.' }),
  })
  const id = randomId('req')
  const body = JSON.stringify(errorBody(fault, id))
  const common = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}\r\ncontent-type: application/json\r\nx-request-id: ${id}\r\n` +
      common.join('') +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

/**
 * Whether another response on this connection would mix with one in progress. `_httpMessage` is Node's current
 * response; its default handler checks it too.
 */
function isAnswering(socket: Socket & { _httpMessage?: ServerResponse | null }): boolean {
  const response = socket._httpMessage
  return response ? response.headersSent || response.req.complete : false
}

// The widget may have its own host: each host then serves its own routes and answers 404 for the other's.

// With the styles and the typeface of the page for a 404.
const ON_BOTH = /^\/(livez|readyz|docs\/guides\.css|assets\/inter-[\w-]+\.woff2)$/
const OF_WIDGET = /^\/(api\/chat\/|api\/v1\/chat\/sync-products$|widget\.js$|widget\/|chat\/|sources\/)/

function routeHosts(server: FastifyInstance, baseUrl: string, widgetBaseUrl: string) {
  const [host, widgetHost] = [new URL(baseUrl).host, new URL(widgetBaseUrl).host]
  if (host === widgetHost) return
  server.addHook('onRequest', async (request) => {
    const path = request.url.split('?')[0] ?? ''
    // Any other name is internal, such as a health check.
    const requestHost = request.host.toLowerCase()
    if ((requestHost !== host && requestHost !== widgetHost) || ON_BOTH.test(path)) return
    if (OF_WIDGET.test(path) !== (requestHost === widgetHost)) throw new Fault('not_found')
  })
}

// Node parses all requests of a packet before anyone else gets a turn, and keeps their responses in memory until they
// are read. Browsers, proxies and HTTP libraries send one at a time.

const MAX_UNANSWERED = 10

/** Closes connections with too many unanswered requests. Call last, so that it comes before all other listeners. */
function limitPipelining(server: Server) {
  const unansweredCounts = new WeakMap<Socket, number>()
  const listeners = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const { socket } = request
    // What is left of the packet is parsed even so.
    if (socket.destroyed) return
    const count = (unansweredCounts.get(socket) ?? 0) + 1
    if (count > MAX_UNANSWERED) {
      socket.destroy()
      return
    }
    unansweredCounts.set(socket, count)
    response.once('close', () => unansweredCounts.set(socket, (unansweredCounts.get(socket) ?? 1) - 1))
    for (const listener of listeners) listener(request, response)
  })
}

// Headers for every response, from routes, pages, errors, streams and cached refusals alike.

const YEAR_SECONDS = 31_536_000

type SecurityHeaders = Readonly<Record<string, string>>

function securityHeaders(baseUrls: string[]): SecurityHeaders {
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
function installSecurityHeaders({ server }: FastifyInstance, headers: SecurityHeaders) {
  const entries = Object.entries(headers)
  server.prependListener('request', (_request, response) => {
    for (const [name, value] of entries) response.setHeader(name, value)
  })
}
