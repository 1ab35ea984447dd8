import { type ExportedConversation, type ExportedVisitor, Fault, type VisitorSummary } from '@docent/contract'
import type { Context } from '../context.ts'
import { toAttachment } from '../conversations/attachments.ts'
import type { ConversationData, VisitorData } from '../privacy/visitors.ts'
import type { PersonRecord } from '../storage/privacy.ts'
import { timestamp, timestampOrNull } from '../timestamps.ts'
import { toSummary, toVisit } from './conversations.ts'
import { toIdentity } from './identity.ts'
import { toLead } from './leads.ts'
import { toConversationMessage } from './messages.ts'
import type { Modules } from './modules.ts'
import { sendPieces } from './server/downloads.ts'
import { page, parseCursor } from './server/paging.ts'
import type { Route } from './server/route.ts'

export function visitorRoutes(
  route: Route,
  { storage, clock }: Context,
  { access, privacy }: Pick<Modules, 'access' | 'privacy'>,
) {
  const { people, retention } = storage
  const { findBot, audit } = access

  route('GET /api/manage/v1/bots/{botId}/visitors', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    const text = query.q?.trim() ?? ''
    return page(
      query,
      async (before, limit) => (await people.list(bot.id, text, parsePersonCursor(before), limit)).map(withCursor),
      ({ person }) => toVisitor(person),
    )
  })

  route('GET /api/manage/v1/bots/{botId}/visitors/{visitorId}', async ({ caller, params, reply }) => {
    const bot = await findBot(caller, params.botId)
    const visitorData = await privacy.exportVisitor(bot.id, params.visitorId)
    if (!visitorData) throw new Fault('not_found')
    reply.type('application/json; charset=utf-8').header('content-disposition', 'attachment; filename="visitor.json"')
    return sendPieces(reply, exportText(bot.id, visitorData, clock()))
  })

  route('DELETE /api/manage/v1/bots/{botId}/visitors/{visitorId}', async ({ caller, params, request }) => {
    const bot = await findBot(caller, params.botId)
    if (!(await people.erase(bot.id, params.visitorId))) throw new Fault('not_found')
    // The audit log must not keep who it was.
    await audit.record({ caller, request }, bot.workspaceId, 'visitor.erased', `${bot.name} (${bot.id})`)
    return undefined
  })

  route('GET /api/manage/v1/bots/{botId}/privacy', async ({ caller, params }) => {
    const bot = await findBot(caller, params.botId)
    const { lastRunAt, lastRemoved, oldestAt } = await retention.describe(bot.id)
    return {
      retention_days: bot.retentionDays,
      last_run_at: timestampOrNull(lastRunAt),
      last_removed: lastRemoved,
      oldest_conversation_at: timestampOrNull(oldestAt),
    }
  })
}

/** In pieces, so that years of conversations use no more memory than a few messages. */
async function* exportText(botId: string, { person, identity, leads, conversations }: VisitorData, now: number) {
  const head = {
    exported_at: timestamp(now),
    bot_id: botId,
    visitor: toExportedVisitor(person),
    identity: identity && toIdentity(identity),
    leads: leads.map(toLead),
  }
  yield `${JSON.stringify(head).slice(0, -1)},"conversations":[`
  let separator = ''
  for await (const conversation of conversations) {
    yield `${separator}${JSON.stringify(toExportedConversation(conversation)).slice(0, -1)},"messages":[`
    separator = ','
    let comma = ''
    for await (const messages of conversation.messages) {
      yield comma + messages.map((message) => JSON.stringify(toConversationMessage(message))).join(',')
      comma = ','
    }
    yield '],"attachments":['
    comma = ''
    for await (const file of conversation.files) {
      yield `${comma}${JSON.stringify(toAttachment(file)).slice(0, -1)},"content_base64":"`
      comma = ','
      for await (const { buffer, byteOffset, byteLength } of file.pieces)
        yield Buffer.from(buffer, byteOffset, byteLength).toString('base64')
      yield '"}'
    }
    yield ']}'
  }
  yield ']}'
}

function toExportedConversation({
  conversation,
  notes,
  visit,
}: ConversationData): Omit<ExportedConversation, 'messages' | 'attachments'> {
  const { visitor: _visitor, last_message: _last, last_visitor_message: _question, ...whole } = toSummary(conversation)
  // What the reader of the inbox has to do with it, not the visitor.
  const { unread: _unread, mention: _mention, ...summary } = whole
  return {
    ...summary,
    metadata: conversation.metadata ? JSON.parse(conversation.metadata) : null,
    visit: visit && toVisit(visit),
    // Without the members whom they mention.
    notes: notes.map(({ id, text, author, createdAt }) => ({ id, text, author, created_at: timestamp(createdAt) })),
  }
}

function toExportedVisitor(person: PersonRecord): ExportedVisitor {
  const { id, channel, level, name, email, phone, userId, locale, firstSeenAt } = person
  return { id, channel, level, name, email, phone, user_id: userId, locale, first_seen_at: timestamp(firstSeenAt) }
}

function toVisitor(person: PersonRecord): VisitorSummary {
  const { id, channel, level, name, email, phone, userId, conversations, firstSeenAt, lastSeenAt } = person
  return {
    id,
    channel,
    level,
    name,
    email,
    phone,
    user_id: userId,
    conversations,
    first_seen_at: timestamp(firstSeenAt),
    last_seen_at: timestamp(lastSeenAt),
  }
}

/** Sorted by first visit; the cursor is its time and id. */
function withCursor(person: PersonRecord) {
  return { id: `${person.firstSeenAt}.${person.id}`, person }
}

function parsePersonCursor(cursor: string) {
  const match = parseCursor(cursor, /^(\d{1,15})\.(.+)$/s)
  return match ? { firstSeenAt: Number(match[1]), id: match[2] as string } : null
}
