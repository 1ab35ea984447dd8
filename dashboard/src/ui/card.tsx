import type { ReactNode } from 'react'

interface Props {
  id?: string
  title: string
  about?: ReactNode
  actions?: ReactNode
  /** Puts the title next to the content on wide screens. */
  split?: boolean
  children?: ReactNode
}

export function Card({ id, title, about, actions, split, children }: Props) {
  return (
    <section id={id} className={split ? 'card card-split' : 'card'} aria-label={title}>
      <div className="card-head">
        <div>
          <h2>{title}</h2>
          {about && <p className="quiet small">{about}</p>}
        </div>
        {actions && <div className="inline">{actions}</div>}
      </div>
      {split ? <div className="stack">{children}</div> : children}
    </section>
  )
}
