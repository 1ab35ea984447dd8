// The chat API's verb: checks that the key opens the bot, answers, and replays a repeated call instead of running it twice.
import { createHash } from 'node:crypto'
import { type ChatRequest, type ChatResponse, Fault, METADATA_LIMIT_BYTES } from '@docent/contract'
import type { BotRecord } from '../storage/bots.ts'
import type { DeliveriesTable } from '../storage/deliveries.ts'
import type { CallName, IdempotentCallsTable } from '../storage/idempotent-calls.ts'
import type { PresentedKey } from '../storage/keys.ts'
import { mirroredCall } from './mirror-call.ts'
import type { Listener, SendMessage, SentMessage } from './send-message.ts'

const REPLAY_MS = 86_400_000
const ABANDONED_MS = 60_000

export interface ChatCall {
  key: PresentedKey
  request: ChatRequest
  idempotencyKey: string | undefined
  /** How long the call has taken so far. */
  latencyMs: () => number
  listener?: Listener | undefined
}

/** A replayed answer ran no bot, so nothing was written with it. */
export type AnswerChat = (call: ChatCall) => Promise<{ answer: ChatResponse; replayed: boolean }>

interface Deps {
  findBot: (workspaceId: string, botId: string) => Promise<BotRecord | undefined>
  idempotentCalls: IdempotentCallsTable
  deliveries: Pick<DeliveriesTable, 'to'>
  sendMessage: SendMessage
  clock: () => number
}

export function chatAnswerer({ findBot, idempotentCalls, deliveries, sendMessage, clock }: Deps): AnswerChat {
  return async ({ key, request, idempotencyKey, latencyMs, listener }) => {
    const bot = request.bot_id === key.botId ? await findBot(key.workspaceId, key.botId) : undefined
    if (!bot) throw new Fault('bot_not_found')
    const metadata = request.metadata ? JSON.stringify(request.metadata) : null
    if (metadata && Buffer.byteLength(metadata) > METADATA_LIMIT_BYTES) {
      const details = [{ path: 'metadata', message: `must be at most ${METADATA_LIMIT_BYTES} bytes as JSON` }]
      throw new Fault('validation_failed', { details })
    }
    const message = {
      channel: 'api' as const,
      text: request.message,
      sessionId: request.session_id ?? null,
      userId: request.user_id ?? null,
      pageUrl: request.page_url ?? null,
      metadata,
      receivedAt: clock(),
    }
    const mirror = (turn: SentMessage) => {
      if (key.mirrorId === null) return []
      const { conversationId } = turn
      const call = { key, request, status: 200, body: toResponse(turn), latencyMs: latencyMs(), conversationId }
      return [deliveries.to(mirroredCall(call, clock()), key.mirrorId)]
    }
    if (idempotencyKey === undefined) {
      const sent = await sendMessage(bot, message, (turn) => ({ statements: mirror(turn) }), listener)
      return { answer: toResponse(sent), replayed: false }
    }

    const call = { botId: key.botId, keyId: key.id, idempotencyKey }
    const claimedAt = clock()
    // A language model may take its time before an answer is there.
    const abandonedMs = ABANDONED_MS + (bot.languageModel?.timeoutMs ?? 0)
    const stored = await claimOrReplay(call, bodyHash(request), claimedAt, abandonedMs)
    if (stored) return { answer: stored, replayed: true }
    try {
      const together = (turn: SentMessage) => {
        const stored = idempotentCalls.answering(call, claimedAt, JSON.stringify(toResponse(turn)))
        return { statements: [stored, ...mirror(turn)] }
      }
      const sent = await sendMessage(bot, message, together, listener)
      return { answer: toResponse(sent), replayed: false }
    } catch (error) {
      await idempotentCalls.release(call, claimedAt)
      throw error
    }
  }

  async function claimOrReplay(
    call: CallName,
    hash: string,
    now: number,
    abandonedMs: number,
  ): Promise<ChatResponse | null> {
    if (await idempotentCalls.claim(call, hash, now, now - REPLAY_MS, now - abandonedMs)) return null
    const earlier = await idempotentCalls.find(call)
    if (!earlier || earlier.bodyHash !== hash) throw new Fault('idempotency_conflict')
    if (earlier.answer === null) throw new Fault('idempotency_conflict', { headers: { 'retry-after': '1' } })
    return JSON.parse(earlier.answer)
  }
}

/** `stream` only changes how the answer travels, so it does not make another call of it. */
function bodyHash({ stream: _, ...request }: ChatRequest): string {
  const fields = Object.entries(request).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex')
}

function toResponse(sent: SentMessage): ChatResponse {
  return {
    response: sent.text,
    sources: sent.sources,
    session_id: sent.sessionId,
    message_id: sent.messageId,
    confidence: sent.confidence,
    answered: sent.answered,
  }
}
