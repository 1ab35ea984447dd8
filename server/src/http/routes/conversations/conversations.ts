import type { Conversation, ConversationSummary, Note, QueryOf, Routes } from '@docent/contract'
import type { FindBot, Manager } from '../../../access/managers.ts'
import { questionKey } from '../../../answers/understand/question-key.ts'
import { addNote } from '../../../conversations/add-note.ts'
import { roles } from '../../../conversations/conversation-events.ts'
import type { Agent, TakeOver } from '../../../conversations/handover/take-over.ts'
import type { Live } from '../../../conversations/live.ts'
import type { HappenedFilter } from '../../../storage/conversations/happened.ts'
import type { InboxRecord, InboxTable, NoteRecord } from '../../../storage/conversations/inbox.ts'
import type { MessagesTable } from '../../../storage/conversations/messages.ts'
import { page, parsePlace } from '../../paging.ts'
import type { Route } from '../../route.ts'
import type { LiveStreams } from '../../streams/live-stream.ts'
import type { AccessWatch } from '../../streams/watch-access.ts'
import { timestamp } from '../../times.ts'
import { toConversationMessage, toHandover } from './message-shapes.ts'

interface Deps {
  inbox: InboxTable
  messages: Pick<MessagesTable, 'list'>
  findBot: FindBot
  /** The member's name, as visitors read it. */
  agentOf: (manager: Manager) => Promise<Agent>
  takeOver: TakeOver
  live: Live
  streams: LiveStreams
  access: Pick<AccessWatch, 'watch'>
  clock: () => number
}

const SHOWN_MESSAGES = 200

export function conversationRoutes(route: Route, deps: Deps) {
  const { inbox, messages, findBot, agentOf, takeOver, live, streams, access, clock } = deps

  async function idsOf(manager: Manager, params: { botId: string; conversationId: string }) {
    const { id: botId } = await findBot(manager, params.botId)
    return { botId, conversationId: params.conversationId }
  }

  async function found(...of: Parameters<typeof idsOf>): Promise<InboxRecord> {
    return takeOver.find(await idsOf(...of))
  }

  async function messagesOf({ botId, id }: InboxRecord, limit: number, before?: string) {
    const some = await messages.list(botId, id, limit + 1, before)
    return { messages: some.slice(-limit).map(toConversationMessage), has_more: some.length > limit }
  }

  route('GET /api/manage/v1/bots/{botId}/conversations', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    const { channel, handover, unanswered, visitor_id: visitorId, q: text } = query
    const filter = { channel, handover, unanswered, visitorId, text, ...happenedIn(query) }
    return page(
      query,
      async (before, limit) => (await inbox.list(bot.id, filter, conversationPlace(before), limit)).map(withPlace),
      ({ conversation }) => toSummary(conversation),
    )
  })

  route('GET /api/manage/v1/bots/{botId}/conversations/{conversationId}', async ({ caller, params }) => {
    const conversation = await found(caller, params)
    const { botId, id } = conversation
    const [shown, notes] = await Promise.all([messagesOf(conversation, SHOWN_MESSAGES), inbox.listNotes(botId, id)])
    const whole: Conversation = {
      ...toSummary(conversation),
      metadata: conversation.metadata ? JSON.parse(conversation.metadata) : null,
      ...shown,
      notes: notes.map(toNote),
    }
    return whole
  })

  route('GET /api/manage/v1/bots/{botId}/conversations/{conversationId}/messages', async ({ caller, params, query }) =>
    messagesOf(await found(caller, params), query.limit ?? 50, query.before),
  )

  route(
    'POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/messages',
    async ({ caller, params, body, did }) => {
      const ids = await idsOf(caller, params)
      const { message, tookOver } = await takeOver.reply(ids, await agentOf(caller), body.text)
      did(tookOver ? params.conversationId : null)
      return toConversationMessage(message)
    },
  )

  route('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/accept', async ({ caller, params, did }) => {
    const { conversation, changed } = await takeOver.accept(await idsOf(caller, params), await agentOf(caller))
    did(changed ? conversation.id : null)
    return toSummary(conversation)
  })

  route('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/close', async ({ caller, params, did }) => {
    const { conversation, changed } = await takeOver.close(await idsOf(caller, params))
    did(changed ? conversation.id : null)
    return toSummary(conversation)
  })

  route('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/typing', async ({ caller, params }) => {
    const { botId, id } = await found(caller, params)
    const { name: agentName } = await agentOf(caller)
    live.publish({ botId, conversationId: id, kind: 'typing', by: 'agent', agentName })
    return undefined
  })

  route('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/notes', async ({ caller, params, body }) => {
    const conversation = await found(caller, params)
    const note = await addNote({ inbox, live, clock }, conversation, (await agentOf(caller)).name, body.text)
    return toNote(note)
  })

  route('GET /api/manage/v1/bots/{botId}/events', async ({ caller, params, request, reply }) => {
    const bot = await findBot(caller, params.botId)
    const stream = streams.open(reply)
    access.watch(request, bot.id, 'viewer', stream)
    const stop = live.hear(bot.id, (signal) => {
      const { conversationId: conversation_id, kind } = signal
      if (signal.kind === 'typing') stream.send('typing', { conversation_id, by: signal.by })
      else stream.send('conversation', { conversation_id, kind })
    })
    stream.onEnd(stop)
    return reply
  })
}

/** Sorted by the newest message; the cursor is its time with the id. */
function withPlace(conversation: InboxRecord) {
  return { id: `${conversation.updatedAt}.${conversation.id}`, conversation }
}

function conversationPlace(place: string) {
  const match = parsePlace(place, /^(\d{1,15})\.(.+)$/)
  return match ? { updatedAt: Number(match[1]), id: match[2] as string } : null
}

function happenedIn({
  had,
  asked,
  since,
  until,
}: QueryOf<Routes['GET /api/manage/v1/bots/{botId}/conversations']>): HappenedFilter {
  return {
    had,
    // What has no letter or digit has no key, and nobody asked it.
    asked: asked === undefined ? undefined : (questionKey(asked) ?? ''),
    since: since === undefined ? undefined : Date.parse(since),
    until: until === undefined ? undefined : Date.parse(until),
  }
}

export function toSummary(conversation: InboxRecord): ConversationSummary {
  const { lastMessage } = conversation
  return {
    id: conversation.id,
    session_id: conversation.sessionId,
    channel: conversation.channel,
    visitor: conversation.visitor,
    user_id: conversation.userId,
    page_url: conversation.pageUrl,
    language: conversation.language,
    message_count: conversation.messageCount,
    last_message: lastMessage && { role: roles[lastMessage.role], text: lastMessage.text },
    unanswered: conversation.unanswered,
    handover: toHandover(conversation.handover),
    created_at: timestamp(conversation.createdAt),
    updated_at: timestamp(conversation.updatedAt),
  }
}

export function toNote({ id, text, author, createdAt }: NoteRecord): Note {
  return { id, text, author, created_at: timestamp(createdAt) }
}
