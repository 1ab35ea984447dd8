import { Link } from '@tanstack/react-router'
import { analytics as texts } from './insight-texts.ts'

export interface ChartLine {
  label: string
  /** Null where there is no data. */
  values: (number | null)[]
}

interface Props {
  title: string
  points: { label: string; link: string }[]
  lines: ChartLine[]
  shown: (value: number | null | undefined) => string
}

export function ChartTable({ title, points, lines, shown }: Props) {
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
