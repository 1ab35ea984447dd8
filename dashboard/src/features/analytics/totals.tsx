import type { Analytics } from '@docent/contract'
import { Link } from '@tanstack/react-router'
import { formatSigned } from '../../text/format.ts'
import { type Figure, figureText, shownFigures } from './figures-of-period.ts'
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
