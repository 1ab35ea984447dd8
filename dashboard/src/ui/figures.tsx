import { formatNumber } from '../text/format.ts'

export function Figures({ figures }: { figures: { label: string; value: number | string }[] }) {
  return (
    <dl className="figures">
      {figures.map(({ label, value }) => (
        <div key={label} className="figure">
          <dt>{label}</dt>
          <dd>{typeof value === 'number' ? formatNumber(value) : value}</dd>
        </div>
      ))}
    </dl>
  )
}
