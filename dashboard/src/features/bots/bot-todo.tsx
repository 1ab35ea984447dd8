import { Link } from '@tanstack/react-router'
import { useList } from '../../api.ts'
import { useMessages } from '../../messages/messages.tsx'
import { formatNumber } from '../../text/format.ts'
import { Card } from '../../ui/card.tsx'
import { Status } from '../../ui/status.tsx'
import { lastDays } from '../analytics/period.ts'
import { Totals } from '../analytics/totals.tsx'
import { useAnalytics } from '../analytics/use-analytics.ts'

const LOOK_AGAIN_MS = 20_000
const MOST = 50

/** Waiting visitors and unanswered questions. */
export function BotTodo({ botId }: { botId: string }) {
  const { health: words } = useMessages()
  const params = { botId }
  const waiting = useList(
    'GET /api/manage/v1/bots/{botId}/conversations',
    { params, query: { handover: 'requested', limit: MOST } },
    { every: () => LOOK_AGAIN_MS },
  )
  const unanswered = useList('GET /api/manage/v1/bots/{botId}/unanswered', { params, query: { limit: MOST } })
  const waits = waiting.items.length
  const questions = unanswered.items.length
  return (
    <>
      {waits > 0 && (
        <Link className="status-link" to={`/bots/${botId}/inbox`}>
          <Status tone="bad">
            {waits === 1 ? words.waitingOne : words.waiting(counted(waits, waiting.hasNextPage))}
          </Status>
        </Link>
      )}
      {questions > 0 && (
        <Link className="status-link" to={`/bots/${botId}/unanswered`}>
          <Status tone="warn">
            {questions === 1 ? words.unansweredOne : words.unanswered(counted(questions, unanswered.hasNextPage))}
          </Status>
        </Link>
      )}
    </>
  )
}

function counted(count: number, hasMore: boolean): string {
  return hasMore ? `${formatNumber(count)}+` : formatNumber(count)
}

/** Hidden until there is something to count. */
export function LastWeek({ botId }: { botId: string }) {
  const { health: words } = useMessages()
  const { now, before } = useAnalytics(botId, lastDays('week'))
  if (!now.data || now.data.totals.messages === 0) return null
  return (
    <Card title={words.lastWeek} actions={<Link to={`/bots/${botId}/analytics?range=week`}>{words.toAnalytics}</Link>}>
      <Totals
        now={now.data.totals}
        before={before.data?.totals}
        of={['conversations', 'questions', 'answered_share', 'leads']}
      />
    </Card>
  )
}
