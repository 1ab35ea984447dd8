import type { Analytics } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Button } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useApiQuery } from '../../api.ts'
import { formatNumber, formatUtcDay } from '../../text/format.ts'
import { browserTimezone } from '../../text/time-zones.ts'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadError, LoadingRows } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { AreaChart } from './area-chart.tsx'
import { BotComparison } from './bot-comparison.tsx'
import { Breakdown } from './breakdown.tsx'
import { type ConversationsQuery, conversationsLink } from './conversations-link.ts'
import { ExportMenu } from './export-menu.tsx'
import { analytics as texts } from './insight-texts.ts'
import { Outcomes } from './outcomes.tsx'
import { parsePeriod } from './period.ts'
import { PeriodControls } from './period-controls.tsx'
import { Change, type Figure, figureText, shownFigures, Totals } from './totals.tsx'
import { useAnalytics } from './use-analytics.ts'

const MAIN = ['automation_rate', 'resolution_rate', 'involvement_rate', 'conversations'] as const

export function AnalyticsPage() {
  const botId = useBotId()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const period = parsePeriod(search)
  const figure = MAIN.find((name) => name === search.figure) ?? 'automation_rate'
  const { now, before } = useAnalytics(botId, period)
  const bot = useApiQuery('GET /api/manage/v1/bots/{botId}', { params: { botId } })
  const show = (next: Record<string, string>) =>
    void navigate({ to: screenPath('analytics', { botId }), search: next as never, replace: true })
  return (
    <Page
      wide
      title={texts.title}
      about={texts.about}
      actions={
        <>
          <PeriodControls
            period={period}
            officeTimezone={bot.data?.handover.hours?.timezone ?? null}
            onChange={(next) => show({ ...next, ...(figure === 'automation_rate' ? {} : { figure }) })}
          />
          <ExportMenu botId={botId} analytics={now.data} />
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
          title={texts.emptyTitle}
          about={texts.emptyAbout}
          action={
            <Button component={Link} to={screenPath('appearance', { botId })}>
              {texts.toEmbed}
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
      {now.data && bot.data && (
        <BotComparison workspaceId={bot.data.workspace_id} period={period} search={location.search} />
      )}
    </Page>
  )
}

interface Props {
  botId: string
  analytics: Analytics
  before: Analytics | undefined
  figure: (typeof MAIN)[number]
  onFigure: (name: (typeof MAIN)[number]) => void
}

function Figures({ botId, analytics, before, figure, onFigure }: Props) {
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
      <section className="card" aria-label={texts.overTime}>
        <fieldset className="figure-tabs">
          <legend className="unseen">{texts.overTime}</legend>
          {MAIN.map((name) => {
            const total = shownFigures[name].value(totals)
            return (
              <button key={name} type="button" aria-pressed={name === figure} onClick={() => onFigure(name)}>
                <span className="figure-name">{texts.figures[name]}</span>
                <strong>{figureText(name, total)}</strong>
                <span className="figure-change">
                  {before && <Change name={name} now={total} before={shownFigures[name].value(before.totals)} />}
                </span>
              </button>
            )
          })}
        </fieldset>
        <p className="quiet small">{texts.figuresAbout[figure]}</p>
        <AreaChart
          title={texts.figures[figure]}
          points={pointsOf(figure)}
          areas={[{ label: texts.figures[figure], values: series.map(value) }]}
          before={before && { label: texts.previous, values: before.series.map(value) }}
          shown={(each) => figureText(figure, each)}
          isShare={isShare}
          height={260}
          onOpen={onOpen}
        />
        <p className="quiet small">
          {texts.changeAbout} <Link to={linkOf(figure)}>{texts.toConversations}</Link>
        </p>
      </section>
      <div className="two-thirds">
        <Outcomes botId={botId} resolution={totals.resolution} during={during} />
        <Card title={texts.more}>
          <Totals
            now={totals}
            before={before?.totals}
            figures={[
              'answered_share',
              'containment_rate',
              'questions',
              'unanswered',
              'ratings',
              'handovers_requested',
              'handovers_accepted',
              'leads',
            ]}
            linkOf={linkOf}
          />
        </Card>
      </div>
      <div className="halves">
        <Breakdown botId={botId} analytics={analytics} during={during} />
        <TopQuestions botId={botId} questions={analytics.top_questions} during={during} />
      </div>
    </>
  )
}

function figureQuery(name: Figure) {
  const { had } = shownFigures[name]
  return had ? { had } : {}
}

interface QuestionsProps {
  botId: string
  questions: Analytics['top_questions']
  /** The period of the questions. */
  during: Pick<ConversationsQuery, 'since' | 'until' | 'tz'>
}

function TopQuestions({ botId, questions, during }: QuestionsProps) {
  const most = Math.max(1, ...questions.map(({ count }) => count))
  return (
    <Card title={texts.topQuestions} about={texts.topQuestionsAbout}>
      {questions.length === 0 ? (
        <p className="quiet">{texts.noQuestions}</p>
      ) : (
        <ol className="ranked">
          {questions.map(({ question, count, answered, low_confidence }) => (
            <RankedRow
              key={question}
              count={count}
              share={count / most}
              note={answeredOf(answered, low_confidence, count)}
            >
              <Link className="quiet-link" to={conversationsLink(botId, { asked: question, ...during })}>
                {question}
              </Link>
            </RankedRow>
          ))}
        </ol>
      )}
    </Card>
  )

  function answeredOf(answeredCount: number, low: number, count: number): string {
    if (answeredCount === count) return texts.allAnswered
    if (low === count) return texts.allLow
    return answeredCount === 0 ? texts.noneAnswered : texts.answeredOf(formatNumber(answeredCount), formatNumber(count))
  }
}

function RankedRow({
  count,
  share,
  note,
  children,
}: {
  count: number
  share: number
  note?: string
  children: ReactNode
}) {
  return (
    <li>
      <span className="ranked-name">{children}</span>
      <strong className="number">{formatNumber(count)}</strong>
      <div className="bar" aria-hidden="true">
        <div style={{ width: `${share * 100}%` }} />
      </div>
      {note && <span className="ranked-of">{note}</span>}
    </li>
  )
}
