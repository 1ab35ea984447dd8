// Builds a valid request for each route from its schemas, so that a new route is tested as soon as it exists.
import { type RouteName, type RouteSpec, routes } from '@docent/contract'
import type { CallOptions } from '../call.ts'

interface Schema {
  type?: string
  enum?: string[]
  format?: string
  contentMediaType?: string
  pattern?: string
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  minimum?: number
}

/** Fields with rules that their schema does not express. */
const byName: Record<string, unknown> = {
  email: 'planted@example.test',
  currency: 'EUR',
  password: 'planted passphrase',
  answers: [{ question: 'Planted?', answer: 'Planted.' }],
  documents: [{ id: 'planted', title: 'Planted', text: 'Planted text' }],
  messages: [{ role: 'user', content: 'Planted?' }],
  examples: ['Where is my planted order?'],
  request: { method: 'GET', url: 'https://planted.test/' },
  language: 'de',
  event_types: ['lead.created'],
  // Turning it on needs a language model.
  enabled: false,
  widget: { title: 'planted' },
  handover: { keywords: ['planted'] },
  lead_form: null,
  timezone: 'UTC',
  digest_at: null,
  reply_to: null,
  // There is no member to assign to, and no earlier change to conflict with.
  assignee_id: null,
  expected_assignee_id: undefined,
  expected_agent_id: undefined,
  expected_edited_at: undefined,
  expected_status: undefined,
  // Allowed for email only.
  recipients: undefined,
}

/** Fields that only the instance owner may send. */
const ownerOnly = ['daily_limit', 'workspace_id']

/** The response goes on until the client disconnects. */
export function isEventStream({ responseType }: RouteSpec): boolean {
  return responseType === 'text/event-stream'
}

export const routeTable = Object.entries(routes) as [RouteName, RouteSpec][]

export function paramNames(route: string): string[] {
  return [...route.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
}

/** A multipart form with one file. */
export function uploadForm(name: string, content: string) {
  const boundary = 'planted-boundary'
  const disposition = `content-disposition: form-data; name="file"; filename="${name}"`
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    raw: [`--${boundary}`, disposition, '', content, `--${boundary}--`, ''].join('\r\n'),
  }
}

/** A 16 × 16 WebP as far as its structure goes: the smallest accepted picture that is also valid text. */
const PICTURE = 'RIFF\x24\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x0f\0\0\x0f\0\0VP8L\x06\0\0\0/\x0f\0\0\0\0'

export const pictureForm = () => uploadForm('planted.webp', PICTURE)

function sampleFile({ body }: RouteSpec) {
  const isPicture = (body as Schema).properties?.file?.contentMediaType?.startsWith('image')
  return isPicture ? pictureForm() : uploadForm('planted.txt', 'Planted text')
}

export function sampleRequest(spec: RouteSpec): Pick<CallOptions, 'body' | 'query' | 'raw' | 'headers'> {
  const query = spec.query ? sampleObject(spec.query as Schema, false) : {}
  return {
    query: query as Record<string, string>,
    ...(spec.multipart ? sampleFile(spec) : spec.body ? { body: sampleObject(spec.body as Schema, true) } : {}),
  }
}

/** Null where allowed, because a saved model would be called for every question. */
function sampleModel({ anyOf }: Schema): unknown {
  return anyOf ? null : { provider: 'openai_compatible', base_url: 'https://planted.test/v1', model: 'planted' }
}

function sampleObject(schema: Schema, withOptional: boolean): Record<string, unknown> {
  const names = Object.keys(schema.properties ?? {}).filter(
    (name) => !ownerOnly.includes(name) && (withOptional || schema.required?.includes(name)),
  )
  return Object.fromEntries(
    names.map((name) => {
      const ownSchema = schema.properties?.[name] ?? {}
      if (name === 'language_model') return [name, sampleModel(ownSchema)]
      return [name, name in byName ? byName[name] : sample(ownSchema)]
    }),
  )
}

function sample(schema: Schema): unknown {
  if (schema.anyOf?.[0]) return sample(schema.anyOf[0])
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  if (schema.type === 'boolean') return true
  if (schema.type === 'array') return []
  if (schema.type === 'object') return sampleObject(schema, true)
  if (schema.format === 'date-time') return '2099-01-01T00:00:00Z'
  if (schema.pattern?.startsWith('^https?')) return 'https://planted.test/'
  return 'planted'
}
