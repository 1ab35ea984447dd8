// What the list shows. It is in the address, so that a view can be sent to a colleague.
import type { ConversationSummary } from '@docent/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'

export const shows = ['all', 'open', 'unanswered'] as const
export const channels = ['widget', 'api'] as const

export interface InboxFilter {
  show?: 'open' | 'unanswered'
  channel?: ConversationSummary['channel']
  visitor?: string
  q?: string
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
function filterOf({ show, channel, visitor, q }: Record<string, unknown>): InboxFilter {
  const text = q === undefined ? '' : String(q)
  return {
    ...(show === 'open' || show === 'unanswered' ? { show } : {}),
    ...(channel === 'widget' || channel === 'api' ? { channel } : {}),
    ...(visitor ? { visitor: String(visitor) } : {}),
    ...(text ? { q: text } : {}),
  }
}

/** As the list's route takes it. */
export function queryOf({ show, channel, visitor, q = '' }: InboxFilter) {
  const text = q.trim()
  return {
    ...(show === 'open' ? { handover: 'open' as const } : {}),
    ...(show === 'unanswered' ? { unanswered: true } : {}),
    ...(channel ? { channel } : {}),
    ...(visitor ? { visitor_id: visitor } : {}),
    ...(text.length > 1 ? { q: text } : {}),
  }
}
