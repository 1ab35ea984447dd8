import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className="rows" aria-label={label}>
      {children}
    </ul>
  )
}

interface RowProps {
  title: ReactNode
  /** The whole row is a link, or a button. */
  to?: string
  onOpen?: () => void
  start?: ReactNode
  meta?: ReactNode[]
  end?: ReactNode
  children?: ReactNode
}

export function Row({ title, to, onOpen, start, meta = [], end, children }: RowProps) {
  const visibleMeta = meta.filter(Boolean)
  return (
    <li className="row">
      {start}
      <div className="row-text">
        <div className="row-title">
          {to ? (
            <Link to={to} className="row-link">
              {title}
            </Link>
          ) : onOpen ? (
            <button type="button" className="row-link row-title" onClick={onOpen}>
              {title}
            </button>
          ) : (
            title
          )}
        </div>
        {visibleMeta.length > 0 && (
          <div className="row-meta">
            {visibleMeta.map((each, index) => (
              <span key={index}>{each}</span>
            ))}
          </div>
        )}
        {children}
      </div>
      {end && <div className="row-end">{end}</div>}
    </li>
  )
}
