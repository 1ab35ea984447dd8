import {
  type Conversation,
  type ConversationSummary,
  Fault,
  type Note,
  type QueryOf,
  type Routes,
  type Visit,
} from '@docent/contract'
import type { FastifyReply } from 'fastify'
import { hasRole, type Manager } from '../access/managers.ts'
import { questionKey } from '../answers/understand/question-key.ts'
import type { Context } from '../context.ts'
import { seenUntil } from '../conversations/inbox.ts'
import type { LiveSignal } from '../conversations/live.ts'
import { csvReport } from '../sources/csv.ts'
import type { InboxCursor, InboxRecord, InboxTable, InboxView, NoteRecord, WaitingCursor } from '../storage/inbox.ts'
import type { ActivityFilter, InboxFilter } from '../storage/inbox-filter.ts'
import type { Visit as VisitRecord } from '../storage/visits.ts'
import { timestamp, timestampOrNull } from '../timestamps.ts'
import { toIdentity } from './identity.ts'
import { toConversationMessage, toHandover, toPreview } from './messages.ts'
import type { Modules } from './modules.ts'
import type { AccessWatch } from './server/access-watch.ts'
import { sendPieces } from './server/downloads.ts'
import type { LiveStream, LiveStreams } from './server/event-streams.ts'
import { page, parseCursor } from './server/paging.ts'
import { LARGE, type Route } from './server/route.ts'

const SHOWN_MESSAGES = 200

export function conversationRoutes(
  route: Route,
  { storage, clock }: Context,
  { access, conversations }: Pick<Modules, 'access' | 'conversations'>,
  { streams, accessWatch }: { streams: LiveStreams; accessWatch: AccessWatch },
) {
  const { inbox, identities, inboxChanges, conversationChanges, visits, messages, passages, people } = storage
  const { findBot } = access
  const { agentOf, takeOver, changeConversation, addNote, markSeen, live } = conversations

  /** The conversation, and the calling agent. */
  async function subjectOf(manager: Manager, params: { botId: string; conversationId: string }) {
    const { id: botId, workspaceId } = await findBot(manager, params.botId)
    const agent = await agentOf(manager, workspaceId)
    return { agent, workspaceId, ids: { botId, conversationId: params.conversationId, readerId: agent.id } }
  }

  async function findConversation(...of: Parameters<typeof subjectOf>): Promise<InboxRecord> {
    return takeOver.find((await subjectOf(...of)).ids)
  }

  async function messagesOf({ botId, id }: InboxRecord, limit: number, before?: string) {
    const some = await messages.list(botId, id, limit + 1, before)
    const shown = some.slice(-limit)
    const replyIds = shown.filter(({ role }) => role === 'assistant').map((message) => message.id)
    const cited = await passages.listCited(botId, id, replyIds)
    return {
      messages: shown.map((message) => toConversationMessage(message, cited.get(message.id))),
      has_more: some.length > limit,
    }
  }

  route('GET /api/manage/v1/bots/{botId}/conversations', async ({ caller, params, query, reply }) => {
    const bot = await findBot(caller, params.botId)
    const { id: me } = await agentOf(caller, bot.workspaceId)
    const view = { readerId: me, now: clock() }
    return sendList(query, reply, view, { inbox, botIds: [bot.id], filter: filterOf(query, me) })
  })

  route(
    'GET /api/manage/v1/bots/{botId}/conversations/{conversationId}',
    async ({ caller, params }) => {
      const conversation = await findConversation(caller, params)
      const { botId, id, visitor } = conversation
      const [conversationView, notes, changes, identity, visit] = await Promise.all([
        messagesOf(conversation, SHOWN_MESSAGES),
        inbox.listNotes(botId, id),
        conversationChanges.list(botId, id),
        visitor?.level === 'verified' ? identities.findOf(botId, visitor.id) : undefined,
        visits.find(botId, id),
      ])
      const whole: Conversation = {
        ...toSummary(conversation),
        metadata: conversation.metadata ? JSON.parse(conversation.metadata) : null,
        identity: identity ? toIdentity(identity) : null,
        visit: visit && toVisit(visit),
        ...conversationView,
        notes: notes.map(toNote),
        changes: changes.map(({ createdAt, ...change }) => ({ ...change, created_at: timestamp(createdAt) })),
      }
      return whole
    },
    LARGE,
  )

  route(
    'GET /api/manage/v1/bots/{botId}/conversations/{conversationId}/messages',
    async ({ caller, params, query }) =>
      messagesOf(await findConversation(caller, params), query.limit ?? 50, query.before),
    LARGE,
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

  route(
    'POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/accept',
    async ({ caller, params, body, setAuditTarget }) => {
      const { ids, agent } = await subjectOf(caller, params)
      const { conversation, changed } = await takeOver.accept(ids, agent, body.expected_agent_id)
      setAuditTarget(changed ? conversation.id : null)
      return toSummary(conversation)
    },
  )

  route(
    'POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/close',
    async ({ caller, params, setAuditTarget }) => {
      const { ids, agent } = await subjectOf(caller, params)
      const { conversation, changed } = await takeOver.close(ids, agent)
      setAuditTarget(changed ? conversation.id : null)
      return toSummary(conversation)
    },
  )

  route(
    'PATCH /api/manage/v1/bots/{botId}/conversations/{conversationId}',
    async ({ caller, params, body, setAuditTarget }) => {
      const { ids, workspaceId, agent } = await subjectOf(caller, params)
      const { conversation, description } = await changeConversation(ids, workspaceId, agent, body)
      setAuditTarget(description && `${conversation.id} (${description})`)
      return toSummary(conversation)
    },
  )

  route(
    'DELETE /api/manage/v1/bots/{botId}/conversations/{conversationId}',
    async ({ caller, params, setAuditTarget }) => {
      const { botId, conversationId } = (await subjectOf(caller, params)).ids
      if (!(await people.eraseConversation(botId, conversationId))) throw new Fault('not_found')
      live.publish({ botId, conversationId, kind: 'change' })
      setAuditTarget(conversationId)
      return undefined
    },
  )

  route('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/read', async ({ caller, params, body }) => {
    const { ids, agent } = await subjectOf(caller, params)
    const conversation = await takeOver.find(ids)
    await inboxChanges.markRead(conversation, agent.id, seenUntil(body.until, clock()))
    // Visitors are told only of agents reading an open conversation.
    if (conversation.status === 'open' && hasRole(caller, 'agent')) await markSeen(conversation, 'agent', body.until)
    return undefined
  })

  route('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/typing', async ({ caller, params }) => {
    const { ids, agent } = await subjectOf(caller, params)
    const { botId, id } = await takeOver.find(ids)
    live.publish({ botId, conversationId: id, kind: 'typing', by: 'agent', agentName: agent.name })
    return undefined
  })

  route('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/notes', async ({ caller, params, body }) => {
    const { ids, workspaceId, agent } = await subjectOf(caller, params)
    return toNote(await addNote(await takeOver.find(ids), workspaceId, agent, body))
  })

  route('GET /api/manage/v1/bots/{botId}/events', async ({ caller, params, request, reply }) => {
    const bot = await findBot(caller, params.botId)
    const stream = streams.open(reply)
    accessWatch.watch(request, 'viewer', (manager) => findBot(manager, bot.id), stream)
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

interface Listed {
  inbox: Pick<InboxTable, 'list' | 'listWaitingFirst'>
  botIds: readonly string[]
  filter: InboxFilter
}

export async function sendList(
  query: QueryOf<Routes['GET /api/manage/v1/bots/{botId}/conversations']>,
  reply: FastifyReply,
  view: InboxView,
  { inbox, botIds, filter }: Listed,
) {
  const byNewest: List = (before, limit) => inbox.list(botIds, filter, view, before, limit)
  if (query.format === 'csv') return sendConversationsCsv(reply, byNewest, view.now)
  const isWaitingFirst = query.sort === 'waiting'
  return page(
    query,
    async (cursor, limit) => {
      const conversations = isWaitingFirst
        ? await inbox.listWaitingFirst(botIds, filter, view, parseWaitingCursor(cursor), limit)
        : await byNewest(parseInboxCursor(cursor), limit)
      return conversations.map((conversation) => ({ id: cursorOf(conversation, isWaitingFirst), conversation }))
    },
    ({ conversation }) => toSummary(conversation),
  )
}

/** The time by which it is sorted, and its id. */
function cursorOf({ id, waiting, updatedAt }: InboxRecord, isWaitingFirst: boolean): string {
  return isWaitingFirst && waiting ? `w${waiting.since}.${id}` : `${updatedAt}.${id}`
}

function parseInboxCursor(cursor: string): InboxCursor | null {
  const match = parseCursor(cursor, /^(\d{1,15})\.(.+)$/)
  return match ? { updatedAt: Number(match[1]), id: match[2] as string } : null
}

function parseWaitingCursor(cursor: string): WaitingCursor | InboxCursor | null {
  const [, isWaiting, time, id = ''] = parseCursor(cursor, /^(w?)(\d{1,15})\.(.+)$/) ?? []
  if (time === undefined) return null
  return isWaiting ? { since: Number(time), id } : { updatedAt: Number(time), id }
}

/** From list query parameters; `me` is the caller. */
export function filterOf(query: QueryOf<Routes['GET /api/manage/v1/bots/{botId}/conversations']>, me: string) {
  const {
    channel,
    handover,
    status,
    waiting,
    assignee,
    tag,
    mentions,
    unanswered,
    visitor_id: visitorId,
    q: text,
  } = query
  const assigneeId = assignee === 'me' ? me : assignee === 'none' ? null : assignee
  const mentioned = mentions && { memberId: me, isUnread: mentions === 'unread' }
  const filter = { mentioned, channel, handover, status, waiting, assigneeId, tag, unanswered, visitorId, text }
  return { ...filter, ...parseActivityFilter(query) }
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
  const { visitor, lastMessage, lastVisitorMessage: question, waiting } = conversation
  return {
    id: conversation.id,
    bot_id: conversation.botId,
    session_id: conversation.sessionId,
    channel: conversation.channel,
    visitor: visitor && {
      id: visitor.id,
      name: visitor.name,
      email: visitor.email,
      level: visitor.level,
      user_id: visitor.userId,
    },
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
    mention: conversation.mention,
    waiting: waiting && { since: timestamp(waiting.since), due_at: timestampOrNull(waiting.dueAt) },
    unread: conversation.unread,
    seen: {
      by_visitor: timestampOrNull(conversation.visitorSeenAt),
      by_agent: timestampOrNull(conversation.agentSeenAt),
    },
    created_at: timestamp(conversation.createdAt),
    updated_at: timestamp(conversation.updatedAt),
  }
}

export function toVisit({ pages, ...visit }: VisitRecord): Visit {
  return { ...visit, pages: pages.map(({ url, visitedAt }) => ({ url, visited_at: timestamp(visitedAt) })) }
}

function toNote({ id, text, author, mentions, createdAt }: NoteRecord): Note {
  return { id, text, author, mentions, created_at: timestamp(createdAt) }
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
  ['level', ({ visitor }) => visitor?.level],
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
  reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment; filename="conversations.csv"')
  return sendPieces(reply, csvOf(list, now))
}

async function* csvOf(list: List, now: number) {
  // The byte order mark tells spreadsheets that this is UTF-8.
  yield `\uFEFF${csvReport([columns.map(([name]) => name)])}`
  const sentIds = new Set<string>()
  // Conversations with new messages move to the top: rescan it until nothing there is new.
  for (let top: InboxCursor | null = null, isNew = true; isNew; ) {
    const start: InboxCursor | null = top
    isNew = false
    for (let before: InboxCursor | null = null, isEnd = false; !isEnd; ) {
      const some: InboxRecord[] = await list(before, AT_ONCE)
      if (before === null) top = some[0] ?? null
      // Without conversations that began meanwhile, or the export of a busy inbox would never end.
      const fresh = some.filter(({ id, createdAt }) => !sentIds.has(id) && createdAt <= now)
      for (const { id } of fresh) sentIds.add(id)
      yield fresh.length > 0 ? csvReport(fresh.map(toRow)) : ''
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
