import type { ReactNode } from 'react'

interface Given {
  title: string
  about?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}

export function Card({ title, about, actions, children }: Given) {
  return (
    <section className="card" aria-label={title}>
      <div className="card-head">
        <div>
          <h2>{title}</h2>
          {about && <p className="quiet small">{about}</p>}
        </div>
        {actions && <div className="inline">{actions}</div>}
      </div>
      {children}
    </section>
  )
}
