import type { ChatRequest, ChatResponse } from '@docent/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Turn } from '../answers/types.ts'
import type { AnswerChat } from '../conversations/answer-chat.ts'
import type { Listener } from '../conversations/send-message.ts'
import type { PresentedKey } from '../storage/keys.ts'
import type { Modules } from './modules.ts'
import { hangUpSignal, requireAcceptable, streamAnswer } from './server/event-streams.ts'
import type { Route } from './server/route.ts'

export function chatRoutes(route: Route, { conversations }: Pick<Modules, 'conversations'>) {
  route('POST /api/v1/chat', async (incoming) => {
    const { body, request, reply } = incoming
    requireAcceptable(request, body.stream ? 'text/event-stream' : 'application/json')
    const answer = makeAnswerCall(conversations.answerChat, incoming, body)
    if (!body.stream) return answer()
    return streamAnswer(request, reply, {
      run: ({ start, text }) =>
        answer({ onStart: (turn) => start(toStart(turn.sessionId, turn.messageId)), onText: text }),
      start: ({ session_id, message_id }) => toStart(session_id, message_id),
      text: ({ response }) => response,
      onFault: (status, fault) => request.mirrorEnd(reply, status, fault),
    })
  })
}

function toStart(sessionId: string, messageId: string) {
  return { session_id: sessionId, message_id: messageId }
}

// Answers a call made with an API key, in either request format, and mirrors it.

interface Call {
  caller: PresentedKey
  request: FastifyRequest
  reply: FastifyReply
}

export type AnswerCall = (listener?: Listener) => Promise<ChatResponse>

export function makeAnswerCall(
  answerChat: AnswerChat,
  { caller, request, reply }: Call,
  body: ChatRequest,
  history?: Turn[],
): AnswerCall {
  const signal = hangUpSignal(reply)
  request.mirroredRequest = body
  return async (listener = {}) => {
    const { answer, replayed } = await answerChat({
      key: caller,
      request: body,
      history,
      idempotencyKey: idempotencyKey(request),
      latencyMs: () => Math.round(reply.elapsedTime),
      listener: { ...listener, signal },
    })
    if (replayed) reply.header('idempotent-replayed', 'true')
    request.mirrored = !replayed
    await request.mirrorEnd(reply, 200, answer)
    return answer
  }
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  const value = request.headers['idempotency-key']
  return Array.isArray(value) ? value[0] : value
}

// Sources as links below the answer, for text-only clients. No heading, which would need translating.

const LINE = '\n\n---'
const LINKS_AT_END = /\n\n---(?:\n- \[[^\n]*\]\([^\s()]*\))+\s*$/

type Sources = ChatResponse['sources']

interface LinkedText {
  text: string
  /** Start and end of each link. */
  ranges: { start: number; end: number }[]
}

/** Links to append to a text of this length. */
export function sourceLinks(sources: Sources, startsAt: number): LinkedText {
  if (sources.length === 0) return { text: '', ranges: [] }
  let text = LINE
  const ranges = sources.map(({ title, url }) => {
    text += '\n- '
    const start = startsAt + text.length
    text += `[${escapeTitle(title)}](${withoutBrackets(url)})`
    return { start, end: startsAt + text.length }
  })
  return { text, ranges }
}

/** An earlier answer as the bot gave it: source titles are not part of it. */
export function withoutSourceLinks(text: string): string {
  return text.replace(LINKS_AT_END, '')
}

function escapeTitle(title: string): string {
  return title.replace(/\s+/g, ' ').replace(/[[\]\\]/g, '\\$&')
}

/** A parenthesis would end the link. */
function withoutBrackets(url: string): string {
  return url.replace(/[\s()<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
