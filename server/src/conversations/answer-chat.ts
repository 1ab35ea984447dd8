// The chat API's verb: checks that the key opens the bot, answers, and replays a repeated call instead of running it twice.
import { createHash } from 'node:crypto'
import { type ChatRequest, type ChatResponse, Fault, METADATA_LIMIT_BYTES } from '@docent/contract'
import type { BotRecord } from '../storage/bots.ts'
import type { CallName, IdempotentCallsTable } from '../storage/idempotent-calls.ts'
import type { PresentedKey } from '../storage/keys.ts'
import type { SendMessage, SentMessage } from './send-message.ts'

const REPLAY_MS = 86_400_000
const ABANDONED_MS = 60_000

export type AnswerChat = (
  key: PresentedKey,
  request: ChatRequest,
  idempotencyKey: string | undefined,
) => Promise<ChatResponse>

interface Deps {
  findBot: (workspaceId: string, botId: string) => Promise<BotRecord | undefined>
  idempotentCalls: IdempotentCallsTable
  sendMessage: SendMessage
  clock: () => number
}

export function chatAnswerer({ findBot, idempotentCalls, sendMessage, clock }: Deps): AnswerChat {
  return async (key, request, idempotencyKey) => {
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
    if (idempotencyKey === undefined) return toResponse(await sendMessage(bot, message))

    const call = { botId: key.botId, keyId: key.id, idempotencyKey }
    const claimedAt = clock()
    const stored = await claimOrReplay(call, bodyHash(request), claimedAt)
    if (stored) return stored
    try {
      const together = (sent: SentMessage) => [
        idempotentCalls.answering(call, claimedAt, JSON.stringify(toResponse(sent))),
      ]
      return toResponse(await sendMessage(bot, message, together))
    } catch (error) {
      await idempotentCalls.release(call, claimedAt)
      throw error
    }
  }

  async function claimOrReplay(call: CallName, hash: string, now: number): Promise<ChatResponse | null> {
    if (await idempotentCalls.claim(call, hash, now, now - REPLAY_MS, now - ABANDONED_MS)) return null
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
