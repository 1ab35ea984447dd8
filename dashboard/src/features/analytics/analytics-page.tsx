import type { Analytics } from '@docent/contract'
import { Button, SegmentedControl } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMessages } from '../../messages/messages.tsx'
import { formatNumber, formatPercent, formatUtcDay } from '../../text/format.ts'
import { Empty } from '../../ui/empty.tsx'
import { Failed } from '../../ui/failed.tsx'
import { LoadingRows } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { Chart } from './chart.tsx'
import { TopPages, TopQuestions } from './top-lists.tsx'
import { Totals } from './totals.tsx'
import { type Range, ranges, useAnalytics } from './use-analytics.ts'

const totals = [
  'conversations',
  'questions',
  'answered_share',
  'mean_confidence',
  'ratings',
  'handovers_requested',
  'handovers_accepted',
  'leads',
] as const

export function AnalyticsPage() {
  const { analytics: words } = useMessages()
  const botId = useBotId()
  const navigate = useNavigate()
  const { range: asked } = useSearch({ strict: false }) as { range?: string }
  const range: Range = asked !== undefined && asked in ranges ? (asked as Range) : 'month'
  const { now, before } = useAnalytics(botId, range)
  return (
    <Page
      wide
      title={words.title}
      about={words.about}
      actions={
        <SegmentedControl
          aria-label={words.range}
          value={range}
          onChange={(value) => navigate({ to: `/bots/${botId}/analytics`, search: { range: value }, replace: true })}
          data={(Object.keys(ranges) as Range[]).map((value) => ({ value, label: words.ranges[value] }))}
        />
      }
    >
      {now.error ? (
        <Failed error={now.error} onRetry={() => now.refetch()} />
      ) : !now.data ? (
        <LoadingRows />
      ) : now.data.totals.messages === 0 ? (
        <Empty
          icon="chart"
          title={words.emptyTitle}
          about={words.emptyAbout}
          action={
            <Button component={Link} to={`/bots/${botId}/settings/appearance`}>
              {words.toEmbed}
            </Button>
          }
        />
      ) : (
        <>
          <Totals now={now.data.totals} before={before.data?.totals} of={[...totals]} />
          <p className="quiet small">{words.changeAbout}</p>
          <Charts analytics={now.data} />
          <div className="halves">
            <TopQuestions botId={botId} questions={now.data.top_questions} />
            <TopPages pages={now.data.top_pages} />
          </div>
        </>
      )}
    </Page>
  )
}

type Point = Analytics['series'][number]
type Figure =
  | 'conversations'
  | 'questions'
  | 'answered_share'
  | 'mean_confidence'
  | 'ratings_up'
  | 'ratings_down'
  | 'handovers_requested'
  | 'handovers_accepted'
  | 'leads'

function Charts({ analytics: { series, interval } }: { analytics: Analytics }) {
  const { analytics: words } = useMessages()
  const points = series.map(({ start }) => formatUtcDay(start, interval === 'month'))
  const lines = (...names: Figure[]) =>
    names.map((name) => ({ label: words.figures[name], values: series.map((point: Point) => point[name]) }))
  const counts = { points, shown: formatNumber }
  return (
    <div className="charts">
      <Chart {...counts} title={words.traffic} lines={lines('conversations', 'questions')} />
      <Chart
        isShare
        points={points}
        shown={formatPercent}
        title={words.quality}
        lines={lines('answered_share', 'mean_confidence')}
      />
      <Chart {...counts} title={words.ratings} lines={lines('ratings_up', 'ratings_down')} />
      <Chart {...counts} title={words.handovers} lines={lines('handovers_requested', 'handovers_accepted', 'leads')} />
    </div>
  )
}
