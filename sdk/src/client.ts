// One method that calls any route, typed by the contract, and shortcuts for chat, uploads and events.
import type {
  BodyOf,
  ChatRequest,
  ChatResponse,
  ParamsOf,
  QueryOf,
  ResponseOf,
  RouteName,
  Routes,
  UploadReport,
} from '@docent/contract'
import { type ChatEvent, chatEvents, type InboxEvent, inboxEvents } from './events.ts'
import { type Outgoing, send } from './send.ts'

export interface ClientOptions {
  /** The address of the service, such as "https://chat.example.com". */
  baseUrl: string
  /** An API key for the chat, a sync key for products, or a management token. */
  token?: string | undefined
  /** The longest silence before and within a response; default: one minute. */
  timeoutMs?: number
  /**
   * How often a request is sent again after a broken connection, a time-out, a 5xx or a short 429; default: 2.
   * Only what can be repeated safely: reads, replacements, and messages, which get an Idempotency-Key.
   */
  maxRetries?: number
  /** Replaces the global fetch. */
  fetch?: typeof fetch
}

interface Extras {
  headers?: Record<string, string>
  signal?: AbortSignal
  timeoutMs?: number
  maxRetries?: number
  /** Gets the status and headers of each response, such as RateLimit and Idempotent-Replayed. Leave its body unread. */
  onResponse?: (response: Response) => void
}

const TIMEOUT_MS = 60_000
const MAX_RETRIES = 2
/** Routes whose repetition the server recognises by an Idempotency-Key. */
const KEYED: RouteName[] = ['POST /api/v1/chat', 'POST /v1/chat/completions', 'POST /v1/responses']

/** Only the parts that the route takes, with the required ones mandatory. */
export type RequestOptions<R extends RouteName> = R extends RouteName
  ? Extras & Part<'params', ParamsOf<Routes[R]>> & Part<'query', QueryOf<Routes[R]>> & Part<'body', BodyOf<Routes[R]>>
  : never

type Part<Name extends string, T> = T extends undefined | Record<string, never>
  ? { [K in Name]?: undefined }
  : Record<never, unknown> extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T }

type Arguments<R extends RouteName> =
  Record<never, unknown> extends RequestOptions<R> ? [options?: RequestOptions<R>] : [options: RequestOptions<R>]

export interface Client {
  request<R extends RouteName>(route: R, ...args: Arguments<R>): Promise<ResponseOf<Routes[R]>>
  chat(request: Omit<ChatRequest, 'stream'>, extras?: Extras): Promise<ChatResponse>
  /** Files in the field `file`, preceded by their `url`, `title` and `language`. */
  uploadFiles(botId: string, form: FormData, extras?: Extras): Promise<UploadReport>
  /** Streams the answer: `start`, any number of `delta`, then `done` with the final answer, which replaces the deltas. */
  chatStream(request: Omit<ChatRequest, 'stream'>, extras?: Extras): AsyncIterable<ChatEvent>
  /** Live events of a bot's conversations, until you stop listening or the connection breaks. */
  inboxEvents(botId: string, extras?: Extras): AsyncIterable<InboxEvent>
  /** Live events of all bots of a workspace. */
  workspaceEvents(workspaceId: string, extras?: Extras): AsyncIterable<InboxEvent>
}

interface Parts extends Extras {
  params?: Record<string, unknown> | undefined
  query?: Record<string, unknown> | undefined
  body?: unknown
}

export function createClient({ baseUrl, token, ...defaults }: ClientOptions): Client {
  const root = baseUrl.replace(/\/+$/, '')

  function sendTo<T>(route: RouteName, parts: Parts, read: (response: Response) => Promise<T>): Promise<T> {
    const { timeoutMs = TIMEOUT_MS, maxRetries = MAX_RETRIES } = { ...defaults, ...parts }
    // Browsers refuse a fetch that is called as a method of another object.
    const call: typeof fetch = defaults.fetch ?? ((input, init) => fetch(input, init))
    const outgoing = toOutgoing(root, token, route, parts)
    if (maxRetries > 0 && KEYED.includes(route)) outgoing.headers['idempotency-key'] ??= randomKey()
    return send(outgoing, { fetch: call, timeoutMs, maxRetries }, read)
  }

  const request = (route: RouteName, parts: Parts = {}): Promise<unknown> => sendTo(route, parts, readBody)
  const open = (route: RouteName, parts: Parts) => sendTo(route, parts, async (response) => response)

  return {
    // Route types matter to callers only.
    request: request as Client['request'],
    chat: (body, extras = {}) => request('POST /api/v1/chat', { ...extras, body }) as Promise<ChatResponse>,
    uploadFiles: (botId, form, extras = {}) =>
      request('POST /api/manage/v1/bots/{botId}/files', {
        ...extras,
        params: { botId },
        body: form,
      }) as Promise<UploadReport>,
    async *chatStream(body, extras = {}) {
      const response = await open('POST /api/v1/chat', { ...extras, body: { ...body, stream: true } })
      yield* chatEvents(response, `${root}/api/v1/chat`)
    },
    async *inboxEvents(botId, extras = {}) {
      yield* inboxEvents(await open('GET /api/manage/v1/bots/{botId}/events', { ...extras, params: { botId } }))
    },
    async *workspaceEvents(workspaceId, extras = {}) {
      const options = { ...extras, params: { workspaceId } }
      yield* inboxEvents(await open('GET /api/manage/v1/workspaces/{workspaceId}/events', options))
    },
  }
}

function toOutgoing(root: string, token: string | undefined, route: RouteName, parts: Parts): Outgoing {
  const { params, query, body, headers = {}, signal, onResponse } = parts
  const [method, path] = route.split(' ') as [string, string]
  const isForm = body instanceof FormData
  return {
    url: root + filledIn(path, params) + queryText(query),
    method,
    headers: {
      ...(token ? credential(token) : {}),
      // FormData sets its own content type.
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    },
    body: body === undefined ? undefined : isForm ? body : JSON.stringify(body),
    signal,
    onResponse,
  }
}

async function readBody(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  // Files are returned as bytes.
  if (type.startsWith('application/octet-stream')) return new Uint8Array(await response.arrayBuffer())
  const text = await response.text()
  const isJson = type.startsWith('application/json')
  return text === '' ? undefined : isJson ? JSON.parse(text) : text
}

/** Not randomUUID, which browsers have on secure pages only. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function credential(token: string): Record<string, string> {
  return token.startsWith('dct_sync_') ? { 'x-service-key': token } : { authorization: `Bearer ${token}` }
}

function filledIn(path: string, params: Parts['params'] = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])))
}

function queryText(query: Parts['query'] = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  return pairs.length > 0 ? `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}` : ''
}
