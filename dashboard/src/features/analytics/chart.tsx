import { type PointerEvent, useState } from 'react'
import { useMessages } from '../../messages/messages.tsx'
import { Card } from '../../ui/card.tsx'
import { type ChartLine, ChartTable } from './chart-table.tsx'
import { useWidth } from './use-width.ts'

interface Props {
  title: string
  /** One a point, as it is read. */
  points: string[]
  lines: ChartLine[]
  shown: (value: number) => string
  /** Shares reach from nothing to all. */
  isShare?: boolean
}

const HEIGHT = 150
const LEFT = 40
const BOTTOM = 22
const TOP = 8
const dashes = ['none', '6 4', '2 4']

/** Figures over time, as lines; the same figures are in a table for who cannot see them, or wants them exactly. */
export function Chart({ title, points, lines, shown, isShare = false }: Props) {
  const { analytics: words } = useMessages()
  const { ref, width } = useWidth()
  const [pointed, setPointed] = useState<number | null>(null)
  const top = isShare ? 1 : niceTop(Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0))))
  const room = Math.max(1, width - LEFT - 8)
  const x = (index: number) => LEFT + (points.length < 2 ? room / 2 : (index / (points.length - 1)) * room)
  const y = (value: number) => TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM)
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const along = (event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT) / room
    setPointed(Math.min(points.length - 1, Math.max(0, Math.round(along * (points.length - 1)))))
  }
  return (
    <Card title={title}>
      <div className="chart">
        <ul className="chart-legend">
          {lines.map(({ label, values }, index) => (
            <li key={label} data-line={index}>
              <svg className="chart-key" aria-hidden="true">
                <path className="chart-line" d="M1 4H19" strokeDasharray={dashes[index]} />
              </svg>
              {label}
              {pointed !== null && <strong className="number">{shownOrNone(values[pointed], shown)}</strong>}
            </li>
          ))}
          {pointed !== null && <li className="quiet">{points[pointed]}</li>}
        </ul>
        <div ref={ref} className="chart-plot">
          {width > 0 && (
            <svg
              height={HEIGHT}
              role="img"
              aria-label={words.chartOf(title, points[0] ?? '', points.at(-1) ?? '')}
              onPointerMove={point}
              onPointerDown={point}
              onPointerLeave={() => setPointed(null)}
            >
              {[0, top / 2, top].map((value) => (
                <g key={value}>
                  <path className="chart-rule" d={`M${LEFT} ${y(value)}H${width}`} />
                  <text x={LEFT - 8} y={y(value) + 4} textAnchor="end">
                    {shown(value)}
                  </text>
                </g>
              ))}
              <text x={LEFT} y={HEIGHT - 4}>
                {points[0]}
              </text>
              <text x={width} y={HEIGHT - 4} textAnchor="end">
                {points.length > 1 && points.at(-1)}
              </text>
              {pointed !== null && <path className="chart-rule" d={`M${x(pointed)} ${TOP}V${HEIGHT - BOTTOM}`} />}
              {lines.map(({ label, values }, index) => (
                <g key={label} data-line={index}>
                  <path className="chart-line" d={pathOf(values, x, y)} strokeDasharray={dashes[index]} />
                  {values.map(
                    (value, at) =>
                      value !== null &&
                      (at === pointed || isAlone(values, at)) && (
                        <circle key={points[at]} className="chart-dot" cx={x(at)} cy={y(value)} r={3} />
                      ),
                  )}
                </g>
              ))}
            </svg>
          )}
        </div>
        <ChartTable title={title} points={points} lines={lines} shown={(value) => shownOrNone(value, shown)} />
      </div>
    </Card>
  )
}

function shownOrNone(value: number | null | undefined, shown: (value: number) => string): string {
  return value === null || value === undefined ? '–' : shown(value)
}

/** ErrorPage where there is nothing to say. */
function pathOf(values: (number | null)[], x: (index: number) => number, y: (value: number) => number): string {
  return values
    .map((value, at) => (value === null ? '' : `${(values[at - 1] ?? null) === null ? 'M' : 'L'}${x(at)} ${y(value)}`))
    .join('')
}

function isAlone(values: (number | null)[], at: number): boolean {
  return (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null
}

/** The next figure that halves well. */
function niceTop(most: number): number {
  let step = 1
  for (;;) {
    for (const each of [2, 4, 6, 8, 10]) if (each * step >= most) return each * step
    step *= 10
  }
}
