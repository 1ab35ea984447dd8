// The days shown, in a time zone. They are in the URL, so that a view can be shared.
import type { AnalyticsInterval } from '@docent/contract'
import { browserTimezone, isTimezone } from '../../text/time-zones.ts'

const DAY_MS = 86_400_000
const DAYS_FOR_WEEKS = 62
const DAYS_FOR_MONTHS = 200

export const presets = { week: 7, month: 30, quarter: 90, year: 365 } as const
export type Preset = keyof typeof presets

export interface Period {
  preset: Preset | 'custom'
  /** Both days are included. */
  from: string
  to: string
  timezone: string
  interval: AnalyticsInterval
}

export function lastDays(preset: Preset, timezone = browserTimezone()): Period {
  const to = today(timezone)
  return { ...withInterval(addDays(to, 1 - presets[preset]), to), preset, timezone }
}

/** A valid period, whatever the URL contains. */
export function parsePeriod({ range, from, to, tz }: Record<string, unknown>): Period {
  const timezone = isTimezone(tz) ? tz : browserTimezone()
  if (isDay(from) && isDay(to) && from <= to) return { ...withInterval(from, to), preset: 'custom', timezone }
  return lastDays(typeof range === 'string' && range in presets ? (range as Preset) : 'month', timezone)
}

/** The same number of days, directly before. */
export function previousPeriod(period: Period): Period {
  const to = addDays(period.from, -1)
  return { ...period, from: addDays(to, 1 - countDays(period.from, period.to)), to }
}

function withInterval(from: string, to: string) {
  const days = countDays(from, to)
  const interval: AnalyticsInterval = days > DAYS_FOR_MONTHS ? 'month' : days > DAYS_FOR_WEEKS ? 'week' : 'day'
  return { from, to, interval }
}

export function today(timezone: string): string {
  // The Canadian format is ISO 8601.
  return new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(new Date())
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}

function countDays(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
}

function isDay(day: unknown): day is string {
  return typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day))
}
