// Answers a call made with an API key, in either request format, and mirrors it.
import type { ChatRequest, ChatResponse } from '@docent/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Turn } from '../answers/types.ts'
import type { AnswerChat } from '../conversations/answer-chat.ts'
import type { Listener } from '../conversations/send-message.ts'
import type { PresentedKey } from '../storage/keys.ts'
import { hangUpSignal } from './streams/hang-up.ts'

interface Call {
  caller: PresentedKey
  request: FastifyRequest
  reply: FastifyReply
}

export type AnswerCall = (listener?: Listener) => Promise<ChatResponse>

export function createAnswerCall(
  answerChat: AnswerChat,
  { caller, request, reply }: Call,
  asked: ChatRequest,
  history?: Turn[],
): AnswerCall {
  const signal = hangUpSignal(reply)
  request.mirroredRequest = asked
  return async (listener = {}) => {
    const { answer, replayed } = await answerChat({
      ...{ key: caller, request: asked, history, idempotencyKey: idempotencyKey(request) },
      latencyMs: () => Math.round(reply.elapsedTime),
      listener: { ...listener, signal },
    })
    request.mirrored = !replayed
    await request.mirrorEnd(reply, 200, answer)
    return answer
  }
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  const value = request.headers['idempotency-key']
  return Array.isArray(value) ? value[0] : value
}
