// The one place that turns errors into responses. Anything not in the catalogue is `internal`: logged, never sent.
import { type ErrorCode, Fault } from '@docent/contract'
import type { ErrorObject } from 'ajv'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ExtractorFull } from '../../sources/extraction/extractor.ts'
import { StorageError } from '../../storage/database.ts'
import { tooLarge } from './bodies.ts'
import { nearestRoute } from './nearest-route.ts'
import { errorDetails } from './schemas.ts'

const RETRY_AFTER_SECONDS = 2
// Disk full, read-only, or over quota.
const DISK_CODES = ['ENOSPC', 'EROFS', 'EDQUOT']

const fastifyCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_ASYNC_CONSTRAINT: 'not_found',
  // The caller hung up in the middle of a streamed body.
  ECONNRESET: 'request_timeout',
}

/** What people get at an unknown address. */
export interface NotFoundPage {
  text: string
  policy: string
}

export function installErrors(app: FastifyInstance, knownRoutes: KnownRoutes, notFoundPage: NotFoundPage) {
  app.setErrorHandler((error, request, reply) => {
    if ((error as { code?: string }).code === 'FST_ERR_CTP_BODY_TOO_LARGE')
      return sendFault(tooLarge(request.routeOptions.bodyLimit), request, reply)
    const fault = toFault(error)
    return fault.status === 404 && isForPeople(request)
      ? sendNotFoundPage(reply, notFoundPage)
      : sendFault(fault, request, reply)
  })

  // Before the body is read, which is not needed here.
  app.addHook('onRequest', async (request) => {
    if (!request.is404) return
    const path = request.url.split('?')[0] ?? ''
    const methods = knownRoutes.methodsOf(path)
    if (methods.length === 0) throw unknownRoute(knownRoutes.nearest(request.method, path))
    throw new Fault('method_not_allowed', { headers: { allow: methods.join(', ') } })
  })
}

function unknownRoute(nearest: string | null): Fault {
  const hint = nearest ? `Did you mean ${nearest}? ` : ''
  return new Fault('not_found', { message: `There is no such route. ${hint}All routes are listed at /docs/api.` })
}

/** A browser that opens an address, not a script on a page or a program. */
function isForPeople({ method, url, headers }: FastifyRequest): boolean {
  const isPage = (method === 'GET' || method === 'HEAD') && !/^\/(api|v1|mcp)(\/|$)/.test(url)
  return isPage && (headers.accept ?? '').includes('text/html')
}

function sendNotFoundPage(reply: FastifyReply, { text, policy }: NotFoundPage) {
  return reply
    .code(404)
    .header('content-security-policy', policy)
    .header('cache-control', 'no-cache')
    .header('referrer-policy', 'no-referrer')
    .type('text/html; charset=utf-8')
    .send(text)
}

export function sendFault(fault: Fault, request: FastifyRequest, reply: FastifyReply) {
  logFault(fault, request)
  // OpenAI's clients would retry at once without it.
  if (fault.code === 'daily_quota_exceeded') reply.header('x-should-retry', 'false')
  return reply
    .code(fault.status)
    .headers(fault.headers)
    .header('x-request-id', request.id)
    .header('content-type', 'application/json')
    .serializer((body) => JSON.stringify(body))
    .send(isForOpenAi(request) ? openAiErrorBody(fault, request.id) : errorBody(fault, request.id))
}

/** Paths of OpenAI clients, including unknown ones. */
function isForOpenAi({ url }: FastifyRequest): boolean {
  return url.startsWith('/v1/')
}

export function logFault(fault: Fault, request: FastifyRequest) {
  if (fault.status >= 500) request.log.error({ err: fault.cause ?? fault, code: fault.code }, 'request failed')
}

export function errorBody(fault: Fault, requestId: string) {
  const details = fault.details ? { details: fault.details } : {}
  return { error: { code: fault.code, message: fault.message, ...details, request_id: requestId } }
}

/** Adds OpenAI's fields. Its clients show only the message, so the message names the parameter. */
export function openAiErrorBody(fault: Fault, requestId: string) {
  const { error } = errorBody(fault, requestId)
  const [first] = fault.details ?? []
  const message = first ? `${first.path || 'body'}: ${first.message}` : error.message
  return { error: { ...error, message, type: openAiType(fault), param: first?.path || null } }
}

function openAiType({ code, status }: Fault): string {
  if (code === 'daily_quota_exceeded') return 'insufficient_quota'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}

export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  if (error instanceof StorageError && error.kind === 'unavailable') return unavailable(error)
  if (error instanceof ExtractorFull) return unavailable(error)
  // The parent bot or workspace was deleted in the meantime.
  if (error instanceof StorageError && error.kind === 'foreign_key') return new Fault('not_found')
  const { validation, code, statusCode } = error as { validation?: ErrorObject[]; code?: string; statusCode?: number }
  if (validation) return new Fault('validation_failed', { details: errorDetails(validation) })
  if (DISK_CODES.includes(code ?? '')) return unavailable(error)
  const faultCode = fastifyCodes[code ?? '']
  if (faultCode) return new Fault(faultCode)
  if (statusCode === 400) return new Fault('validation_failed', { cause: error })
  return new Fault('internal', { cause: error })
}

export function unavailable(cause?: unknown, message?: string): Fault {
  const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) }
  return new Fault('unavailable', { headers, cause, ...(message ? { message } : {}) })
}

type KnownRoutes = ReturnType<typeof collectRoutes>

/** Remembers the routes registered from now on, for callers that miss them. */
export function collectRoutes(server: FastifyInstance) {
  const knownRoutes: { method: string; path: string; pattern: RegExp }[] = []
  server.addHook('onRoute', ({ method, url }) => {
    const pattern = new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`)
    for (const name of [method].flat()) knownRoutes.push({ method: name, path: url, pattern })
  })
  return {
    methodsOf: (path: string) => knownRoutes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method),
    nearest: (method: string, path: string) =>
      nearestRoute(
        knownRoutes.filter((route) => route.method !== 'HEAD'),
        method,
        path,
      ),
  }
}
