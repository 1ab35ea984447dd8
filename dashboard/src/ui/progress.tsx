export function Progress({ done, total, label }: { done: number; total: number; label: string }) {
  return (
    <div className="stack tight">
      <div
        className="bar"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(total, 1)}
        aria-valuenow={done}
      >
        <div style={{ width: `${total === 0 ? 0 : (100 * done) / total}%` }} />
      </div>
      <span className="small quiet number">{label}</span>
    </div>
  )
}
