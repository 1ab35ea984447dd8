import { Link } from '@tanstack/react-router'
import { type MouseEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react'
import { analytics as texts } from './insight-texts.ts'

interface ChartPoint {
  label: string
  /** Link to the conversations of this point. */
  link: string
}

interface Props {
  title: string
  points: ChartPoint[]
  /** Stacked. */
  areas: ChartLine[]
  /** The previous period, for comparison. */
  before?: ChartLine | undefined
  shown: (value: number) => string
  /** A share: the scale is fixed from 0 to 1. */
  isShare?: boolean
  height?: number
  onOpen: (link: string) => void
}

const LEFT = 44
const BOTTOM = 24
const TOP = 10
const MAX_LABELS = 6
const LABEL_WIDTH = 90

/** Figures over time. Each point links to its conversations; the table has the same figures and links. */
export function AreaChart({ title, points, areas, before, shown, isShare = false, height = 220, onOpen }: Props) {
  const { ref, width } = useWidth()
  const [pointedIndex, setPointedIndex] = useState<number | null>(null)
  const tops = stackAreas(areas)
  const most = Math.max(0, ...tops.flat().map(Number), ...(before?.values ?? []).map(Number))
  const top = isShare ? 1 : roundUp(most)
  const room = Math.max(1, width - LEFT - 8)
  const x = (index: number) => LEFT + (points.length < 2 ? room / 2 : (index / (points.length - 1)) * room)
  const y = (value: number) => TOP + (1 - value / top) * (height - TOP - BOTTOM)
  const pointAt = (event: PointerEvent<SVGSVGElement> | MouseEvent<SVGSVGElement>) => {
    const along = (event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT) / room
    return Math.min(points.length - 1, Math.max(0, Math.round(along * (points.length - 1))))
  }
  const lines = before ? [...areas, before] : areas
  const format = (value: number | null | undefined) => (value === null || value === undefined ? '–' : shown(value))
  return (
    <div className="chart">
      <ul className="chart-legend">
        {lines.map(({ label, values }, index) => (
          <li key={label} data-line={index < areas.length ? index : 'before'}>
            <span className="chart-key" aria-hidden="true" />
            {label}
            {pointedIndex !== null && <strong className="number">{format(values[pointedIndex])}</strong>}
          </li>
        ))}
        {pointedIndex !== null && <li className="quiet">{points[pointedIndex]?.label}</li>}
      </ul>
      <div ref={ref} className="chart-plot" style={{ height }}>
        {width > 0 && (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the table has the same links
          <svg
            height={height}
            role="img"
            aria-label={texts.chartOf(title, points[0]?.label ?? '', points.at(-1)?.label ?? '')}
            onPointerMove={(event) => setPointedIndex(pointAt(event))}
            onPointerDown={(event) => setPointedIndex(pointAt(event))}
            onPointerLeave={() => setPointedIndex(null)}
            onClick={(event) => onOpen(points[pointAt(event)]?.link ?? '')}
          >
            {[0, top / 2, top].map((value) => (
              <g key={value}>
                <path className="chart-rule" d={`M${LEFT} ${y(value)}H${width - 8}`} />
                <text x={LEFT - 8} y={y(value) + 4} textAnchor="end">
                  {shown(value)}
                </text>
              </g>
            ))}
            {labelledPoints(points.length, room).map((index) => (
              <text key={index} x={x(index)} y={height - 4} textAnchor={textAnchor(index, points.length)}>
                {points[index]?.label}
              </text>
            ))}
            {/* Draw the highest first, because the others overlap it. */}
            {tops.toReversed().map((values, back) => {
              const index = tops.length - 1 - back
              return (
                <g key={areas[index]?.label} data-line={index}>
                  <path className="chart-area" d={areaPath(values, x, y)} />
                  <path className="chart-line" d={linePath(values, x, y)} />
                  {values.map(
                    (value, at) =>
                      value !== null &&
                      (at === pointedIndex || isIsolated(values, at)) && (
                        <circle key={points[at]?.link} className="chart-dot" cx={x(at)} cy={y(value)} r={3.5} />
                      ),
                  )}
                </g>
              )
            })}
            {before && (
              <g data-line="before">
                <path className="chart-line" d={linePath(before.values.slice(0, points.length), x, y)} />
              </g>
            )}
            {pointedIndex !== null && (
              <path className="chart-cursor" d={`M${x(pointedIndex)} ${TOP}V${height - BOTTOM}`} />
            )}
          </svg>
        )}
      </div>
      <ChartTable title={title} points={points} lines={lines} shown={format} />
    </div>
  )
}

/** Running sums, for stacking. */
function stackAreas(areas: ChartLine[]): (number | null)[][] {
  const sums: number[] = []
  return areas.map(({ values }) =>
    values.map((value, at) => {
      if (value === null) return null
      sums[at] = (sums[at] ?? 0) + value
      return sums[at] ?? 0
    }),
  )
}

type Scale = (value: number) => number

/** Has a gap where there is no data. */
function linePath(values: (number | null)[], x: Scale, y: Scale): string {
  return values
    .map((value, at) => (value === null ? '' : `${(values[at - 1] ?? null) === null ? 'M' : 'L'}${x(at)} ${y(value)}`))
    .join('')
}

function areaPath(values: (number | null)[], x: Scale, y: Scale): string {
  return values
    .map((value, at) => {
      if (value === null) return ''
      const start = (values[at - 1] ?? null) === null ? `M${x(at)} ${y(0)}` : ''
      const end = (values[at + 1] ?? null) === null ? `L${x(at)} ${y(0)}Z` : ''
      return `${start}L${x(at)} ${y(value)}${end}`
    })
    .join('')
}

function isIsolated(values: (number | null)[], at: number): boolean {
  return (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null
}

/** The points labelled below the chart: the first, the last, and as many between as fit. */
function labelledPoints(count: number, room: number): number[] {
  const labels = Math.max(2, Math.min(MAX_LABELS, count, Math.floor(room / LABEL_WIDTH)))
  const places = Array.from({ length: labels }, (_, index) => Math.round((index * (count - 1)) / (labels - 1)))
  return [...new Set(places)]
}

function textAnchor(index: number, count: number): 'start' | 'middle' | 'end' {
  if (count < 2) return 'middle'
  return index === 0 ? 'start' : index === count - 1 ? 'end' : 'middle'
}

/** A round upper limit for the scale, whose half is round too. */
function roundUp(most: number): number {
  let step = 1
  for (;;) {
    for (const each of [2, 4, 6, 8, 10]) if (each * step >= most) return each * step
    step *= 10
  }
}

interface ChartLine {
  label: string
  /** Null where there is no data. */
  values: (number | null)[]
}

interface ChartTableProps {
  title: string
  points: { label: string; link: string }[]
  lines: ChartLine[]
  shown: (value: number | null | undefined) => string
}

function ChartTable({ title, points, lines, shown }: ChartTableProps) {
  return (
    <details className="small">
      <summary>{texts.asTable}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
      <section className="chart-table" tabIndex={0} aria-label={`${title}: ${texts.asTable}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.day}</th>
              {lines.map(({ label }) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map((point, index) => (
              <tr key={point.link}>
                <th scope="row">
                  <Link to={point.link}>{point.label}</Link>
                </th>
                {lines.map(({ label, values }) => (
                  <td key={label}>{shown(values[index])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}

/** The current width of an element. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => setWidth(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}
