// What the list shows. It is in the address, so that a view can be sent to a colleague.
import type { ConversationSummary, QueryOf, Routes } from '@docent/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'

export const shows = ['all', 'open', 'mine', 'unassigned', 'unanswered', 'snoozed', 'resolved'] as const
export const channels = ['widget', 'api'] as const

type Show = Exclude<(typeof shows)[number], 'all'>
type ListQuery = QueryOf<Routes['GET /api/manage/v1/workspaces/{workspaceId}/conversations']>

export interface InboxFilter {
  show?: Show
  channel?: ConversationSummary['channel']
  assignee?: string
  tag?: string
  bot?: string
  visitor?: string
  q?: string
}

/** What each way to show them asks for. */
const queries: Record<Show, ListQuery> = {
  open: { status: 'open' },
  mine: { status: 'open', assignee: 'me' },
  unassigned: { status: 'open', assignee: 'none' },
  unanswered: { unanswered: true },
  snoozed: { status: 'snoozed' },
  resolved: { status: 'resolved' },
}

export function useFilter(): [InboxFilter, (changed: Partial<Record<keyof InboxFilter, string>>) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const filter = filterOf(search)
  // From what the address says by then: a search comes some time after it was typed.
  const change = (changed: Partial<Record<keyof InboxFilter, string>>) =>
    void navigate({
      to: '.',
      search: ((now: Record<string, unknown>) => filterOf({ ...now, ...changed })) as never,
      replace: true,
    })
  return [filter, change]
}

/** Whatever an address says, only what the list understands. */
function filterOf({ show, channel, assignee, tag, bot, visitor, q }: Record<string, unknown>): InboxFilter {
  const text = q === undefined ? '' : String(q)
  return {
    ...(typeof show === 'string' && show in queries ? { show: show as Show } : {}),
    ...(channel === 'widget' || channel === 'api' ? { channel } : {}),
    ...(assignee ? { assignee: String(assignee) } : {}),
    ...(tag ? { tag: String(tag) } : {}),
    ...(bot ? { bot: String(bot) } : {}),
    ...(visitor ? { visitor: String(visitor) } : {}),
    ...(text ? { q: text } : {}),
  }
}

/** As the list's route takes it. */
export function queryOf({ show, channel, assignee, tag, bot, visitor, q = '' }: InboxFilter): ListQuery {
  const text = q.trim()
  return {
    ...(show ? queries[show] : {}),
    ...(channel ? { channel } : {}),
    ...(assignee ? { assignee } : {}),
    ...(tag ? { tag } : {}),
    ...(bot ? { bot_id: bot } : {}),
    ...(visitor ? { visitor_id: visitor } : {}),
    ...(text.length > 1 ? { q: text } : {}),
  }
}

/** The other way round, for filters that were saved. */
export function filterOfQuery({ status, assignee, unanswered, bot_id, visitor_id, ...rest }: ListQuery): InboxFilter {
  const isOpen = status === 'open'
  const show = unanswered
    ? 'unanswered'
    : isOpen && assignee === 'me'
      ? 'mine'
      : isOpen && assignee === 'none'
        ? 'unassigned'
        : status === 'bot'
          ? undefined
          : status
  const isNamed = show === 'mine' || show === 'unassigned'
  return filterOf({ ...rest, show, bot: bot_id, visitor: visitor_id, ...(isNamed ? {} : { assignee }) })
}
