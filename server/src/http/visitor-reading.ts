// What a visitor reads back of their own conversation, at once or as it happens. Only with the token.
import { Fault } from '@docent/contract'
import type { FastifyRequest } from 'fastify'
import { networkOf } from '../access/network-of.ts'
import type { Live, LiveSignal } from '../conversations/live.ts'
import type { ConversationsTable, KnownConversation } from '../storage/conversations.ts'
import type { LeadsTable } from '../storage/leads.ts'
import type { MessagesTable } from '../storage/messages.ts'
import type { VisitorRecord } from '../storage/visitors.ts'
import type { LiveStream, LiveStreams } from './live-stream.ts'
import type { Route } from './route.ts'
import { toVisitorMessage } from './visitor-messages.ts'

interface Deps {
  conversations: Pick<ConversationsTable, 'find' | 'findNewestOf'>
  messages: Pick<MessagesTable, 'list' | 'listAfter'>
  leads: Pick<LeadsTable, 'hasOne'>
  live: Pick<Live, 'hear'>
  streams: LiveStreams
  /** Streams that one address may hold open at a bot. */
  streamsPerAddress: number
}

const MOST_MISSED = 200

export function visitorReadingRoutes(route: Route, deps: Deps) {
  const { conversations, messages, leads, live, streams, streamsPerAddress } = deps
  const openBy = new Map<string, number>()

  async function conversationOf(visitor: VisitorRecord, sessionId: string | undefined) {
    if (sessionId === undefined) return conversations.findNewestOf(visitor.botId, visitor.id)
    const found = await conversations.find(visitor.botId, 'widget', sessionId)
    if (found?.visitorId !== visitor.id) throw new Fault('session_not_found')
    return found
  }

  route('GET /api/chat/{botId}/history', async ({ caller: { visitor }, query, reply }) => {
    reply.header('cache-control', 'no-store')
    const { limit = 50 } = query
    const conversation = await conversationOf(visitor, query.session_id)
    // What came without the token may be somebody else's: whoever takes a name first must not read who uses it next.
    const found = conversation
      ? await messages.list(visitor.botId, conversation.id, limit + 1, query.before, 'verified')
      : []
    return {
      session_id: conversation?.sessionId ?? null,
      messages: found.slice(-limit).map(toVisitorMessage),
      has_more: found.length > limit,
      handover: toState(conversation),
      has_lead: await leads.hasOne(visitor.botId, visitor.id),
    }
  })

  route('GET /api/chat/{botId}/events', async ({ caller: { visitor }, query, request, reply }) => {
    const conversation = await conversationOf(visitor, query.session_id)
    if (!conversation) throw new Fault('session_not_found')
    const after = query.after ?? lastEventId(request)
    // Where they stand who come without a place: only what is new is told.
    const [newest] = after ? [] : await messages.list(visitor.botId, conversation.id, 1)
    const leave = takePlace(`${visitor.botId} ${networkOf(request.ip)}`)
    const stream = streams.open(reply)
    const stop = live.hear(conversation.id, follower(stream, visitor, conversation, after ?? newest?.id ?? ''))
    stream.onEnd(() => {
      stop()
      leave()
    })
    return reply
  })

  /** Sends what came since, in order, one look at a time. */
  function follower(stream: LiveStream, visitor: VisitorRecord, conversation: KnownConversation, after: string) {
    let last = after
    let work = Promise.resolve()
    const { botId, id } = conversation

    async function sendNew() {
      for (;;) {
        const found = await messages.listAfter(botId, id, last, MOST_MISSED, 'verified')
        for (const message of found) stream.send('message', toVisitorMessage(message), message.id)
        last = found.at(-1)?.id ?? last
        if (found.length < MOST_MISSED) return
      }
    }

    async function tell(signal: LiveSignal) {
      if (!stream.isOpen()) return
      if (signal.kind === 'message') return sendNew()
      if (signal.kind === 'handover')
        stream.send('handover', toState(await conversationOf(visitor, conversation.sessionId)))
      if (signal.kind === 'typing' && signal.by === 'agent')
        stream.send('typing', { agent_name: signal.agentName ?? null })
    }

    const hear = (signal: LiveSignal) => {
      // What fails is heard again with the next signal, or read as history.
      work = work.then(() => tell(signal)).catch(() => {})
    }
    hear({ botId, conversationId: id, kind: 'message' })
    hear({ botId, conversationId: id, kind: 'handover' })
    return hear
  }

  function takePlace(address: string) {
    const taken = openBy.get(address) ?? 0
    if (taken >= streamsPerAddress) throw new Fault('rate_limited', { headers: { 'retry-after': '30' } })
    openBy.set(address, taken + 1)
    return () => {
      const left = (openBy.get(address) ?? 1) - 1
      if (left > 0) openBy.set(address, left)
      else openBy.delete(address)
    }
  }
}

function toState(conversation: KnownConversation | undefined) {
  const { status, agentName } = conversation?.handover ?? { status: 'none' as const, agentName: null }
  return { status, agent_name: status === 'active' ? agentName : null }
}

function lastEventId(request: FastifyRequest): string | undefined {
  const value = request.headers['last-event-id']
  return typeof value === 'string' && value !== '' ? value : undefined
}
