// How long a visitor has waited for a person, as it grows, and whether a reply is overdue.
import type { ConversationSummary } from '@docent/contract'
import { useSyncExternalStore } from 'react'
import { formatDateTime } from '../../text/format.ts'
import { currentLanguage } from '../../texts/texts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { texts } from './queue-texts.ts'

type Waiting = NonNullable<ConversationSummary['waiting']>

const TICK_MS = 1000

/** One timer for all rows. */
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function onTick(listener: () => void) {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const each of listeners) each()
  }, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

export function WaitingClock({ waiting }: { waiting: Waiting }) {
  // A text, so that a row is drawn again only when it reads differently.
  const time = useSyncExternalStore(onTick, () => formatDuration(Date.now() - Date.parse(waiting.since)))
  const isLate = useSyncExternalStore(onTick, () => isOverdue(waiting))
  const due = waiting.due_at && formatDateTime(waiting.due_at)
  return (
    <span
      className="status"
      data-tone={isLate ? 'bad' : 'warn'}
      data-icon=""
      title={due ? (isLate ? texts.wasDueAt : texts.dueAt)(due) : undefined}
    >
      <Icon name={isLate ? 'warn' : 'snooze'} size={14} />
      {isLate ? texts.overdueFor(time) : texts.waitingFor(time)}
    </span>
  )
}

const units = { second: makeUnit('second'), minute: makeUnit('minute'), hour: makeUnit('hour'), day: makeUnit('day') }

function makeUnit(unit: string): Intl.NumberFormat {
  return new Intl.NumberFormat(currentLanguage(), { style: 'unit', unit, unitDisplay: 'short' })
}

/** "42 sec", "12 min", "3 hr 5 min", "4 days". */
function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  if (minutes < 1) return units.second.format(seconds)
  if (hours < 1) return units.minute.format(minutes)
  if (hours < 24) return `${units.hour.format(hours)} ${units.minute.format(minutes % 60)}`
  return units.day.format(Math.floor(hours / 24))
}

function isOverdue({ due_at }: Waiting): boolean {
  return due_at !== null && Date.parse(due_at) <= Date.now()
}
