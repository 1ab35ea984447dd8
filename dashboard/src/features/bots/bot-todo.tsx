import { Link } from '@tanstack/react-router'
import { useApiList } from '../../api.ts'
import { formatNumber } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { Status } from '../../ui/status.tsx'
import { lastDays } from '../analytics/period.ts'
import { Totals } from '../analytics/totals.tsx'
import { useAnalytics } from '../analytics/use-analytics.ts'

const POLL_MS = 20_000
const MAX_COUNTED = 50

/** Waiting visitors and unanswered questions. */
export function BotTodo({ botId }: { botId: string }) {
  const { health: texts } = useTexts()
  const params = { botId }
  const waiting = useApiList(
    'GET /api/manage/v1/bots/{botId}/conversations',
    { params, query: { handover: 'requested', limit: MAX_COUNTED } },
    { refetchInterval: () => POLL_MS },
  )
  const unansweredList = useApiList('GET /api/manage/v1/bots/{botId}/unanswered', {
    params,
    query: { limit: MAX_COUNTED },
  })
  const waits = waiting.items.length
  const questions = unansweredList.items.length
  return (
    <>
      {waits > 0 && (
        <Link className="status-link" to="/inbox" search={{ bot: botId } as never}>
          <Status tone="bad">
            {waits === 1 ? texts.waitingOne : texts.waiting(formatCount(waits, waiting.hasNextPage))}
          </Status>
        </Link>
      )}
      {questions > 0 && (
        <Link className="status-link" to={`/bots/${botId}/unanswered`}>
          <Status tone="warn">
            {questions === 1
              ? texts.unansweredOne
              : texts.unanswered(formatCount(questions, unansweredList.hasNextPage))}
          </Status>
        </Link>
      )}
    </>
  )
}

function formatCount(count: number, hasMore: boolean): string {
  return hasMore ? `${formatNumber(count)}+` : formatNumber(count)
}

/** Hidden until there is something to count. */
export function LastWeek({ botId }: { botId: string }) {
  const { health: texts } = useTexts()
  const { now, before } = useAnalytics(botId, lastDays('week'))
  if (!now.data || now.data.totals.messages === 0) return null
  return (
    <Card title={texts.lastWeek} actions={<Link to={`/bots/${botId}/analytics?range=week`}>{texts.toAnalytics}</Link>}>
      <Totals
        now={now.data.totals}
        before={before.data?.totals}
        figures={['conversations', 'resolution_rate', 'automation_rate', 'leads']}
      />
    </Card>
  )
}
