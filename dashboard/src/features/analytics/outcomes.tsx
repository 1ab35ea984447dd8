import type { Resolution } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Link } from '@tanstack/react-router'
import { formatNumber, formatPercent } from '../../text/format.ts'
import { Card } from '../../ui/card.tsx'
import { type ConversationsQuery, conversationsLink } from './conversations-link.ts'
import { analytics as texts } from './insight-texts.ts'

const OUTCOMES = ['confirmed', 'assumed', 'unresolved', 'negative', 'escalated'] as const

/** Which conversations each outcome lists: the two kinds of resolved ones are told apart only by count. */
const filterByOutcome = {
  confirmed: 'resolved',
  assumed: 'resolved',
  unresolved: 'unresolved',
  negative: 'negative',
  escalated: 'escalated',
} as const

interface Props {
  botId: string
  resolution: Resolution
  during: Pick<ConversationsQuery, 'since' | 'until' | 'tz'>
}

/** How conversations ended, as shares of all that have. */
export function Outcomes({ botId, resolution, during }: Props) {
  const { pending } = resolution
  const settledCount = resolution.involved - pending
  return (
    <Card title={texts.outcomes} actions={<Link to={screenPath('unanswered', { botId })}>{texts.toUnanswered}</Link>}>
      <div className="outcome-bar" aria-hidden="true">
        {OUTCOMES.map((name) => (
          <div key={name} data-outcome={name} style={{ flexGrow: resolution[name] }} />
        ))}
      </div>
      <ul className="outcomes">
        {OUTCOMES.map((name) => (
          <li key={name} data-outcome={name}>
            <span className="outcome-key" aria-hidden="true" />
            <span className="outcome-name">
              {resolution[name] > 0 ? (
                <Link className="quiet-link" to={conversationsLink(botId, { had: filterByOutcome[name], ...during })}>
                  {texts.outcomeNames[name]}
                </Link>
              ) : (
                texts.outcomeNames[name]
              )}
              <span className="quiet small">{texts.outcomesAbout[name]}</span>
            </span>
            <strong className="number">{formatNumber(resolution[name])}</strong>
            <span className="number quiet">
              {settledCount === 0 ? '–' : formatPercent(resolution[name] / settledCount)}
            </span>
          </li>
        ))}
      </ul>
      {pending > 0 && (
        <p className="quiet small">{pending === 1 ? texts.pendingOne : texts.pending(formatNumber(pending))}</p>
      )}
    </Card>
  )
}
