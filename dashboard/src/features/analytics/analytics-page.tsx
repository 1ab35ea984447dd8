import type { Analytics } from '@docent/contract'
import { Button } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useApiQuery } from '../../api.ts'
import { downloadCsv } from '../../text/csv.ts'
import { formatNumber, formatUtcDay } from '../../text/format.ts'
import { browserTimezone } from '../../text/time-zones.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { LoadingRows } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { AreaChart } from './area-chart.tsx'
import { conversationsLink } from './conversations-link.ts'
import { type Figure, figureText, shownFigures } from './figures-of-period.ts'
import { parsePeriod } from './period.ts'
import { PeriodControls } from './period-controls.tsx'
import { TopPages, TopQuestions } from './top-lists.tsx'
import { Change, Totals } from './totals.tsx'
import { useAnalytics } from './use-analytics.ts'

const main = ['conversations', 'questions', 'answered_share', 'handovers_requested'] as const
const outcomes = ['answered', 'low_confidence', 'unanswered'] as const

export function AnalyticsPage() {
  const { analytics: words } = useTexts()
  const botId = useBotId()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const period = parsePeriod(search)
  const figure = main.find((name) => name === search.figure) ?? 'conversations'
  const { now, before } = useAnalytics(botId, period)
  const bot = useApiQuery('GET /api/manage/v1/bots/{botId}', { params: { botId } })
  const show = (next: Record<string, string>) =>
    void navigate({ to: `/bots/${botId}/analytics`, search: next as never, replace: true })
  return (
    <Page
      wide
      title={words.title}
      about={words.about}
      actions={
        <>
          <PeriodControls
            period={period}
            officeTimezone={bot.data?.handover.hours?.timezone ?? null}
            onChange={(next) => show({ ...next, ...(figure === 'conversations' ? {} : { figure }) })}
          />
          <Button
            variant="default"
            leftSection={<Icon name="download" size={18} />}
            disabled={!now.data}
            onClick={() => now.data && download(now.data)}
          >
            CSV
          </Button>
        </>
      }
    >
      {now.error ? (
        <LoadError error={now.error} onRetry={() => now.refetch()} />
      ) : !now.data ? (
        <LoadingRows />
      ) : now.data.totals.messages === 0 && period.preset !== 'custom' ? (
        <EmptyState
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
        <Figures
          botId={botId}
          analytics={now.data}
          before={before.data}
          figure={figure}
          onFigure={(name) => show({ ...(search as Record<string, string>), figure: name })}
        />
      )}
    </Page>
  )

  function download({ from, to, series }: Analytics) {
    const { start: _start, since: _since, until: _until, ...figures } = series[0] ?? ({} as Analytics['series'][number])
    downloadCsv(
      `${words.title} ${from} ${to}`,
      [
        { label: 'date', value: (point: Analytics['series'][number]) => point.start },
        ...(Object.keys(figures) as (keyof Analytics['totals'])[]).map((name) => ({
          label: name as string,
          value: (point: Analytics['series'][number]) => point[name],
        })),
      ],
      series,
    )
  }
}

interface Props {
  botId: string
  analytics: Analytics
  before: Analytics | undefined
  figure: (typeof main)[number]
  onFigure: (name: (typeof main)[number]) => void
}

function Figures({ botId, analytics, before, figure, onFigure }: Props) {
  const { analytics: words } = useTexts()
  const navigate = useNavigate()
  const { series, interval, totals, timezone } = analytics
  const zone = timezone === browserTimezone() ? {} : { tz: timezone }
  const during = { since: series[0]?.since ?? '', until: series.at(-1)?.until ?? '', ...zone }
  const linkOf = (name: Figure, time = during) => conversationsLink(botId, { ...figureQuery(name), ...time, ...zone })
  const pointsOf = (name: Figure) =>
    series.map(({ start, since, until }) => ({
      label: formatUtcDay(start, interval === 'month'),
      link: linkOf(name, { since, until }),
    }))
  const { value, isShare = false } = shownFigures[figure]
  const onOpen = (link: string) => void navigate({ to: link })
  return (
    <>
      <section className="card" aria-label={words.overTime}>
        <fieldset className="figure-tabs">
          <legend className="unseen">{words.overTime}</legend>
          {main.map((name) => {
            const total = shownFigures[name].value(totals)
            return (
              <button key={name} type="button" aria-pressed={name === figure} onClick={() => onFigure(name)}>
                <span className="figure-name">{words.figures[name]}</span>
                <strong>{figureText(name, total)}</strong>
                <span className="figure-change">
                  {before && <Change name={name} now={total} before={shownFigures[name].value(before.totals)} />}
                </span>
              </button>
            )
          })}
        </fieldset>
        <AreaChart
          title={words.figures[figure]}
          points={pointsOf(figure)}
          areas={[{ label: words.figures[figure], values: series.map(value) }]}
          before={before && { label: words.previous, values: before.series.map(value) }}
          shown={(each) => figureText(figure, each)}
          isShare={isShare}
          height={260}
          onOpen={onOpen}
        />
        <p className="quiet small">
          {words.changeAbout} <Link to={linkOf(figure)}>{words.toConversations}</Link>
        </p>
      </section>
      <div className="two-thirds">
        <Card
          title={words.outcomes}
          about={words.outcomesAbout}
          actions={<Link to={`/bots/${botId}/unanswered`}>{words.toUnanswered}</Link>}
        >
          <AreaChart
            title={words.outcomes}
            points={pointsOf('questions')}
            areas={outcomes.map((name) => ({
              label: words.outcomeNames[name],
              values: series.map((point) =>
                name === 'unanswered' ? point.questions - point.answered - point.low_confidence : point[name],
              ),
            }))}
            shown={formatNumber}
            height={240}
            onOpen={onOpen}
          />
        </Card>
        <Card title={words.more}>
          <Totals
            now={totals}
            before={before?.totals}
            figures={['low_confidence', 'unanswered', 'mean_confidence', 'ratings', 'handovers_accepted', 'leads']}
            linkOf={linkOf}
          />
        </Card>
      </div>
      <div className="halves">
        <TopQuestions botId={botId} questions={analytics.top_questions} during={during} />
        <TopPages pages={analytics.top_pages} />
      </div>
    </>
  )
}

function figureQuery(name: Figure) {
  const { had } = shownFigures[name]
  return had ? { had } : {}
}
