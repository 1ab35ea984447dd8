import { type ChatResponse, Fault } from '@docent/contract'
import type { FastifyRequest } from 'fastify'
import type { AnswerChat } from '../conversations/answer-chat.ts'
import { eventStream } from './event-stream.ts'
import type { Route } from './route.ts'

export function chatRoutes(route: Route, { answerChat }: { answerChat: AnswerChat }) {
  route('POST /api/v1/chat', async ({ caller, body, request, reply }) => {
    const stream = body.stream === true
    requireAcceptable(request, stream ? 'text/event-stream' : 'application/json')
    const { answer, replayed } = await answerChat({
      key: caller,
      request: body,
      idempotencyKey: idempotencyKey(request),
      latencyMs: () => Math.round(reply.elapsedTime),
    })
    request.mirrored = !replayed
    if (!stream) return answer
    return reply.type('text/event-stream; charset=utf-8').header('cache-control', 'no-store').send(streamed(answer))
  })
}

function streamed(answer: ChatResponse) {
  return eventStream(function* () {
    yield ['start', { session_id: answer.session_id, message_id: answer.message_id }]
    for (const text of answer.response.match(/\S*\s*/g) ?? []) if (text) yield ['delta', { text }]
    yield ['done', answer]
  })
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
