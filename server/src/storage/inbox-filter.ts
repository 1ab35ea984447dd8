// Turns inbox filters into SQL conditions.
import type { HandoverStatus, Happening, InboxStatus } from '@docent/contract'
import type { Value } from './database.ts'
import type { Channel } from './messages.ts'
import { CONFIDENT_REPLY } from './questions.ts'
import { outcomeOf, SETTLED_MS } from './resolutions.ts'

export interface InboxFilter extends ActivityFilter {
  channel?: Channel | undefined
  handover?: HandoverStatus | 'open' | undefined
  status?: InboxStatus | undefined
  /** For a person; not while snoozed. */
  waiting?: boolean | undefined
  /** Null: unassigned. */
  assigneeId?: string | null | undefined
  tag?: string | undefined
  /** With a note that mentions this member. */
  mentioned?: { memberId: string; isUnread: boolean } | undefined
  /** Unanswered, or answered with low confidence. */
  unanswered?: boolean | undefined
  visitorId?: string | undefined
  userId?: string | undefined
  text?: string | undefined
}

const HANDED_OVER = `c.handover_status IN ('requested', 'active')`

/**
 * What to select a bot's conversations from, $1 being the bot, and how it is joined. Starts with the few that mention the
 * member, if that is asked: CROSS JOIN keeps this order on SQLite, which would walk all conversations otherwise.
 */
export function sourceOf({ mentioned }: InboxFilter, value: (parameter: Value) => string) {
  const ofBot = 'c.bot_id = $1'
  if (!mentioned) return { tables: 'conversations c', joined: [ofBot] }
  const mentions = `SELECT DISTINCT conversation_id FROM note_mentions
    WHERE bot_id = $1 AND member_id = ${value(mentioned.memberId)}${mentioned.isUnread ? ' AND read_at IS NULL' : ''}`
  return { tables: `(${mentions}) o CROSS JOIN conversations c`, joined: [ofBot, 'c.id = o.conversation_id'] }
}

/** The most selective condition that an index serves in list order. */
export function indexedCondition(filter: InboxFilter, value: (parameter: Value) => string): string | null {
  if (filter.visitorId) return `c.visitor_id = ${value(filter.visitorId)}`
  if (filter.userId) return `c.user_id = ${value(filter.userId)}`
  if (filter.assigneeId) return `c.assignee_id = ${value(filter.assigneeId)}`
  if (filter.status === 'open' || filter.status === 'snoozed') return `c.inbox_status = 'open'`
  return isHandedOver(filter) ? HANDED_OVER : null
}

function isHandedOver({ handover, waiting }: InboxFilter): boolean {
  return waiting || handover === 'open' || handover === 'requested' || handover === 'active'
}

/** `value` adds a parameter and returns its placeholder. */
export function conditionsOf(filter: InboxFilter, now: number, value: (parameter: Value) => string): string[] {
  const where: string[] = []
  if (filter.channel) where.push(`c.channel = ${value(filter.channel)}`)
  if (isHandedOver(filter)) where.push(HANDED_OVER)
  if (filter.handover && filter.handover !== 'open') where.push(`c.handover_status = ${value(filter.handover)}`)
  if (filter.status === 'open') where.push(`c.inbox_status = 'open' AND coalesce(c.snoozed_until, 0) <= ${value(now)}`)
  else if (filter.status === 'snoozed') where.push(`c.inbox_status = 'open' AND c.snoozed_until > ${value(now)}`)
  else if (filter.status) where.push(`c.inbox_status = ${value(filter.status)}`)
  const isWaiting = () => `c.handover_status = 'requested' AND coalesce(c.snoozed_until, 0) <= ${value(now)}`
  if (filter.waiting !== undefined) where.push(filter.waiting ? isWaiting() : `NOT (${isWaiting()})`)
  if (filter.assigneeId === null) where.push('c.assignee_id IS NULL')
  else if (filter.assigneeId !== undefined) where.push(`c.assignee_id = ${value(filter.assigneeId)}`)
  if (filter.tag)
    where.push(`EXISTS (SELECT 1 FROM conversation_tags t
      WHERE t.bot_id = c.bot_id AND t.conversation_id = c.id AND t.tag = ${value(filter.tag)})`)
  if (filter.mentioned)
    where.push(`EXISTS (SELECT 1 FROM note_mentions n WHERE n.bot_id = c.bot_id AND n.conversation_id = c.id
      AND n.member_id = ${value(filter.mentioned.memberId)}${filter.mentioned.isUnread ? ' AND n.read_at IS NULL' : ''})`)
  if (filter.unanswered === true) where.push('(c.unanswered = 1 OR c.low_confidence = 1)')
  if (filter.unanswered === false) where.push('c.unanswered = 0 AND c.low_confidence = 0')
  if (filter.visitorId) where.push(`c.visitor_id = ${value(filter.visitorId)}`)
  if (filter.userId) where.push(`c.user_id = ${value(filter.userId)}`)
  where.push(...activityConditions(filter, now, value))
  if (filter.text) {
    const pattern = `%${filter.text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
    // Not EXISTS: PostgreSQL would join all messages for each batch.
    where.push(`(SELECT max(CASE WHEN lower(s.text) LIKE ${value(pattern)} ESCAPE '\\' THEN 1 ELSE 0 END)
      FROM messages s WHERE s.bot_id = c.bot_id AND s.conversation_id = c.id) = 1`)
  }
  return where
}

// Selects conversations by what the figures count in a period, so that each figure links to its conversations.

export interface ActivityFilter {
  had?: Happening | undefined
  /** Question key. */
  asked?: string | undefined
  since?: number | undefined
  /** Exclusive. */
  until?: number | undefined
}

const replies: Partial<Record<Happening, string>> = {
  question: 'TRUE',
  answered: CONFIDENT_REPLY,
  low_confidence: `m.decision = 'suggest'`,
  unanswered: `NOT (${CONFIDENT_REPLY})`,
}

/** Conditions on conversation `c`. `value` adds a parameter and returns its placeholder. */
function activityConditions(
  { had, asked, since, until }: ActivityFilter,
  now: number,
  value: (parameter: Value) => string,
): string[] {
  const within = (column: string) => [
    ...(since === undefined ? [] : [`${column} >= ${value(since)}`]),
    ...(until === undefined ? [] : [`${column} < ${value(until)}`]),
  ]
  const some = (table: string, conditions: string[]) =>
    `EXISTS (SELECT 1 FROM ${table} m WHERE ${['m.bot_id = c.bot_id', 'm.conversation_id = c.id', ...conditions].join(' AND ')})`
  // Skips conversations entirely outside the period.
  const around = () => [
    ...(since === undefined ? [] : [`c.updated_at >= ${value(since)}`]),
    ...(until === undefined ? [] : [`c.created_at < ${value(until)}`]),
  ]
  if (asked !== undefined || (had && replies[had])) {
    const question = asked === undefined ? 'm.question_key IS NOT NULL' : `m.question_key = ${value(asked)}`
    return [...around(), some('messages', [question, (had && replies[had]) ?? 'TRUE', ...within('m.created_at')])]
  }
  switch (had) {
    case 'rating_up':
    case 'rating_down':
      return [...around(), some('messages', [`m.rating = ${value(had.slice(7))}`, ...within('m.created_at')])]
    case 'handover_requested':
      return ['c.requested_at IS NOT NULL', ...within('c.requested_at')]
    case 'handover_accepted':
      return ['c.accepted_at IS NOT NULL', ...within('c.accepted_at')]
    case 'lead':
      return [some('leads', within('m.created_at'))]
    case 'resolved':
    case 'escalated':
    case 'negative':
    case 'unresolved': {
      const outcome = outcomeOf(`CAST(${value(now - SETTLED_MS)} AS BIGINT)`)
      const names = had === 'resolved' ? `'confirmed', 'assumed'` : `'${had}'`
      return [...within('c.created_at'), 'c.asked_at IS NOT NULL', `${outcome} IN (${names})`]
    }
    default:
      return within('c.created_at')
  }
}
