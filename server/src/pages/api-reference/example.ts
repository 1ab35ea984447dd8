// Examples generated from schemas: an `examples` entry in the contract wins, then one by field name.
import { type Endpoint, type Parameter, type Schema, successOf } from './document.ts'
import type { Resolve, Resolved } from './schema.ts'

const QUESTION = 'How long does delivery to Austria take?'
const ANSWER = 'Standard delivery to Austria takes 2–4 working days and costs 5.90 €.'
const MOMENT = '2026-11-15T11:58:20.000Z'
const PRODUCT_REPORT = {
  sync_id: 'night-7',
  dry_run: false,
  received: 3,
  created: 1,
  updated: 1,
  failed: 1,
  errors: [{ index: 2, id: 'FF-1003', code: 'missing_title', message: 'The item has no title.' }],
  warnings: [],
}

const examples: Record<string, unknown> = {
  bot_id: 'bot_demo',
  botId: 'bot_demo',
  'Bot.id': 'bot_demo',
  'Bot.name': 'Shop assistant',
  workspace_id: 'ws_instance',
  workspaceId: 'ws_instance',
  'Workspace.id': 'ws_instance',
  memberId: 'mem_4k1v0c8tq2',
  'Member.id': 'mem_4k1v0c8tq2',
  tokenId: 'tok_9d3m7h5ra1',
  'Token.id': 'tok_9d3m7h5ra1',
  'Token.prefix': 'dct_manage_',
  token: 'dct_manage_…',
  keyId: 'key_7p2s6n0eb4',
  'Key.id': 'key_7p2s6n0eb4',
  prefix: 'dct_chat_',
  key: 'dct_chat_…',
  'CreatedSyncKey.key': 'dct_sync_…',
  last_four: 'x7Qa',
  webhookId: 'whk_3c9v5k1dt7',
  'Webhook.id': 'whk_3c9v5k1dt7',
  webhook_id: 'whk_3c9v5k1dt7',
  webhook_url: 'https://crm.example/docent',
  secret: 'whsec_…',
  webhook_secret: 'whsec_…',
  deliveryId: 'evt_01j8q4m2n6-whk_3c9v5k1dt7',
  'Delivery.id': 'evt_01j8q4m2n6-whk_3c9v5k1dt7',
  event_id: 'evt_01j8q4m2n6',
  key_id: 'key_7p2s6n0eb4',
  conversation_id: 'cnv_2f6d8s0wq3',
  timestamp: MOMENT,
  documentId: 'shipping',
  document_id: 'shipping',
  'DocumentSummary.id': 'shipping',
  'Document.id': 'shipping',
  id: 'shipping',
  message: QUESTION,
  q: QUESTION,
  response: ANSWER,
  passage: ANSWER,
  content: '# Shipping and delivery\n\nEvery order leaves our warehouse …',
  title: 'Shipping and delivery',
  url: 'https://shop.example/shipping',
  page_url: 'https://shop.example/checkout',
  site_url: 'https://shop.example',
  fallback_message: 'I could not find that. Please write to help@shop.example.',
  session_id: 'ses_0g8t4b2m6v',
  message_id: 'msg_1hk3e9c5pd',
  request_id: 'req_5n7q1f3j8s',
  user_id: 'customer-1042',
  metadata: { plan: 'gold', cart_items: 3 },
  signals: { words: 7.4 },
  confidence: 0.93,
  score: 0.81,
  answered: true,
  stream: false,
  name: 'Production',
  'Workspace.name': 'Fernweh & Field',
  'Member.name': 'Ada Example',
  email: 'ada@shop.example',
  role: 'editor',
  created_by: 'mem_4k1v0c8tq2',
  created_at: '2026-11-02T09:30:00.000Z',
  updated_at: '2026-11-14T16:05:00.000Z',
  last_used_at: MOMENT,
  expires_at: '2027-11-02T09:30:00.000Z',
  revoked_at: null,
  next_cursor: null,
  plan: 'business',
  daily_limit: 1000,
  calls_today: 214,
  status: 'ready',
  'Health.status': 'ready',
  details: { version: '0.1.0' },
  documents: 30,
  passages: 186,
  embedded_passages: 186,
  'DocumentSummary.passages': 6,
  language: 'en',
  format: 'markdown',
  overlap: '24h',
  'ImportReport.created': 29,
  'ImportReport.failed': 1,
  'ImportReport.message': 'title is required',
  ...ofEach(['SyncReport', 'Sync', 'FeedRun'], PRODUCT_REPORT),
  'McpReply.code': -32601,
  'McpReply.message': 'There is no method tools/run.',
  'Error.message': 'The request has fields that are missing or not valid.',
  code: 'validation_failed',
  index: 3,
  'POST /api/v1/chat/sync-products': {
    products: [
      {
        id: 'FF-1001',
        title: 'Atlas jacket',
        link: 'https://shop.example/atlas-jacket',
        price: '189.00 EUR',
        availability: 'in_stock',
      },
    ],
  },
  'POST /api/manage/v1/bots/{botId}/documents': {
    documents: [
      {
        id: 'shipping',
        title: 'Shipping and delivery',
        url: 'https://shop.example/shipping',
        markdown: '## Delivery times\n\nAustria: 2–4 working days.',
      },
    ],
  },
}

/** The fields of several components, by "Component.field". */
function ofEach(components: readonly string[], fields: object): Record<string, unknown> {
  const entries = components.flatMap((component) =>
    Object.entries(fields).map(([name, value]) => [`${component}.${name}`, value]),
  )
  return Object.fromEntries(entries)
}

export type MakeExample = (schema: Schema, options?: { onlyRequired?: boolean; like?: Schema | undefined }) => unknown

export function makeExampleMaker(resolve: Resolve): MakeExample {
  function make(schema: Schema, name: string, owner: string, onlyRequired: boolean): unknown {
    const resolvedSchema = resolve(schema)
    if (resolvedSchema.examples) return resolvedSchema.examples[0]
    for (const key of [`${owner}.${name}`, name])
      if (key in examples && fits(examples[key], resolvedSchema)) return examples[key]
    if (resolvedSchema.default !== undefined) return resolvedSchema.default
    if (resolvedSchema.type === 'null') return null
    if (resolvedSchema.const !== undefined) return resolvedSchema.const
    if (resolvedSchema.enum) return resolvedSchema.enum[0]
    if (resolvedSchema.anyOf?.[0]) return make(resolvedSchema.anyOf[0], name, owner, onlyRequired)
    if (resolvedSchema.type === 'array') return [make(resolvedSchema.items ?? {}, '', owner, onlyRequired)]
    if (resolvedSchema.type === 'object') return object(resolvedSchema, owner, onlyRequired)
    if (resolvedSchema.type === 'boolean') return true
    if (resolvedSchema.type === 'integer' || resolvedSchema.type === 'number') return resolvedSchema.minimum ?? 0
    if (resolvedSchema.format === 'date-time') return MOMENT
    return resolvedSchema.format === 'uri' ? 'https://shop.example' : 'text'
  }

  function object(schema: Resolved, owner: string, onlyRequired: boolean): unknown {
    const requiredNames = schema.required ?? []
    // If all fields are optional, showing all of them says more.
    const isShown = (name: string) => !onlyRequired || requiredNames.length === 0 || requiredNames.includes(name)
    const properties = Object.entries(schema.properties ?? {}).filter(([name]) => isShown(name))
    return Object.fromEntries(
      properties.map(([name, value]) => [name, make(value, name, schema.component ?? owner, onlyRequired)]),
    )
  }

  // Look up examples by the response's component: request fields share its names.
  return (schema, { onlyRequired = false, like = {} } = {}) =>
    make(schema, '', resolve(like).component ?? '', onlyRequired)
}

function fits(value: unknown, { type, enum: values, const: constant, nullable }: Resolved): boolean {
  if (constant !== undefined) return value === constant
  if (value === null) return nullable ?? false
  if (values) return values.includes(value)
  if (type === 'integer') return Number.isInteger(value)
  return type === (Array.isArray(value) ? 'array' : typeof value)
}

export function requestExample({ method, path, operation }: Endpoint, make: MakeExample, onlyRequired: boolean) {
  const schema = operation.requestBody?.content['application/json']?.schema
  const like = successOf(operation).content?.['application/json']?.schema
  return schema && (examples[`${method} ${path}`] ?? make(schema, { onlyRequired, like }))
}

/** Where samples take their credential from. */
export const variables: Record<string, string> = {
  chatKey: '$DOCENT_API_KEY',
  syncKey: '$DOCENT_SYNC_KEY',
  managementToken: '$DOCENT_TOKEN',
  metricsToken: '$METRICS_TOKEN',
}

/** The header of a credential that is not sent as a bearer token. */
export const ownHeaders: Record<string, string> = { syncKey: 'X-Service-Key', visitorToken: 'X-Visitor-Token' }

/** A call that can be pasted into a shell. */
export function curlOf(endpoint: Endpoint, baseUrl: string, make: MakeExample): string {
  const { method, operation } = endpoint
  const body = requestExample(endpoint, make, true)
  const scheme = Object.keys(operation.security[0] ?? {})[0]
  const verb = method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `
  const lines = [`curl ${verb}"${baseUrl}${addressOf(endpoint)}"`]
  if (scheme === 'session') lines.push('-b "$COOKIE"', ...(method === 'GET' ? [] : [`-H "Origin: ${baseUrl}"`]))
  else if (scheme) {
    const header = ownHeaders[scheme] ? `${ownHeaders[scheme]}:` : 'Authorization: Bearer'
    lines.push(`-H "${header} ${variables[scheme] ?? '$TOKEN'}"`)
  }
  if (body !== undefined)
    lines.push(
      '-H "Content-Type: application/json"',
      `-d '${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ').replaceAll("'", "'\\''")}'`,
    )
  return lines.join(' \\\n  ')
}

export function addressOf({ path, operation: { parameters = [] } }: Endpoint): string {
  const value = ({ name }: Parameter) => encodeURIComponent(String(examples[name] ?? name))
  const filledPath = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(examples[name] ?? name)))
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  return query.length > 0 ? `${filledPath}?${query.map((each) => `${each.name}=${value(each)}`).join('&')}` : filledPath
}
