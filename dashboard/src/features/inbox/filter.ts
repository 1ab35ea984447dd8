// What the list shows. It is in the address, so that a view can be sent to a colleague.
import type { ConversationSummary, Happening } from '@docent/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { isTimezone } from '../../text/time-zones.ts'

export const shows = ['all', 'open', 'unanswered'] as const
export const channels = ['widget', 'api'] as const

const happenings: Happening[] = [
  ...(['question', 'answered', 'low_confidence', 'unanswered', 'rating_up', 'rating_down'] as const),
  ...(['handover_requested', 'handover_accepted', 'lead'] as const),
]

export interface InboxFilter {
  show?: 'open' | 'unanswered'
  channel?: ConversationSummary['channel']
  visitor?: string
  q?: string
  /** What the analytics counted, of a time. */
  had?: Happening
  asked?: string
  since?: string
  until?: string
  /** Whose days these are; only shown. */
  tz?: string
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
function filterOf({ show, channel, visitor, q, ...rest }: Record<string, unknown>): InboxFilter {
  const text = q === undefined ? '' : String(q)
  return {
    ...(show === 'open' || show === 'unanswered' ? { show } : {}),
    ...(channel === 'widget' || channel === 'api' ? { channel } : {}),
    ...(visitor ? { visitor: String(visitor) } : {}),
    ...(text ? { q: text } : {}),
    ...happenedOf(rest),
  }
}

function happenedOf({ had, asked, since, until, tz }: Record<string, unknown>) {
  const isTime = (time: unknown): time is string => typeof time === 'string' && !Number.isNaN(Date.parse(time))
  return {
    ...(happenings.includes(had as Happening) ? { had: had as Happening } : {}),
    ...(asked ? { asked: String(asked) } : {}),
    ...(isTime(since) ? { since } : {}),
    ...(isTime(until) ? { until } : {}),
    ...(isTimezone(tz) ? { tz } : {}),
  }
}

/** As the list's route takes it. */
export function queryOf({ show, channel, visitor, q = '', tz: _tz, ...happened }: InboxFilter) {
  const text = q.trim()
  return {
    ...(show === 'open' ? { handover: 'open' as const } : {}),
    ...(show === 'unanswered' ? { unanswered: true } : {}),
    ...(channel ? { channel } : {}),
    ...(visitor ? { visitor_id: visitor } : {}),
    ...(text.length > 1 ? { q: text } : {}),
    ...happened,
  }
}
