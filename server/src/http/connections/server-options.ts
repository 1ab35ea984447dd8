// HTTP server limits, and responses to requests too malformed to reach a route.
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, Fault } from '@docent/contract'
import fastify, { type FastifyBaseLogger, type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { randomId } from '../../ids.ts'
import { errorBody, sendFault, toFault } from '../errors.ts'
import type { SecurityHeaders } from './security-headers.ts'

const parserCodes: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Only trusted proxies may set the client address. */
export function serverOptions(logger: Logger, trustedProxies: string[], headers: SecurityHeaders) {
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
export function installMalformedRequests(server: FastifyInstance) {
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
