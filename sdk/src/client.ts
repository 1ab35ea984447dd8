// One method that calls any route, typed by the contract, and shortcuts for chat, uploads and events.
import type {
  AnswerOf,
  BodyOf,
  ChatRequest,
  ChatResponse,
  ParamsOf,
  QueryOf,
  RouteName,
  Routes,
  UploadReport,
} from '@docent/contract'
import { type ChatEvent, chatEvents } from './chat-events.ts'
import { toDocentError } from './docent-error.ts'
import { type InboxEvent, inboxEvents } from './inbox-events.ts'

export interface ClientOptions {
  /** The address of the service, such as "https://chat.example.com". */
  baseUrl: string
  /** An API key for the chat, a sync key for products, or a management token. */
  token?: string | undefined
  /** Replaces the global fetch. */
  fetch?: typeof fetch
}

interface Extras {
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** Only the parts that the route takes, with the required ones mandatory. */
export type RequestOptions<R extends RouteName> = R extends RouteName
  ? Extras & Part<'params', ParamsOf<Routes[R]>> & Part<'query', QueryOf<Routes[R]>> & Part<'body', BodyOf<Routes[R]>>
  : never

type Part<Name extends string, T> = T extends undefined | Record<string, never>
  ? { [K in Name]?: undefined }
  : Record<never, unknown> extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T }

type Given<R extends RouteName> =
  Record<never, unknown> extends RequestOptions<R> ? [options?: RequestOptions<R>] : [options: RequestOptions<R>]

export interface Client {
  request<R extends RouteName>(route: R, ...given: Given<R>): Promise<AnswerOf<Routes[R]>>
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

export function createClient({ baseUrl, token, fetch: given }: ClientOptions): Client {
  const root = baseUrl.replace(/\/+$/, '')
  // Browsers refuse a fetch that is called as a method of another object.
  const send: typeof fetch = given ?? ((input, init) => fetch(input, init))

  async function answerTo(route: RouteName, { params, query, body, headers, signal }: Parts): Promise<Response> {
    const [method, path] = route.split(' ') as [string, string]
    const response = await send(root + filledIn(path, params) + queryText(query), {
      method,
      headers: {
        ...(token ? credential(token) : {}),
        // FormData sets its own content type.
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    })
    if (!response.ok) throw await toDocentError(response)
    return response
  }

  async function request(route: RouteName, parts: Parts = {}): Promise<unknown> {
    const response = await answerTo(route, parts)
    const type = response.headers.get('content-type') ?? ''
    // Files are returned as bytes.
    if (type.startsWith('application/octet-stream')) return new Uint8Array(await response.arrayBuffer())
    const text = await response.text()
    const isJson = type.startsWith('application/json')
    return text === '' ? undefined : isJson ? JSON.parse(text) : text
  }

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
      yield* chatEvents(await answerTo('POST /api/v1/chat', { ...extras, body: { ...body, stream: true } }))
    },
    async *inboxEvents(botId, extras = {}) {
      yield* inboxEvents(await answerTo('GET /api/manage/v1/bots/{botId}/events', { ...extras, params: { botId } }))
    },
    async *workspaceEvents(workspaceId, extras = {}) {
      const options = { ...extras, params: { workspaceId } }
      yield* inboxEvents(await answerTo('GET /api/manage/v1/workspaces/{workspaceId}/events', options))
    },
  }
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
