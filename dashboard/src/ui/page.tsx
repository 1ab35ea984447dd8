import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { setTitle } from '../text/document-title.ts'
import { Icon } from './icon.tsx'

interface Props {
  title: string
  about?: ReactNode
  actions?: ReactNode
  back?: { to: string; label: string }
  wide?: boolean
  children: ReactNode
}

let firstTitle = true

/** A screen. Its title becomes the document title and gets the focus, so that screen readers announce the new page. */
export function Page({ title, about, actions, back, wide, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    setTitle(title)
    if (!firstTitle && !document.querySelector('[role="dialog"]')) heading.current?.focus({ preventScroll: true })
    firstTitle = false
  }, [title])
  return (
    <div className={wide ? 'page page-wide' : 'page'}>
      <div className="stack tight">
        {back && (
          <Link to={back.to} className="back">
            <Icon name="left" size={16} /> {back.label}
          </Link>
        )}
        <div className="page-head">
          <div>
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {about && <p className="quiet">{about}</p>}
          </div>
          {actions && <div className="page-actions">{actions}</div>}
        </div>
      </div>
      {children}
    </div>
  )
}
