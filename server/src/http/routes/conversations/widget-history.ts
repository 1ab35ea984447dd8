// A visitor's access to their own conversation. Requires the visitor token.
import { Fault } from '@docent/contract'
import type { FastifyRequest } from 'fastify'
import { networkOf } from '../../../access/network-of.ts'
import {
  findOwnConversation,
  followConversation,
  type ReadDeps,
  readHistory,
} from '../../../conversations/own-conversations.ts'
import type { BotRecord } from '../../../storage/bots.ts'
import type { KnownConversation, OwnConversationsTable } from '../../../storage/conversations.ts'
import type { Route } from '../../route.ts'
import type { LiveStreams } from '../../streams/live-stream.ts'
import { timestamp, timestampOrNull } from '../../times.ts'
import { toPreview, toVisitorMessage } from './message-shapes.ts'

const MAX_CONVERSATIONS = 20

interface Deps extends ReadDeps {
  ownConversations: Pick<OwnConversationsTable, 'listOf'>
  streams: LiveStreams
  /** Open streams per address and bot. */
  streamsPerAddress: number
  /** How many times that is allowed over all bots. */
  botsPerAddress: number
  /** The visitor has received agents' messages up to a time. */
  onSeen: (botId: string, conversationId: string, until: number) => void
}

export function visitorReadingRoutes(route: Route, deps: Deps) {
  const { ownConversations, messages, streams, streamsPerAddress, botsPerAddress, onSeen } = deps
  const openStreams = new Map<string, number>()

  route('GET /api/chat/{botId}/history', async ({ caller: { bot, visitor }, query, reply }) => {
    reply.header('cache-control', 'no-store')
    const { session_id: sessionId, limit, before } = query
    const history = await readHistory(deps, visitor, { sessionId, before, ...(limit === undefined ? {} : { limit }) })
    const { conversation } = history
    const newest = history.messages.at(-1)
    if (conversation && newest && conversation.handover.status !== 'none')
      onSeen(visitor.botId, conversation.id, newest.createdAt)
    return {
      session_id: conversation?.sessionId ?? null,
      messages: history.messages.map((message) => toVisitorMessage(message, isTeamShown(bot))),
      has_more: history.hasMore,
      handover: toState(conversation),
      has_lead: history.hasLead,
      seen_until: timestampOrNull(conversation?.agentSeenAt ?? null),
    }
  })

  route('GET /api/chat/{botId}/conversations', async ({ caller: { visitor }, reply }) => {
    reply.header('cache-control', 'no-store')
    const found = await ownConversations.listOf(visitor.botId, visitor.id, MAX_CONVERSATIONS)
    const items = found.map(({ sessionId, lastMessage, updatedAt }) => ({
      session_id: sessionId,
      last_message: toPreview(lastMessage),
      updated_at: timestamp(updatedAt),
    }))
    return { items }
  })

  route('GET /api/chat/{botId}/events', async ({ caller: { bot, visitor }, query, request, reply }) => {
    const conversation = await findOwnConversation(deps, visitor, query.session_id)
    if (!conversation) throw new Fault('session_not_found')
    const after = query.after ?? lastEventId(request)
    // Without a position, send only new messages.
    const [newest] = after ? [] : await messages.list(visitor.botId, conversation.id, 1)
    const release = reserveStream(visitor.botId, networkOf(request.ip))
    const stream = streams.open(reply)
    const stop = followConversation(deps, visitor, conversation, after ?? newest?.id ?? '', {
      message: (message) => {
        stream.send('message', toVisitorMessage(message, isTeamShown(bot)), message.id)
        if (message.role === 'agent') onSeen(visitor.botId, conversation.id, message.createdAt)
      },
      handover: (current) => stream.send('handover', toState(current)),
      typing: (agentName) => stream.send('typing', { agent_name: agentName }),
      seen: (until) => stream.send('seen', { until: timestamp(until) }),
      isOpen: stream.isOpen,
    })
    stream.onEnd(() => {
      stop()
      release()
    })
    return reply
  })

  function reserveStream(botId: string, network: string) {
    const limits: [name: string, most: number][] = [
      [`${botId} ${network}`, streamsPerAddress],
      [network, streamsPerAddress * botsPerAddress],
    ]
    if (limits.some(([name, most]) => (openStreams.get(name) ?? 0) >= most))
      throw new Fault('rate_limited', { headers: { 'retry-after': '30' } })
    for (const [name] of limits) openStreams.set(name, (openStreams.get(name) ?? 0) + 1)
    return () => {
      for (const [name] of limits) {
        const left = (openStreams.get(name) ?? 1) - 1
        if (left > 0) openStreams.set(name, left)
        else openStreams.delete(name)
      }
    }
  }
}

function isTeamShown({ widget }: BotRecord): boolean {
  return widget.look.team_avatar !== null
}

function toState(conversation: KnownConversation | undefined) {
  const { status, agentName } = conversation?.handover ?? { status: 'none' as const, agentName: null }
  return { status, agent_name: status === 'active' ? agentName : null }
}

function lastEventId(request: FastifyRequest): string | undefined {
  const value = request.headers['last-event-id']
  return typeof value === 'string' && value !== '' ? value : undefined
}
