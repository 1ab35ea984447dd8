// Local time in a time zone.
import type { OfficeHours } from '@docent/contract'
import { DAY_MS, utcDay } from './days.ts'

/** Whether agents are available now; without hours they always are. */
export function isOpen(hours: OfficeHours | null, now: number): boolean {
  return hours === null || isWithin(hours.open, hours.timezone, now)
}

export function isWithin(periods: OfficeHours['open'], timezone: string, now: number): boolean {
  if (periods.length === 0) return false
  const { weekday, time } = localTime(timezone, now)
  return periods.some(({ days, from, to }) => {
    if (from < to) return days.includes(weekday) && time >= from && time < to
    // Spans midnight: the evening of that day, or the early hours of the next.
    return (days.includes(weekday) && time >= from) || (days.includes(dayBefore(weekday)) && time < to)
  })
}

/** The latest moment, up to now, with this local time. An hour off on days when daylight saving time starts or ends. */
export function lastTimeAt(time: string, timezone: string, now: number): number {
  const minutesAgo = minutesOf(localTime(timezone, now).time) - minutesOf(time)
  const thisMinute = now - (now % 60_000)
  return thisMinute - (minutesAgo < 0 ? minutesAgo + 1440 : minutesAgo) * 60_000
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The local calendar day, as days since 1970. */
export function localDay(now: number, timezone: string): number {
  return utcDay(now + offsetAt(now, timezone))
}

/** When a local day begins: at midnight, or later where daylight saving time skips it. */
export function startOfLocalDay(day: number, timezone: string): number {
  return atLocalTime(day * DAY_MS, timezone)
}

/** When clocks of the time zone show this time, which is given as if it were UTC; later where they skip it. */
function atLocalTime(local: number, timezone: string): number {
  const [before, after] = [offsetAt(local - DAY_MS, timezone), offsetAt(local + DAY_MS, timezone)]
  const times = [local - before, local - after].sort((a, b) => a - b)
  return times.find((time) => time + offsetAt(time, timezone) === local) ?? local - before
}

/** The times after now, within eight days, when these hours begin. */
export function nextOpenings({ timezone, open }: OfficeHours, now: number): number[] {
  const today = localDay(now, timezone)
  const begins = Array.from({ length: 9 }, (_, ahead) => {
    // 1 January 1970 was a Thursday.
    const weekday = WEEKDAYS[(today + ahead + 3) % 7] as Weekday
    const times = new Set(open.filter(({ days }) => days.includes(weekday)).map(({ from }) => from))
    return [...times].map((from) => atLocalTime((today + ahead) * DAY_MS + minutesOf(from) * 60_000, timezone))
  })
  return begins.flat().filter((begin) => begin > now)
}

/** Offset from UTC. */
function offsetAt(now: number, timezone: string): number {
  if (timezone === 'UTC') return 0
  const second = Math.floor(now / 1000) * 1000
  const parts = zoneClock(timezone).formatToParts(second)
  const [year = 0, month = 1, ...rest] = (['year', 'month', 'day', 'hour', 'minute', 'second'] as const).map((type) =>
    Number(parts.find((part) => part.type === type)?.value),
  )
  return Date.UTC(year, month - 1, ...rest) - second
}

// Creating one takes a thousand times as long as using it.
const zoneClocks = new Map<string, Intl.DateTimeFormat>()
const MAX_CLOCKS = 100

function zoneClock(timeZone: string): Intl.DateTimeFormat {
  let clock = zoneClocks.get(timeZone)
  if (!clock) {
    const two = '2-digit'
    const date = { weekday: 'short', year: 'numeric', month: two, day: two } as const
    const time = { hour: two, minute: two, second: two, hourCycle: 'h23' } as const
    clock = new Intl.DateTimeFormat('en-US', { timeZone, ...date, ...time })
    if (zoneClocks.size >= MAX_CLOCKS) zoneClocks.clear()
    zoneClocks.set(timeZone, clock)
  }
  return clock
}

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
type Weekday = (typeof WEEKDAYS)[number]

function localTime(timeZone: string, now: number): { weekday: Weekday; time: string } {
  const parts = zoneClock(timeZone).formatToParts(now)
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? ''
  return { weekday: part('weekday').toLowerCase() as Weekday, time: `${part('hour')}:${part('minute')}` }
}

function dayBefore(day: Weekday): Weekday {
  return WEEKDAYS[(WEEKDAYS.indexOf(day) + 6) % 7] as Weekday
}
