// The route table as an OpenAPI 3.1 document. Schemas with an $id become components.
import { type ErrorCode, errorCatalogue } from './errors.ts'
import { type EventType, eventSchemas } from './events.ts'
import { INPUT_ERRORS, type RouteSpec, tags } from './route.ts'
import { type RouteName, routes } from './routes.ts'
import { ErrorBody } from './system.ts'

type Json = { [key: string]: unknown }

const callers = {
  chat_key: [{ chatKey: [] }],
  sync_key: [{ syncKey: [] }],
  widget: [],
  visitor: [{ visitorToken: [] }],
  management: [{ managementToken: [] }, { session: [] }],
  instance_owner: [{ managementToken: [] }, { session: [] }],
  session: [{ session: [] }],
  operator: [{ metricsToken: [] }, {}],
  anyone: [],
} as const

export function openApiDocument(options: { version: string; serverUrl: string }): Json {
  const components: Json = {}
  const paths: Record<string, Json> = {}
  for (const [name, spec] of Object.entries(routes) as [RouteName, RouteSpec][]) {
    const [method, path] = name.split(' ') as [string, string]
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(name, spec, components) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Docent',
      version: options.version,
      description: 'Self-hosted chatbots that answer from your own content, with sources and an honest confidence.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: options.serverUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooks(components),
    components: {
      securitySchemes: {
        chatKey: { type: 'http', scheme: 'bearer', description: 'An API key of the bot: `dct_chat_…`.' },
        syncKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Service-Key',
          description: 'The sync key of the bot: `dct_sync_…`.',
        },
        visitorToken: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Visitor-Token',
          description: 'Part of the first reply to a visitor.',
        },
        managementToken: {
          type: 'http',
          scheme: 'bearer',
          description: "A member's management token (`dct_manage_…`) or the instance owner's `ADMIN_TOKEN`.",
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-docent_session',
          description:
            'The session cookie of the dashboard. Requests that change something must come from the same site. On plain http, except localhost, its name is `docent_session`.',
        },
        metricsToken: { type: 'http', scheme: 'bearer', description: 'The setting `METRICS_TOKEN`.' },
      },
      schemas: components,
    },
  }
}

function webhooks(components: Json): Json {
  const entries = Object.entries(eventSchemas).map(([type, schema]) => [
    type,
    { post: event(type as EventType, schema) },
  ])
  return Object.fromEntries(entries)

  function event(type: EventType, schema: unknown): Json {
    const content = { 'application/json': { schema: reference(schema, components) } }
    return {
      operationId: `receive_${type.replace('.', '_')}`,
      summary: `Sent to your endpoint: ${type}`,
      tags: ['Webhooks'],
      security: [],
      parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
        name,
        in: 'header',
        required: true,
        schema: { type: 'string' },
      })),
      requestBody: { required: true, content },
      responses: {
        '2XX': { description: 'Accepted. Any other status, or no response within 15 seconds, is retried.' },
        '410': { description: 'Gone: the endpoint is disabled immediately.' },
      },
    }
  }
}

function operation(name: RouteName, spec: RouteSpec, components: Json): Json {
  const role =
    spec.caller === 'instance_owner' ? 'Instance owner only.' : spec.role && `Needs the role \`${spec.role}\`.`
  const description = [spec.description, role].filter(Boolean).join(' ')
  return {
    operationId: operationId(name),
    summary: spec.summary,
    ...(description ? { description } : {}),
    tags: [spec.tag],
    security: callers[spec.caller],
    ...parameters(spec, components),
    ...(spec.body ? { requestBody: requestBody(spec, components) } : {}),
    responses: { ...success(spec, components), ...failures(errorsOf(name, spec), components) },
  }
}

/** "POST /api/manage/v1/bots/{botId}/keys" → "post_bots_botId_keys". */
function operationId(name: RouteName): string {
  const [method, path] = name.split(' ') as [string, string]
  const words = path.replace(/^\/(api\/)?(manage\/)?v1\//, '').match(/[A-Za-z]+/g) ?? []
  return [method.toLowerCase(), ...words].join('_')
}

function parameters(spec: RouteSpec, components: Json): Json {
  const from = (place: string, schema: RouteSpec['params']) =>
    Object.entries(schema?.properties ?? {}).map(([name, value]) => ({
      name: place === 'header' ? headerName(name) : name,
      in: place,
      required: place === 'path' || new Set<string>(schema?.required ?? []).has(name),
      schema: reference(value, components),
    }))
  const all = [...from('path', spec.params), ...from('query', spec.query), ...from('header', spec.headers)]
  return all.length > 0 ? { parameters: all } : {}
}

/** "idempotency-key" → "Idempotency-Key". */
function headerName(name: string): string {
  return name.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase())
}

function requestBody(spec: RouteSpec, components: Json): Json {
  const schema = reference(spec.body, components)
  if (spec.multipart) return { required: true, content: { 'multipart/form-data': { schema } } }
  const asText = { schema: { type: 'string' } }
  const ndjson = spec.bulk || spec.streamed ? { 'application/x-ndjson': asText } : {}
  const csv = spec.bulk ? { 'text/csv': asText } : {}
  return { required: true, content: { 'application/json': { schema }, ...ndjson, ...csv } }
}

function success(spec: RouteSpec, components: Json): Json {
  const content: Json = {}
  if (spec.response) content[spec.responseType ?? 'application/json'] = { schema: reference(spec.response, components) }
  if (spec.alternative) content[spec.alternative.type] = { schema: reference(spec.alternative.schema, components) }
  const headers = Object.entries(spec.responseHeaders ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  const successResponse = {
    [spec.status]: {
      description: 'Done.',
      ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
      ...(spec.response ? { content } : {}),
    },
  }
  if (!spec.emptyResponse) return successResponse
  const { status, description } = spec.emptyResponse
  return { ...successResponse, [status]: { description } }
}

/** Any caller can leave too many responses unread, or send too large headers. */
const OF_EVERY = ['rate_limited', 'headers_too_large'] as const

/** The row's own errors, and those that follow from its inputs: anything sent can be invalid. */
function errorsOf(name: RouteName, { params, query, headers, errors }: RouteSpec): Set<ErrorCode> {
  const ofParameters: ErrorCode[] = params || query || headers ? ['validation_failed'] : []
  const ofBody: readonly ErrorCode[] = name.startsWith('GET ') ? [] : INPUT_ERRORS
  return new Set([...ofBody, ...ofParameters, ...errors, ...OF_EVERY])
}

function failures(errors: Set<ErrorCode>, components: Json): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of errors) {
    const { status } = errorCatalogue[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const schema = reference(ErrorBody, components)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].message}`).join(' '),
        content: { 'application/json': { schema } },
      },
    ]),
  )
}

/** Copies a schema; parts with an $id move to the components and are referenced. */
function reference(schema: unknown, components: Json): unknown {
  if (Array.isArray(schema)) return schema.map((item) => reference(item, components))
  if (typeof schema !== 'object' || schema === null) return schema
  const { $id, ...rest } = schema as Json & { $id?: string }
  if ($id) {
    if (!($id in components)) {
      components[$id] = {}
      components[$id] = copy(rest, components)
    }
    return { $ref: `#/components/schemas/${$id}` }
  }
  return copy(rest, components)
}

function copy(schema: Json, components: Json): Json {
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, reference(value, components)]))
}
