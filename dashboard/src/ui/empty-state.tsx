import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

/** Shown in place of an empty list: what it is for, and how to add the first item. */
export function EmptyState(props: { icon: IconName; title: string; about: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty">
      <Icon name={props.icon} />
      <h2>{props.title}</h2>
      <p>{props.about}</p>
      {props.action}
    </div>
  )
}
