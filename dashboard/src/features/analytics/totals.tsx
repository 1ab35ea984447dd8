import type { Analytics, Happening } from '@docent/contract'
import { Link } from '@tanstack/react-router'
import { formatNumber, formatPercent, formatSigned } from '../../text/format.ts'
import { analytics as texts } from './insight-texts.ts'

interface Props {
  now: Analytics['totals']
  /** Totals of the previous period; without them, no changes are shown. */
  before?: Analytics['totals'] | undefined
  figures: Figure[]
  /** The link to the conversations of a figure. */
  linkOf?: (name: Figure) => string
}

/** The figures of a period, each with its change. */
export function Totals({ now, before, figures, linkOf }: Props) {
  return (
    <dl className="figures totals">
      {figures.map((name) => {
        const value = shownFigures[name].value(now)
        return (
          <div key={name} className="figure">
            <dt>{texts.figures[name]}</dt>
            <dd>
              {linkOf && value ? (
                <Link className="quiet-link" to={linkOf(name)} title={texts.toConversations}>
                  {figureText(name, value)}
                </Link>
              ) : (
                figureText(name, value)
              )}
            </dd>
            {before && (
              <dd className="figure-change">
                <Change name={name} now={value} before={shownFigures[name].value(before)} />
              </dd>
            )}
          </div>
        )
      })}
    </dl>
  )
}

interface ChangeProps {
  name: Figure
  now: number | null
  before: number | null
}

export function Change({ name, now, before }: ChangeProps) {
  const { isShare = false, isGood } = shownFigures[name]
  if (now === null || before === null || (!isShare && before === 0)) return null
  const change = Math.round((isShare ? now - before : (now - before) / before) * 100)
  if (change === 0) return <span>{texts.same}</span>
  const tone = isGood === undefined ? undefined : change > 0 === isGood ? 'good' : 'bad'
  return (
    <span data-tone={tone}>
      {isShare ? texts.points(formatSigned(change)) : formatSigned(change / 100, 'percent')}{' '}
      <span className="unseen">{texts.comparedTo}</span>
    </span>
  )
}

// The figures shown, how each is computed from a period's totals, and which conversations it counts.
type PeriodTotals = Analytics['totals']

export type Figure =
  | 'automation_rate'
  | 'resolution_rate'
  | 'involvement_rate'
  | 'containment_rate'
  | 'conversations'
  | 'questions'
  | 'answered_share'
  | 'mean_confidence'
  | 'low_confidence'
  | 'unanswered'
  | 'ratings'
  | 'handovers_requested'
  | 'handovers_accepted'
  | 'leads'

interface FigureDefinition {
  /** Without it, the figure counts all conversations started in the period. */
  had?: Happening
  /** A value from 0 to 1, whose changes are in percentage points. */
  isShare?: boolean
  /** Whether an increase is good; left out if it is neither good nor bad. */
  isGood?: boolean
  value: (totals: PeriodTotals) => number | null
}

const rate = (name: 'automation_rate' | 'resolution_rate' | 'involvement_rate' | 'containment_rate') => ({
  isShare: true,
  isGood: true,
  value: ({ resolution }: PeriodTotals) => resolution[name],
})

export const shownFigures: Record<Figure, FigureDefinition> = {
  automation_rate: { had: 'resolved', ...rate('automation_rate') },
  resolution_rate: { had: 'resolved', ...rate('resolution_rate') },
  involvement_rate: { had: 'question', ...rate('involvement_rate') },
  containment_rate: rate('containment_rate'),
  conversations: { value: ({ conversations }) => conversations },
  questions: { had: 'question', value: ({ questions }) => questions },
  answered_share: { had: 'answered', isShare: true, isGood: true, value: ({ answered_share }) => answered_share },
  mean_confidence: { had: 'question', isShare: true, isGood: true, value: ({ mean_confidence }) => mean_confidence },
  low_confidence: { had: 'low_confidence', isGood: false, value: ({ low_confidence }) => low_confidence },
  unanswered: {
    had: 'unanswered',
    isGood: false,
    value: ({ questions, answered, low_confidence }) => questions - answered - low_confidence,
  },
  ratings: {
    had: 'rating_down',
    isShare: true,
    isGood: true,
    value: ({ ratings_up: up, ratings_down: down }) => (up + down === 0 ? null : up / (up + down)),
  },
  handovers_requested: { had: 'handover_requested', value: (totals) => totals.handovers_requested },
  handovers_accepted: { had: 'handover_accepted', value: (totals) => totals.handovers_accepted },
  leads: { had: 'lead', isGood: true, value: ({ leads }) => leads },
}

export function figureText(name: Figure, value: number | null | undefined): string {
  if (value === null || value === undefined) return '–'
  return shownFigures[name].isShare ? formatPercent(value) : formatNumber(value)
}
