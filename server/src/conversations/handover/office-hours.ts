import type { OfficeHours } from '@docent/contract'

/** Whether agents are available now; without hours they always are. */
export function isOpen(hours: OfficeHours | null, now: number): boolean {
  if (hours === null) return true
  const { weekday, time } = localTime(hours.timezone, now)
  return hours.open.some(({ days, from, to }) => {
    if (from < to) return days.includes(weekday) && time >= from && time < to
    // Past midnight: the evening of the day itself, or the early hours of the day after.
    return (days.includes(weekday) && time >= from) || (days.includes(dayBefore(weekday)) && time < to)
  })
}

export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
type Weekday = (typeof weekdays)[number]

function localTime(timeZone: string, now: number): { weekday: Weekday; time: string } {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now)
  const part = (type: string) => parts.find((found) => found.type === type)?.value ?? ''
  return { weekday: part('weekday').toLowerCase() as Weekday, time: `${part('hour')}:${part('minute')}` }
}

function dayBefore(day: Weekday): Weekday {
  return weekdays[(weekdays.indexOf(day) + 6) % 7] as Weekday
}
