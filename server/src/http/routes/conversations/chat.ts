import type { FastifyRequest } from 'fastify'
import type { AnswerChat } from '../../../conversations/answer-chat.ts'
import type { Listener } from '../../../conversations/send-message.ts'
import { requireAcceptable } from '../../acceptable.ts'
import type { Route } from '../../route.ts'
import { hangUpSignal } from '../../streams/hang-up.ts'
import { streamAnswer } from '../../streams/stream-answer.ts'

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
    return streamAnswer(request, reply, {
      run: ({ start, text }) =>
        answering({ onStart: (turn) => start(toStart(turn.sessionId, turn.messageId)), onText: text }),
      start: (answer) => toStart(answer.session_id, answer.message_id),
      text: ({ response }) => response,
      onFault: (status, fault) => request.mirrorEnd(reply, status, fault),
    })
  })
}

function toStart(sessionId: string, messageId: string) {
  return { session_id: sessionId, message_id: messageId }
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  const value = request.headers['idempotency-key']
  return Array.isArray(value) ? value[0] : value
}
