import {
  type Conversation,
  type ConversationSummary,
  Fault,
  type Note,
  type QueryOf,
  type Routes,
} from '@docent/contract'
import type { FastifyReply } from 'fastify'
import { type FindBot, hasRole, type Manager } from '../access/managers.ts'
import { questionKey } from '../answers/understand/question-key.ts'
import { addNote, type ChangeConversation, type MarkSeen, seenUntil } from '../conversations/inbox.ts'
import type { Live, LiveSignal } from '../conversations/live.ts'
import type { Agent, TakeOver } from '../conversations/take-over.ts'
import { csvReport } from '../sources/csv.ts'
import type { InboxChangesTable, InboxCursor, InboxRecord, InboxTable, NoteRecord } from '../storage/inbox.ts'
import type { ActivityFilter } from '../storage/inbox-filter.ts'
import type { MessagesTable } from '../storage/messages.ts'
import type { PeopleTable } from '../storage/privacy.ts'
import { toConversationMessage, toHandover, toPreview } from './messages.ts'
import type { AccessWatch } from './server/access-watch.ts'
import { streamOf } from './server/downloads.ts'
import type { LiveStream, LiveStreams } from './server/event-streams.ts'
import { page, parseCursor } from './server/paging.ts'
import type { Route } from './server/route.ts'
import { timestamp, timestampOrNull } from './server/times.ts'

interface Deps {
  inbox: InboxTable
  inboxChanges: Pick<InboxChangesTable, 'markRead'>
  messages: Pick<MessagesTable, 'list'>
  people: Pick<PeopleTable, 'eraseConversation'>
  findBot: FindBot
  /** The member's public name. */
  agentOf: (manager: Manager, workspaceId: string) => Promise<Agent>
  takeOver: TakeOver
  changeConversation: ChangeConversation
  markSeen: MarkSeen
  live: Live
  streams: LiveStreams
  access: Pick<AccessWatch, 'watch'>
  clock: () => number
}

const SHOWN_MESSAGES = 200
const ONE = '/api/manage/v1/bots/{botId}/conversations/{conversationId}'

export function conversationRoutes(route: Route, deps: Deps) {
  const { inbox, inboxChanges, messages, people, findBot, agentOf, takeOver, changeConversation, markSeen } = deps
  const { live, streams, access, clock } = deps

  /** The conversation, and the calling agent. */
  async function subjectOf(manager: Manager, params: { botId: string; conversationId: string }) {
    const { id: botId, workspaceId } = await findBot(manager, params.botId)
    const agent = await agentOf(manager, workspaceId)
    return { agent, workspaceId, ids: { botId, conversationId: params.conversationId, readerId: agent.id } }
  }

  async function found(...of: Parameters<typeof subjectOf>): Promise<InboxRecord> {
    return takeOver.find((await subjectOf(...of)).ids)
  }

  async function messagesOf({ botId, id }: InboxRecord, limit: number, before?: string) {
    const some = await messages.list(botId, id, limit + 1, before)
    return { messages: some.slice(-limit).map(toConversationMessage), has_more: some.length > limit }
  }

  route('GET /api/manage/v1/bots/{botId}/conversations', async ({ caller, params, query, reply }) => {
    const bot = await findBot(caller, params.botId)
    const { id: me } = await agentOf(caller, bot.workspaceId)
    const view = { readerId: me, now: clock() }
    return sendList(query, reply, view.now, (before, limit) =>
      inbox.list([bot.id], filterOf(query, me), view, before, limit),
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
    async ({ caller, params, body, setAuditTarget }) => {
      const { ids, agent } = await subjectOf(caller, params)
      const { message, tookOver } = await takeOver.reply(ids, agent, body.text)
      setAuditTarget(tookOver ? params.conversationId : null)
      return toConversationMessage(message)
    },
  )

  route(`POST ${ONE}/accept`, async ({ caller, params, body, setAuditTarget }) => {
    const { ids, agent } = await subjectOf(caller, params)
    const { conversation, changed } = await takeOver.accept(ids, agent, body.expected_agent_id)
    setAuditTarget(changed ? conversation.id : null)
    return toSummary(conversation)
  })

  route(`POST ${ONE}/close`, async ({ caller, params, setAuditTarget }) => {
    const { conversation, changed } = await takeOver.close((await subjectOf(caller, params)).ids)
    setAuditTarget(changed ? conversation.id : null)
    return toSummary(conversation)
  })

  route(`PATCH ${ONE}`, async ({ caller, params, body, setAuditTarget }) => {
    const { ids, workspaceId, agent } = await subjectOf(caller, params)
    const { conversation, done } = await changeConversation(ids, workspaceId, agent, body)
    setAuditTarget(done && `${conversation.id} (${done})`)
    return toSummary(conversation)
  })

  route(`DELETE ${ONE}`, async ({ caller, params, setAuditTarget }) => {
    const { botId, conversationId } = (await subjectOf(caller, params)).ids
    if (!(await people.eraseConversation(botId, conversationId))) throw new Fault('not_found')
    live.publish({ botId, conversationId, kind: 'change' })
    setAuditTarget(conversationId)
    return undefined
  })

  route(`POST ${ONE}/read`, async ({ caller, params, body }) => {
    const { ids, agent } = await subjectOf(caller, params)
    const conversation = await takeOver.find(ids)
    await inboxChanges.markRead(conversation, agent.id, seenUntil(body.until, clock()))
    // Visitors are told only of agents reading an open conversation.
    if (conversation.status === 'open' && hasRole(caller, 'agent')) await markSeen(conversation, 'agent', body.until)
    return undefined
  })

  route(`POST ${ONE}/typing`, async ({ caller, params }) => {
    const { ids, agent } = await subjectOf(caller, params)
    const { botId, id } = await takeOver.find(ids)
    live.publish({ botId, conversationId: id, kind: 'typing', by: 'agent', agentName: agent.name })
    return undefined
  })

  route(`POST ${ONE}/notes`, async ({ caller, params, body }) => {
    const { ids, agent } = await subjectOf(caller, params)
    return toNote(await addNote({ inbox, live, clock }, await takeOver.find(ids), agent.name, body.text))
  })

  route('GET /api/manage/v1/bots/{botId}/events', async ({ caller, params, request, reply }) => {
    const bot = await findBot(caller, params.botId)
    const stream = streams.open(reply)
    access.watch(request, 'viewer', (manager) => findBot(manager, bot.id), stream)
    stream.onEnd(live.subscribe(bot.id, (signal) => sendSignal(stream, signal)))
    return reply
  })
}

export function sendSignal(stream: LiveStream, signal: LiveSignal) {
  const subject = { bot_id: signal.botId, conversation_id: signal.conversationId }
  if (signal.kind === 'typing') stream.send('typing', { ...subject, by: signal.by })
  else if (signal.kind === 'seen') stream.send('seen', { ...subject, by: signal.by, until: timestamp(signal.until) })
  else stream.send('conversation', { ...subject, kind: signal.kind })
}

export async function sendList(
  query: QueryOf<Routes['GET /api/manage/v1/bots/{botId}/conversations']>,
  reply: FastifyReply,
  now: number,
  list: (before: InboxCursor | null, limit: number) => Promise<InboxRecord[]>,
) {
  if (query.format === 'csv') return sendConversationsCsv(reply, list, now)
  return page(
    query,
    async (before, limit) => (await list(parseInboxCursor(before), limit)).map(withCursor),
    ({ conversation }) => toSummary(conversation),
  )
}

/** Sorted by newest message; the cursor is its time and id. */
function withCursor(conversation: InboxRecord) {
  return { id: `${conversation.updatedAt}.${conversation.id}`, conversation }
}

function parseInboxCursor(cursor: string) {
  const match = parseCursor(cursor, /^(\d{1,15})\.(.+)$/)
  return match ? { updatedAt: Number(match[1]), id: match[2] as string } : null
}

/** From list query parameters; `me` is the caller. */
export function filterOf(query: QueryOf<Routes['GET /api/manage/v1/bots/{botId}/conversations']>, me: string) {
  const { channel, handover, status, assignee, tag, unanswered, visitor_id: visitorId, q: text } = query
  const assigneeId = assignee === 'me' ? me : assignee === 'none' ? null : assignee
  return { channel, handover, status, assigneeId, tag, unanswered, visitorId, text, ...parseActivityFilter(query) }
}

function parseActivityFilter({
  had,
  asked,
  since,
  until,
}: QueryOf<Routes['GET /api/manage/v1/bots/{botId}/conversations']>): ActivityFilter {
  return {
    had,
    // Text without letters or digits has no key and matches nothing.
    asked: asked === undefined ? undefined : (questionKey(asked) ?? ''),
    since: since === undefined ? undefined : Date.parse(since),
    until: until === undefined ? undefined : Date.parse(until),
  }
}

export function toSummary(conversation: InboxRecord): ConversationSummary {
  const { lastMessage, lastVisitorMessage: question } = conversation
  return {
    id: conversation.id,
    bot_id: conversation.botId,
    session_id: conversation.sessionId,
    channel: conversation.channel,
    visitor: conversation.visitor,
    user_id: conversation.userId,
    page_url: conversation.pageUrl,
    language: conversation.language,
    message_count: conversation.messageCount,
    last_message: lastMessage && toPreview(lastMessage),
    last_visitor_message: question && {
      text: question.text,
      unverified: question.unverified,
      created_at: timestamp(question.createdAt),
    },
    unanswered: conversation.unanswered,
    rating: conversation.rating,
    low_confidence: conversation.lowConfidence,
    handover: toHandover(conversation.handover),
    status: conversation.status,
    snoozed_until: timestampOrNull(conversation.snoozedUntil),
    assignee: conversation.assignee,
    tags: conversation.tags,
    unread: conversation.unread,
    seen: {
      by_visitor: timestampOrNull(conversation.visitorSeenAt),
      by_agent: timestampOrNull(conversation.agentSeenAt),
    },
    created_at: timestamp(conversation.createdAt),
    updated_at: timestamp(conversation.updatedAt),
  }
}

export function toNote({ id, text, author, createdAt }: NoteRecord): Note {
  return { id, text, author, created_at: timestamp(createdAt) }
}

// Exports all filtered conversations as CSV, streamed as they are read.

type List = (before: InboxCursor | null, limit: number) => Promise<InboxRecord[]>

const AT_ONCE = 50

const columns: [name: string, value: (conversation: InboxRecord) => string | number | boolean | null | undefined][] = [
  ['id', ({ id }) => id],
  ['bot_id', ({ botId }) => botId],
  ['created_at', ({ createdAt }) => timestamp(createdAt)],
  ['updated_at', ({ updatedAt }) => timestamp(updatedAt)],
  ['status', ({ status }) => status],
  ['snoozed_until', ({ snoozedUntil }) => snoozedUntil && timestamp(snoozedUntil)],
  ['assignee', ({ assignee }) => assignee?.name],
  ['tags', ({ tags }) => tags.join('; ')],
  ['channel', ({ channel }) => channel],
  ['visitor_id', ({ visitor }) => visitor?.id],
  ['name', ({ visitor }) => visitor?.name],
  ['email', ({ visitor }) => visitor?.email],
  ['user_id', ({ userId }) => userId],
  ['language', ({ language }) => language],
  ['page_url', ({ pageUrl }) => pageUrl],
  ['messages', ({ messageCount }) => messageCount],
  ['last_visitor_message', ({ lastVisitorMessage }) => lastVisitorMessage?.text],
  ['unanswered', ({ unanswered }) => unanswered],
  ['low_confidence', ({ lowConfidence }) => lowConfidence],
  ['handover', ({ handover }) => handover.status],
  ['stars', ({ rating }) => rating?.stars],
  ['stars_reason', ({ rating }) => rating?.reason],
]

function sendConversationsCsv(reply: FastifyReply, list: List, now: number): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', 'attachment; filename="conversations.csv"')
    .send(streamOf(csvOf(list, now)))
}

async function* csvOf(list: List, now: number) {
  // The byte order mark tells spreadsheets that this is UTF-8.
  yield `\uFEFF${csvReport([columns.map(([name]) => name)])}`
  const sent = new Set<string>()
  // Conversations with new messages move to the top: rescan it until nothing there is new.
  for (let top: InboxCursor | null = null, isNew = true; isNew; ) {
    const start: InboxCursor | null = top
    isNew = false
    for (let before: InboxCursor | null = null, isEnd = false; !isEnd; ) {
      const some: InboxRecord[] = await list(before, AT_ONCE)
      if (before === null) top = some[0] ?? null
      // Without conversations that began meanwhile, or the export of a busy inbox would never end.
      const fresh = some.filter(({ id, createdAt }) => !sent.has(id) && createdAt <= now)
      for (const { id } of fresh) sent.add(id)
      if (fresh.length > 0) yield csvReport(fresh.map(toRow))
      isNew ||= fresh.length > 0
      const last = some.at(-1)
      isEnd = some.length < AT_ONCE || !last || (start !== null && last.updatedAt < start.updatedAt)
      before = last ?? null
    }
  }
}

function toRow(conversation: InboxRecord): string[] {
  return columns.map(([, value]) => String(value(conversation) ?? ''))
}
