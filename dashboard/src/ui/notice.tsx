import type { ReactNode } from 'react'
import type { Tone } from './status.tsx'

export function Notice({ tone = 'quiet', title, children }: { tone?: Tone; title?: string; children?: ReactNode }) {
  return (
    <div className="notice" data-tone={tone} role={tone === 'bad' ? 'alert' : undefined}>
      {title && <strong>{title}</strong>}
      {children && <div>{children}</div>}
    </div>
  )
}
