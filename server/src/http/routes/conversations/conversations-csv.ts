// Exports all filtered conversations as CSV, streamed as they are read.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { csvReport } from '../../../sources/csv.ts'
import type { InboxCursor, InboxRecord } from '../../../storage/inbox.ts'
import { timestamp } from '../../times.ts'

type List = (before: InboxCursor | null, limit: number) => Promise<InboxRecord[]>

const AT_ONCE = 200

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

export function sendConversationsCsv(reply: FastifyReply, list: List, now: number): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', 'attachment; filename="conversations.csv"')
    .send(Readable.from(csvOf(list, now)))
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
