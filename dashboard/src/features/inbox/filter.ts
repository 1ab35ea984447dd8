// The filters of the list. They are in the URL, so that a view can be shared.
import type { ConversationSummary, Happening, QueryOf, Routes } from '@docent/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { isTimezone } from '../../text/time-zones.ts'

export const SHOWS = [
  'all',
  'waiting',
  'open',
  'mine',
  'unassigned',
  'mentions',
  'unanswered',
  'snoozed',
  'resolved',
] as const
export const CHANNELS = ['widget', 'api'] as const

type Show = Exclude<(typeof SHOWS)[number], 'all'>
type ListQuery = QueryOf<Routes['GET /api/manage/v1/workspaces/{workspaceId}/conversations']>

const happenings: Happening[] = [
  ...(['question', 'answered', 'low_confidence', 'unanswered', 'rating_up', 'rating_down'] as const),
  ...(['handover_requested', 'handover_accepted', 'lead'] as const),
  ...(['resolved', 'escalated', 'negative', 'unresolved'] as const),
]

export interface InboxFilter {
  show?: Show
  channel?: ConversationSummary['channel']
  assignee?: string
  tag?: string
  bot?: string
  visitor?: string
  q?: string
  /** Conversations counted by a figure of the analytics. */
  had?: Happening
  asked?: string
  since?: string
  until?: string
  /** The time zone of the days; only for display. */
  tz?: string
}

/** The query of each view. */
const queries: Record<Show, ListQuery> = {
  waiting: { waiting: true },
  open: { status: 'open' },
  mine: { status: 'open', assignee: 'me' },
  unassigned: { status: 'open', assignee: 'none' },
  mentions: { mentions: 'all' },
  unanswered: { unanswered: true },
  snoozed: { status: 'snoozed' },
  resolved: { status: 'resolved' },
}

export function useInboxFilter(): [InboxFilter, (changes: Partial<Record<keyof InboxFilter, string>>) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const filter = parseFilter(search)
  // Based on the URL at that time, because a search is applied with a delay.
  const change = (changes: Partial<Record<keyof InboxFilter, string>>) =>
    void navigate({
      to: '.',
      search: ((now: Record<string, unknown>) => parseFilter({ ...now, ...changes })) as never,
      replace: true,
    })
  return [filter, change]
}

/** Only valid filters, whatever the URL contains. */
function parseFilter({ show, channel, assignee, tag, bot, visitor, q, ...rest }: Record<string, unknown>): InboxFilter {
  const text = q === undefined ? '' : String(q)
  return {
    ...(typeof show === 'string' && show in queries ? { show: show as Show } : {}),
    ...(channel === 'widget' || channel === 'api' ? { channel } : {}),
    ...(assignee ? { assignee: String(assignee) } : {}),
    ...(tag ? { tag: String(tag) } : {}),
    ...(bot ? { bot: String(bot) } : {}),
    ...(visitor ? { visitor: String(visitor) } : {}),
    ...(text ? { q: text } : {}),
    ...parseAnalyticsFilter(rest),
  }
}

function parseAnalyticsFilter({ had, asked, since, until, tz }: Record<string, unknown>) {
  const isTime = (time: unknown): time is string => typeof time === 'string' && !Number.isNaN(Date.parse(time))
  return {
    ...(happenings.includes(had as Happening) ? { had: had as Happening } : {}),
    ...(asked ? { asked: String(asked) } : {}),
    ...(isTime(since) ? { since } : {}),
    ...(isTime(until) ? { until } : {}),
    ...(isTimezone(tz) ? { tz } : {}),
  }
}

/** The query parameters of the list's route. */
export function toQuery(filter: InboxFilter): ListQuery {
  const { show, channel, assignee, tag, bot, visitor, q = '', tz: _tz, ...analyticsFilter } = filter
  const text = q.trim()
  return {
    ...(show ? queries[show] : {}),
    ...(channel ? { channel } : {}),
    ...(assignee ? { assignee } : {}),
    ...(tag ? { tag } : {}),
    ...(bot ? { bot_id: bot } : {}),
    ...(visitor ? { visitor_id: visitor } : {}),
    ...(text.length > 1 ? { q: text } : {}),
    ...analyticsFilter,
  }
}

/** The inverse of `toQuery`, for saved filters. */
export function toFilter(query: ListQuery): InboxFilter {
  const { assignee, bot_id, visitor_id, ...rest } = query
  const show = showOf(query)
  const isNamed = show === 'mine' || show === 'unassigned'
  return parseFilter({ ...rest, show, bot: bot_id, visitor: visitor_id, ...(isNamed ? {} : { assignee }) })
}

function showOf({ status, waiting, assignee, mentions, unanswered }: ListQuery): InboxFilter['show'] | undefined {
  if (waiting) return 'waiting'
  if (mentions) return 'mentions'
  if (unanswered) return 'unanswered'
  if (status === 'open' && assignee === 'me') return 'mine'
  if (status === 'open' && assignee === 'none') return 'unassigned'
  return status === 'bot' ? undefined : status
}
