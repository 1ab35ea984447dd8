// The chat API: checks that the key matches the bot, answers, and replays a repeated call instead of running it twice.
import { createHash } from 'node:crypto'
import { type ChatRequest, type ChatResponse, Fault } from '@docent/contract'
import type { Turn } from '../answers/types.ts'
import { DAY_MS } from '../days.ts'
import type { Statement } from '../storage/database.ts'
import type { CallName } from '../storage/idempotent-calls.ts'
import type { PresentedKey } from '../storage/keys.ts'
import type { ConversationsContext } from './conversations-context.ts'
import { buttonsUnder, type FlowButtonsIn, type FlowButtonsOf } from './flow-buttons.ts'
import type { MirrorCall } from './mirror.ts'
import { type Listener, type SendMessage, type SentMessage, storedMetadata } from './send-message.ts'

const REPLAY_MS = DAY_MS
const ABANDONED_MS = 60_000

interface ChatCall {
  key: PresentedKey
  request: ChatRequest
  /** Earlier turns, when the caller keeps them; a session has its own. */
  history?: Turn[] | undefined
  idempotencyKey: string | undefined
  /** Time since the call arrived. */
  latencyMs: () => number
  listener?: Listener | undefined
}

/** A replayed answer ran no bot and wrote nothing. */
export type AnswerChat = (call: ChatCall) => Promise<{ answer: ChatResponse; replayed: boolean }>

interface Neighbours {
  mirrorCall: MirrorCall
  sendMessage: SendMessage
  flowButtonsOf: FlowButtonsOf
}

export function makeAnswerChat(context: ConversationsContext, neighbours: Neighbours): AnswerChat {
  const { live, onEvents, clock, storage } = context
  const { bots, idempotentCalls } = storage
  const { mirrorCall, sendMessage, flowButtonsOf } = neighbours

  return async ({ key, request, history, idempotencyKey, latencyMs, listener }) => {
    const bot = request.bot_id === key.botId ? await bots.find(key.workspaceId, key.botId) : undefined
    if (!bot) throw new Fault('bot_not_found')
    const message = {
      channel: 'api' as const,
      text: request.message,
      sessionId: request.session_id ?? null,
      history,
      userId: request.user_id ?? null,
      pageUrl: request.page_url ?? null,
      metadata: storedMetadata(request.metadata),
      receivedAt: clock(),
    }
    /** Writes the turn together with its mirror delivery and the record for replays. */
    const run = async (remember: (answer: ChatResponse) => Statement[] = () => []): Promise<ChatResponse> => {
      const flowIn = await flowButtonsOf(bot)
      const sentMessage = await sendMessage(bot, message, complete, listener)
      if (key.mirrorId !== null) onEvents(bot.id)
      // The widget's turns are published with what else they change.
      live.publish({ botId: bot.id, conversationId: sentMessage.conversationId, kind: 'message' })
      return toResponse(sentMessage, flowIn)

      function complete(turn: SentMessage) {
        const body = toResponse(turn, flowIn)
        const { conversationId } = turn
        const mirrorStatement = mirrorCall({ key, request, status: 200, body, latencyMs: latencyMs(), conversationId })
        return { statements: [...remember(body), ...(mirrorStatement ? [mirrorStatement] : [])] }
      }
    }
    if (idempotencyKey === undefined) return { answer: await run(), replayed: false }

    const call = { botId: key.botId, keyId: key.id, idempotencyKey }
    const claimedAt = clock()
    // A language model may take a while to answer.
    const abandonedMs = ABANDONED_MS + (bot.languageModel?.timeoutMs ?? 0)
    const storedAnswer = await claimOrReplay(call, bodyHash(request, history), claimedAt, abandonedMs)
    if (storedAnswer) return { answer: storedAnswer, replayed: true }
    try {
      const answer = await run((body) => [idempotentCalls.answerStatement(call, claimedAt, JSON.stringify(body))])
      return { answer, replayed: false }
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
    return withDecision(JSON.parse(earlier.answer))
  }
}

/** `stream` is left out: it only changes how the answer is sent. */
function bodyHash({ stream: _, ...request }: ChatRequest, history: Turn[] | undefined): string {
  const fields = Object.entries({ ...request, ...(history ? { history } : {}) }).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex')
}

/** Answers stored by versions before `decision` have none. */
function withDecision(answer: ChatResponse): ChatResponse {
  return { ...answer, decision: answer.decision ?? (answer.answered ? 'answer' : 'fall_back') }
}

function toResponse(sentMessage: SentMessage, flowIn: FlowButtonsIn): ChatResponse {
  // A person and the form need the widget.
  const buttons = buttonsUnder(sentMessage, flowIn).filter(({ type }) => type === 'reply' || type === 'url')
  return {
    response: sentMessage.text,
    sources: sentMessage.sources,
    session_id: sentMessage.sessionId,
    message_id: sentMessage.messageId,
    confidence: sentMessage.confidence,
    answered: sentMessage.answered,
    decision: sentMessage.decision,
    ...(sentMessage.action ? { action: { id: sentMessage.action.id, status: sentMessage.action.status } } : {}),
    ...(buttons.length > 0 ? { buttons } : {}),
  }
}
