// Registers the route table with Fastify: caller checks, validation, response schemas.
import {
  type AuditAction,
  type BodyOf,
  Fault,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
  type RouteName,
  type RouteSpec,
  type Routes,
  routes,
} from '@docent/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Audit } from '../../access/audit.ts'
import type { ChatKeys, SyncKeys } from '../../access/keys.ts'
import { type FindBot, hasRole, type Manager, type Managers } from '../../access/managers.ts'
import type { CountCall } from '../../access/quota.ts'
import type { OpenSession } from '../../access/sessions.ts'
import type { PresentedKey } from '../../storage/keys.ts'
import { streamBodies } from './bodies.ts'
import { fastifyPath, withoutIds } from './schemas.ts'
import type { AdmitWidget, VisitorCaller, WidgetCaller } from './widget-callers.ts'

interface Callers {
  chat_key: PresentedKey
  sync_key: PresentedKey
  widget: WidgetCaller
  visitor: VisitorCaller
  management: Manager
  instance_owner: Manager
  session: OpenSession
  operator: null
  anyone: null
}

export interface Incoming<R extends RouteName> {
  caller: Callers[Routes[R]['caller']]
  params: ParamsOf<Routes[R]>
  query: QueryOf<Routes[R]>
  body: BodyOf<Routes[R]>
  request: FastifyRequest
  reply: FastifyReply
  /** Sets the audit entry's target; null: nothing changed. */
  setAuditTarget: (target: string | null) => void
}

/** The response, or the reply itself when the handler has already sent it. */
type Handler<R extends RouteName> = (incoming: Incoming<R>) => Promise<ResponseOf<Routes[R]> | FastifyReply>

export type Route = <R extends RouteName>(name: R, handler: Handler<R>, options?: RouteTraits) => void

interface RouteTraits {
  isLarge?: boolean
}

/** Its response may have megabytes: few are read at once. Downloads are large anyway. */
export const LARGE: RouteTraits = { isLarge: true }

interface Deps {
  chatKeys: ChatKeys
  syncKeys: SyncKeys
  countCall: CountCall
  managers: Managers
  admitWidget: AdmitWidget
  /** Throws when the address has downloaded too much. */
  countDownload: (ip: string) => Promise<void>
  auditChange: AuditChange
  /** Whether a request may read the server's metrics. */
  isOperator: (request: FastifyRequest) => boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: PresentedKey | WidgetCaller | Manager | OpenSession | null
    /** Whether the mirror's delivery was already written. */
    mirrored: boolean
  }
  interface FastifyContextConfig {
    /** The list in the body that newline-delimited JSON fills. */
    bulk?: string | undefined
    multipart?: boolean | undefined
    name?: RouteName
  }
}

export function makeRoute(app: FastifyInstance, deps: Deps): Route {
  app.decorateRequest('caller', null)
  app.decorateRequest('mirrored', false)

  return (name, handler, { isLarge = false } = {}) => {
    const spec: RouteSpec = routes[name]
    const [method, path] = name.split(' ') as [string, string]
    const options: RouteOptions = {
      method,
      url: fastifyPath(path),
      ...(spec.bodyLimitBytes ? { bodyLimit: spec.bodyLimitBytes } : {}),
      config: { name, bulk: spec.bulk, multipart: spec.multipart },
      schema: fastifySchema(spec),
      onRequest: callerCheck(spec, deps, isLarge),
      preValidation: async (request) => {
        // Treat a missing body as empty, so that the error names each missing field.
        if (spec.body && !readsItself(spec) && request.body === undefined) request.body = {}
        if (spec.trims) trim(request.body, spec.trims)
        removeNull(request.body, spec.nullIsAbsent ? undefined : 'session_id')
      },
      handler: async (request, reply) => {
        let auditTarget: string | null | undefined
        const incoming = {
          setAuditTarget: (target: string | null) => {
            auditTarget = target
          },
          caller: request.caller,
          params: request.params,
          query: request.query,
          body: request.body,
          request,
          reply,
        }
        // Per-caller response: never cache.
        if (path.startsWith('/api/manage/')) reply.header('cache-control', 'no-store')
        const response = await handler(incoming as never).finally(() => reply.endTurn())
        if (spec.audit && auditTarget !== null) await deps.auditChange(request, spec.audit, auditTarget)
        // After an aborted download, `sent` is false although the headers have gone out.
        if (reply.sent || reply.raw.headersSent || response === (reply as unknown)) return reply
        return reply.code(spec.status).send(response)
      },
    }
    if (!spec.streamed) app.route(options)
    // In its own scope, which leaves bodies unread for the handler.
    else
      app.register(async (scope) => {
        streamBodies(scope)
        scope.route(options)
      })
  }
}

function readsItself({ streamed, multipart }: RouteSpec): boolean {
  return streamed === true || multipart === true
}

/** Bulk items are validated one by one later; here only that they form a list. */
function bodySchema({ body, bulk }: RouteSpec): object {
  const schema = withoutIds(body ?? {}) as { properties?: Record<string, { items?: object }> }
  if (bulk && schema.properties?.[bulk]) schema.properties[bulk].items = {}
  return schema
}

/** Treats null as absent: clients that keep it in a variable send null at first. */
function removeNull(body: unknown, only?: string) {
  if (typeof body !== 'object' || body === null) return
  const record = body as Record<string, unknown>
  for (const field of only ? [only] : Object.keys(record)) if (record[field] === null) delete record[field]
}

function trim(body: unknown, fields: readonly string[]) {
  if (typeof body !== 'object' || body === null) return
  const record = body as Record<string, unknown>
  for (const field of fields) if (typeof record[field] === 'string') record[field] = record[field].trim()
}

function fastifySchema(spec: RouteSpec) {
  return {
    ...(spec.params ? { params: withoutIds(spec.params) } : {}),
    ...(spec.query ? { querystring: withoutIds(spec.query) } : {}),
    ...(spec.headers ? { headers: withoutIds(spec.headers) } : {}),
    ...(spec.body && !readsItself(spec) ? { body: bodySchema(spec) } : {}),
    ...(spec.response && !spec.responseType ? { response: { [spec.status]: withoutIds(spec.response) } } : {}),
  }
}

/** Runs before the body is read, so that refused callers cost no parsing. */
function callerCheck(spec: RouteSpec, deps: Deps, isLarge: boolean) {
  const checkCaller = callerCheckOf(spec, deps)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const isDownload = downloads(spec, request.query)
    // Before anything is read: thousands at once would keep the database from chats.
    if (isDownload || isLarge) await reply.waitForTurn()
    await checkCaller(request, reply)
    if (isDownload) await deps.countDownload(request.ip)
  }
}

/** A file, or an export of any size; a list is one only as CSV, since its pages are small and read all the time. */
function downloads({ responseType, alternative, tag, status, query }: RouteSpec, givenQuery: unknown): boolean {
  if (alternative?.type === 'text/csv') {
    const isPaged = 'limit' in ((query as { properties?: object } | undefined)?.properties ?? {})
    return !isPaged || (givenQuery as { format?: unknown }).format === 'csv'
  }
  return responseType === 'application/octet-stream' || (tag === 'Privacy' && status === 200)
}

function callerCheckOf(spec: RouteSpec, deps: Deps) {
  const { caller, role = 'viewer' } = spec
  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (caller === 'chat_key') {
      const key = await deps.chatKeys.authenticate(request.headers.authorization)
      request.caller = key
      if (spec.counted !== false) {
        const quota = await deps.countCall(key)
        reply.headers(quota.headers)
        if (quota.refusal) throw quota.refusal
      }
      if (key.plan !== 'business' && key.plan !== 'enterprise') throw new Fault('plan_required')
    } else if (caller === 'sync_key') {
      request.caller = await deps.syncKeys.authenticate(request.headers['x-service-key'])
    } else if (caller === 'widget' || caller === 'visitor') {
      request.caller = await deps.admitWidget(request, reply, caller === 'visitor')
    } else if (caller === 'management' || caller === 'instance_owner') {
      const manager = await deps.managers.authenticate(request)
      if (caller === 'instance_owner' && manager.kind !== 'instance_owner') throw new Fault('role_required')
      if (!hasRole(manager, role)) throw new Fault('role_required')
      request.caller = manager
    } else if (caller === 'session') {
      request.caller = await deps.managers.authenticatePerson(request)
    } else if (caller === 'operator' && !deps.isOperator(request)) {
      throw new Fault('not_found')
    }
  }
}

type AuditChange = (request: FastifyRequest, action: AuditAction, changedFields: string | undefined) => Promise<void>

export function makeAuditChange(audit: Pick<Audit, 'record'>, findBot: FindBot): AuditChange {
  return async (request, action, changedFields) => {
    const caller = request.caller as Manager
    const { botId } = request.params as { botId: string }
    const bot = await findBot(caller, botId)
    const target = `${bot.name} (${bot.id})${changedFields ? `: ${changedFields}` : ''}`
    await audit.record({ caller, request }, bot.workspaceId, action, target)
  }
}
