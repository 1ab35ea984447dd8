import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

/** Says what would be here, what it is good for, and how it gets here. */
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
