import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

/** Shown in place of an empty list: what it is for, and how to add the first item. */
export function Empty(given: { icon: IconName; title: string; about: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty">
      <Icon name={given.icon} />
      <h2>{given.title}</h2>
      <p>{given.about}</p>
      {given.action}
    </div>
  )
}
