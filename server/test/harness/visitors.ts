// Makes the calls that the widget makes for a visitor.

import { onTestFinished } from 'vitest'
import type { ApiResponse, Call } from './call.ts'
import { waitFor } from './wait.ts'

export interface TestVisitor {
  token: () => string
  sessionId: () => string
  say: (message: string, more?: object) => Promise<ApiResponse>
  history: () => Promise<ApiResponse>
  post: (
    route: 'identify' | 'lead' | 'handover' | 'feedback' | 'typing' | 'seen',
    body?: object,
  ) => Promise<ApiResponse>
}

export function createVisitor(call: Call, botId: string): TestVisitor {
  let token = ''
  let sessionId = ''
  const params = { botId }
  const headers = () => ({ ...(token ? { 'x-visitor-token': token } : {}) })
  const known = () => (sessionId ? { session_id: sessionId } : {})
  const remember = (response: ApiResponse) => {
    token = response.body?.visitor_token ?? token
    sessionId = response.body?.session_id ?? sessionId
    return response
  }
  return {
    token: () => token,
    sessionId: () => sessionId,
    say: async (message, more = {}) =>
      remember(
        await call('POST /api/chat/{botId}/message', {
          params,
          headers: headers(),
          body: { message, ...known(), ...more },
        }),
      ),
    history: () => call('GET /api/chat/{botId}/history', { params, headers: headers() }),
    post: async (route, body) => {
      const hasSession = route === 'lead' || route === 'handover'
      return remember(
        await call(`POST /api/chat/{botId}/${route}`, {
          params,
          headers: headers(),
          ...(body || hasSession ? { body: { ...(hasSession ? known() : {}), ...body } } : {}),
        }),
      )
    },
  }
}

export interface StreamEvent {
  name: string
  data: { [key: string]: unknown }
}

/** Reads an event stream until the test ends. */
export async function openStream(url: string, headers: Record<string, string>) {
  const hangUp = new AbortController()
  onTestFinished(() => hangUp.abort())
  const response = await fetch(url, { headers, signal: hangUp.signal })
  const events: StreamEvent[] = []
  let isOpen = true
  const readPromise = read(response, events)
    .catch(() => {})
    .finally(() => {
      isOpen = false
    })
  return {
    isOpen: () => isOpen,
    /** Waits until the server has closed the stream. */
    waitForEnd: () => waitFor(() => !isOpen, 'the end of the stream'),
    status: response.status,
    events,
    hangUp: () => {
      hangUp.abort()
      return readPromise
    },
    waitForEvent: (name: string, count = 1) =>
      waitFor(() => events.filter((event) => event.name === name).length >= count, `${count} events ${name}`),
  }
}

async function read(response: Response, events: StreamEvent[]) {
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk)
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      const name = field('event')
      if (name) events.push({ name, data: JSON.parse(field('data') ?? 'null') })
    }
  }
}
