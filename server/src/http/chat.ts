import { type ChatResponse, Fault } from '@docent/contract'
import type { FastifyRequest } from 'fastify'
import type { AnswerChat } from '../conversations/answer-chat.ts'
import type { Listener } from '../conversations/send-message.ts'
import { errorBody, logFault, toFault } from './errors.ts'
import { type EventStream, eventStream } from './event-stream.ts'
import { hangUpSignal } from './hang-up.ts'
import type { Route } from './route.ts'

export function chatRoutes(route: Route, { answerChat }: { answerChat: AnswerChat }) {
  route('POST /api/v1/chat', async ({ caller, body, request, reply }) => {
    const stream = body.stream === true
    requireAcceptable(request, stream ? 'text/event-stream' : 'application/json')
    const signal = hangUpSignal(reply)
    const answering = async (listener: Listener = {}) => {
      const { answer, replayed } = await answerChat({
        key: caller,
        request: body,
        idempotencyKey: idempotencyKey(request),
        latencyMs: () => Math.round(reply.elapsedTime),
        listener: { ...listener, signal },
      })
      request.mirrored = !replayed
      if (stream) await request.mirrorEnd(reply, 200, answer)
      return answer
    }
    if (!stream) return answering()
    const events = eventStream(reply)
    try {
      await streamAnswer(events, answering)
    } catch (error) {
      // What fails before the first event is an error like any other.
      if (!events.hasBegun()) throw error
      const fault = toFault(error)
      const body = errorBody(fault, request.id)
      logFault(fault, request)
      await request.mirrorEnd(reply, fault.status, body)
      events.send('error', body.error)
      events.end()
    }
    return reply
  })
}

/** A language model's words go out as they come; an answer that is there at once goes out word by word. */
async function streamAnswer(events: EventStream, answering: (listener: Listener) => Promise<ChatResponse>) {
  let started = false
  const start = (turn: { sessionId: string; messageId: string }) => {
    started = true
    events.send('start', { session_id: turn.sessionId, message_id: turn.messageId })
  }
  let told = false
  const answer = await answering({
    onStart: start,
    onText(text) {
      told = true
      events.send('delta', { text })
    },
  })
  if (!started) start({ sessionId: answer.session_id, messageId: answer.message_id })
  const pieces = told ? [] : answer.response.match(/\S+\s*|\s+/g)
  for (const text of pieces ?? []) events.send('delta', { text })
  events.send('done', answer)
  events.end()
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  const value = request.headers['idempotency-key']
  return Array.isArray(value) ? value[0] : value
}

function requireAcceptable(request: FastifyRequest, type: string) {
  const { accept } = request.headers
  if (!accept) return
  const family = `${type.split('/')[0]}/*`
  const accepted = accept.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const refused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    return !refused && (name === type || name === family || name === '*/*')
  })
  if (!accepted) throw new Fault('not_acceptable')
}
