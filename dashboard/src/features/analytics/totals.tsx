import type { Analytics } from '@docent/contract'
import { useMessages } from '../../messages/messages.tsx'
import { formatNumber, formatPercent, formatSigned } from '../../text/format.ts'

type Figures = Analytics['totals']
type Total =
  | 'conversations'
  | 'questions'
  | 'answered_share'
  | 'mean_confidence'
  | 'ratings'
  | 'handovers_requested'
  | 'handovers_accepted'
  | 'leads'
const shares: Total[] = ['answered_share', 'mean_confidence', 'ratings']

interface Props {
  now: Figures
  /** Of the time before; left out, nothing is compared. */
  before?: Figures | undefined
  of: Total[]
}

/** The figures of a time, each with its change. */
export function Totals({ now, before, of }: Props) {
  const { analytics: words } = useMessages()
  return (
    <dl className="figures totals">
      {of.map((name) => {
        const value = figureOf(name, now)
        return (
          <div key={name} className="figure">
            <dt>{words.figures[name]}</dt>
            <dd>{value === null ? '–' : shares.includes(name) ? formatPercent(value) : formatNumber(value)}</dd>
            {before && <Change name={name} now={value} before={figureOf(name, before)} />}
          </div>
        )
      })}
    </dl>
  )
}

function Change({ name, now, before }: { name: Total; now: number | null; before: number | null }) {
  const { analytics: words } = useMessages()
  return (
    <dd className="figure-change">
      {said()} <span className="unseen">{words.comparedTo}</span>
    </dd>
  )

  function said(): string {
    const isShare = shares.includes(name)
    if (now === null || before === null || (!isShare && before === 0)) return words.noChange
    const change = Math.round((isShare ? now - before : (now - before) / before) * 100)
    if (change === 0) return words.same
    return isShare ? words.points(formatSigned(change)) : formatSigned(change / 100, 'percent')
  }
}

function figureOf(name: Total, figures: Figures): number | null {
  if (name !== 'ratings') return figures[name]
  const { ratings_up, ratings_down } = figures
  return ratings_up + ratings_down === 0 ? null : ratings_up / (ratings_up + ratings_down)
}
