import type { Home } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatNumber, formatPercent, formatUtcDay, formatWeekday } from '../../text/format.ts'
import { Card } from '../../ui/card.tsx'
import { Totals } from '../analytics/totals.tsx'
import { texts } from './home-texts.ts'
import { Nothing } from './nothing.tsx'

interface Props {
  week: Home['week']
  bots: Home['bots']
}

const MAX_TRIED = 3

/** How many visitors were helped in the last seven days. */
export function WeekCard({ week: { totals, before, days, bots: busiest }, bots }: Props) {
  const bot = bots.length === 1 ? bots[0] : undefined
  const names = new Map(bots.map(({ id, name }) => [id, name]))
  const { resolution } = totals
  const isEmpty = totals.conversations === 0
  return (
    <Card
      title={texts.week}
      actions={
        bot &&
        !isEmpty && <Link to={`${screenPath('analytics', { botId: bot.id })}?range=week`}>{texts.toAnalytics}</Link>
      }
    >
      {isEmpty ? (
        <>
          <Nothing icon="chart" title={texts.noWeek} about={texts.noWeekAbout} />
          {bot ? (
            <div className="inline">
              <Button variant="default" component={Link} to={screenPath('playground', { botId: bot.id })}>
                {texts.tryIt}
              </Button>
              <Button variant="subtle" component={Link} to={screenPath('appearance', { botId: bot.id })}>
                {texts.embed}
              </Button>
            </div>
          ) : (
            <ul className="plain-list">
              {bots.slice(0, MAX_TRIED).map(({ id, name }) => (
                <li key={id}>
                  <Link to={screenPath('playground', { botId: id })}>{texts.tryNamed(name)}</Link>
                </li>
              ))}
            </ul>
          )}
        </>
      ) : (
        <>
          <p className="home-helped">
            <strong>{resolution.resolution_rate === null ? '–' : formatPercent(resolution.resolution_rate)}</strong>
            <span>{texts.helped}</span>
          </p>
          <Days days={days} />
          <Totals
            now={totals}
            before={before}
            figures={['conversations', 'automation_rate', 'handovers_requested', 'leads']}
          />
          {bots.length > 1 && (
            <ul className="home-bots" aria-label={texts.byBot}>
              {busiest.map(({ bot_id, conversations, resolved }) => (
                <li key={bot_id}>
                  <Link to={`${screenPath('analytics', { botId: bot_id })}?range=week`}>{names.get(bot_id)}</Link>
                  <span className="quiet small">
                    {texts.helpedOf(formatNumber(resolved), formatNumber(conversations))}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </Card>
  )
}

function Days({ days }: { days: Home['week']['days'] }) {
  const most = Math.max(1, ...days.map(({ conversations }) => conversations))
  return (
    <ol className="home-days" aria-label={texts.daysChart}>
      {days.map(({ date, conversations, resolved }) => {
        const tooltip = texts.ofDay(formatUtcDay(date), formatNumber(resolved), formatNumber(conversations))
        return (
          <li key={date} title={tooltip}>
            <span className="unseen">{tooltip}</span>
            <span className="home-day" aria-hidden="true">
              <span style={{ height: `${((conversations - resolved) / most) * 100}%` }} />
              <span data-helped="" style={{ height: `${(resolved / most) * 100}%` }} />
            </span>
            <span className="quiet small" aria-hidden="true">
              {formatWeekday(date)}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
