// The server's widget API for one bot.
import type {
  FeedbackInput,
  HandoverAccepted,
  HandoverInput,
  History,
  WidgetConfig,
  WidgetMessage,
} from '@docent/contract'
import type { Visitor } from '../../docent-widget.d.ts'
import { readEvents, type ServerEvent } from './read-events.ts'

const SILENCE_MS = 60_000

/** JSON.stringify drops undefined values. */
type AllowUndefined<T> = { [Name in keyof T]: T[Name] | undefined }

/** An error response of the server; status 0 if it could not be reached. */
export class ServerError extends Error {
  declare readonly status: number
  declare readonly details: { path: string; message: string }[]
  declare readonly retryAfterMs: number

  constructor(status: number, message = '', details: ServerError['details'] = [], retryAfterMs = 0) {
    super(message)
    this.status = status
    this.details = details
    this.retryAfterMs = retryAfterMs
  }
}

/** Any other error is a lost connection. No instanceof, because more.js bundles its own copy of the class. */
export const toServerError = (error: unknown): ServerError =>
  (error as ServerError)?.details ? (error as ServerError) : new ServerError(0)

/** What the page says about the visitor, as it is sent. */
export interface VisitorDetails {
  visitor?: Pick<Visitor, 'name' | 'email'>
  metadata?: Visitor['attributes']
  user_token?: string | undefined
}

export type Server = ReturnType<typeof makeServer>

/** Session and message ids need no escaping: the contract allows only letters, digits and `._:-` in them. */
export function makeServer(
  base: string,
  botId: string,
  locale: string,
  token: () => string | undefined,
  /** Called when the user's token was refused. */
  onRefused: (userToken: string) => void,
) {
  /** Sends a POST if there is a body. */
  async function ask(path: string, body?: object, signal?: AbortSignal): Promise<Response> {
    const visitorToken = token()
    const isForm = body instanceof FormData
    const response = await fetch(`${base}/api/chat/${encodeURIComponent(botId)}/${path}`, {
      method: body ? 'POST' : 'GET',
      credentials: 'omit',
      headers: {
        ...(body && !isForm && { 'content-type': 'application/json' }),
        ...(visitorToken && { 'x-visitor-token': visitorToken }),
      },
      // Undefined without a body.
      body: isForm ? body : JSON.stringify(body),
      signal: signal ?? null,
    }).catch(() => {
      throw new ServerError(0)
    })
    if (response.ok) return response
    const details = body as VisitorDetails
    if (response.status === 401 && details?.user_token) {
      // The visitor goes on anonymously.
      onRefused(details.user_token)
      details.user_token = undefined
      return ask(path, body, signal)
    }
    const { error = {} } = await response.json().catch(() => ({}))
    throw new ServerError(
      response.status,
      error.message,
      error.details,
      Number(response.headers.get('retry-after')) * 1000,
    )
  }

  async function askJson<T>(path: string, body?: object): Promise<T> {
    return (await ask(path, body)).json()
  }

  /** Ends with the response, when aborted, or after a minute without data. */
  async function stream(path: string, onEvent: (event: ServerEvent) => void, body?: object, signal?: AbortSignal) {
    const silence = new AbortController()
    const stop = () => silence.abort()
    let timer = setTimeout(stop, SILENCE_MS)
    signal?.addEventListener('abort', stop, silence)
    try {
      const response = await ask(path, body, silence.signal)
      if (!response.body) throw new ServerError(0)
      await readEvents(response.body, onEvent, () => {
        clearTimeout(timer)
        timer = setTimeout(stop, SILENCE_MS)
      })
    } catch (error) {
      throw toServerError(error)
    } finally {
      clearTimeout(timer)
      // Removes the listener.
      stop()
    }
  }

  return {
    ask,
    locale,
    config: (language: string) => askJson<WidgetConfig>(`config?locale=${language}`),
    history: (session: string, before?: string | null) =>
      askJson<History>(`history?session_id=${session}${before ? `&before=${before}` : ''}`),
    message: (
      body: AllowUndefined<Omit<WidgetMessage, 'visitor'>> & VisitorDetails,
      onEvent: (event: ServerEvent) => void,
    ) => stream('message', onEvent, body),
    events: (session: string, after: string | undefined, onEvent: (event: ServerEvent) => void, signal: AbortSignal) =>
      stream(`events?session_id=${session}${after ? `&after=${after}` : ''}`, onEvent, undefined, signal),
    handover: (body: AllowUndefined<HandoverInput>) => askJson<HandoverAccepted>('handover', body),
    feedback: (body: AllowUndefined<FeedbackInput>) => ask('feedback', body),
    typing: () => ask('typing', {}).catch(() => {}),
  }
}
