// A visitor of a page with the widget, without the widget: the calls it makes.
import { onTestFinished } from 'vitest'
import type { Answer, Call } from './call.ts'
import { waitFor } from './outside/receiver.ts'

export interface TestVisitor {
  token: () => string
  sessionId: () => string
  say: (message: string, more?: object) => Promise<Answer>
  history: () => Promise<Answer>
  post: (route: 'lead' | 'handover' | 'feedback' | 'typing' | 'seen', body?: object) => Promise<Answer>
}

export function createVisitor(call: Call, botId: string): TestVisitor {
  let token = ''
  let sessionId = ''
  const params = { botId }
  const headers = () => ({ ...(token ? { 'x-visitor-token': token } : {}) })
  const known = () => (sessionId ? { session_id: sessionId } : {})
  const remember = (answer: Answer) => {
    token = answer.body?.visitor_token ?? token
    sessionId = answer.body?.session_id ?? sessionId
    return answer
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

export interface HeardEvent {
  name: string
  data: { [key: string]: unknown }
}

/** Listens to an event stream until the test ends. */
export async function listen(url: string, headers: Record<string, string>) {
  const hangUp = new AbortController()
  onTestFinished(() => hangUp.abort())
  const answer = await fetch(url, { headers, signal: hangUp.signal })
  const heard: HeardEvent[] = []
  let isOpen = true
  const reading = read(answer, heard)
    .catch(() => {})
    .finally(() => {
      isOpen = false
    })
  return {
    isOpen: () => isOpen,
    /** By the server. */
    ended: () => waitFor(() => !isOpen, 'the end of the stream'),
    status: answer.status,
    heard,
    hangUp: () => {
      hangUp.abort()
      return reading
    },
    wait: (name: string, count = 1) =>
      waitFor(() => heard.filter((event) => event.name === name).length >= count, `${count} events ${name}`),
  }
}

async function read(answer: Response, heard: HeardEvent[]) {
  let text = ''
  for await (const chunk of answer.body ?? []) {
    text += new TextDecoder().decode(chunk)
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      const name = field('event')
      if (name) heard.push({ name, data: JSON.parse(field('data') ?? 'null') })
    }
  }
}
