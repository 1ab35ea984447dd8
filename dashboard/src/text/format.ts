// Formats numbers and times for the user's locale.
import { currentLanguage } from '../texts/texts.tsx'

/** Prefer the browser's regional variant of the interface language: en-GB rather than en. */
const language = navigator.languages.find((each) => each.slice(0, 2) === currentLanguage()) ?? currentLanguage()
// Made on first use: each takes milliseconds, and no screen needs all of them.
const figures = once(() => new Intl.NumberFormat(language))
const moment = once(() => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }))
const exact = once(() => new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' }))
const clock = once(() => new Intl.DateTimeFormat(language, { timeStyle: 'short' }))
const day = once(() => new Intl.DateTimeFormat(language, { dateStyle: 'medium' }))
const relative = once(() => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))

function once<T>(make: () => T): () => T {
  let instance: T | undefined
  return () => {
    instance ??= make()
    return instance
  }
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

export function formatNumber(value: number): string {
  return figures().format(value)
}

/** Significant digits, so that tiny amounts do not become 0. */
export function formatCost(value: number): string {
  return new Intl.NumberFormat(language, { maximumSignificantDigits: 3 }).format(value)
}

export function formatPercent(value: number): string {
  return new Intl.NumberFormat(language, { style: 'percent' }).format(value)
}

export function formatDateTime(time: string): string {
  return moment().format(new Date(time))
}

/** With seconds and time zone, for tooltips. */
export function formatExact(time: string): string {
  return exact().format(new Date(time))
}

export function formatTime(time: string): string {
  return clock().format(new Date(time))
}

export function formatDate(time: string): string {
  return day().format(new Date(time))
}

export function formatRelative(time: string): string {
  const seconds = (Date.parse(time) - Date.now()) / 1000
  for (const [unit, length] of STEPS)
    if (Math.abs(seconds) >= length) return relative().format(Math.round(seconds / length), unit)
  return relative().format(Math.round(seconds / 60), 'minute')
}

export function formatSize(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte']
  const step = Math.min(3, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
  const options = { style: 'unit', unit: units[step] ?? 'byte', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(language, options).format(bytes / 1000 ** step)
}

export function formatMoney(value: number, currency: string | null): string {
  if (!currency) return figures().format(value)
  try {
    return new Intl.NumberFormat(language, { style: 'currency', currency }).format(value)
  } catch {
    // Shops may use a currency code that is not ISO 4217.
    return `${figures().format(value)} ${currency}`
  }
}

/** For a select: "EUR – Euro". */
export function currencies(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(language, { type: 'currency' })
  return Intl.supportedValuesOf('currency').map((code) => ({
    value: code,
    label: `${code} – ${names.of(code) ?? code}`,
  }))
}

export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames(language, { type: 'language' }).of(code) ?? code
  } catch {
    return code
  }
}

/** With a sign, for changes. */
export function formatSigned(value: number, style: 'decimal' | 'percent' = 'decimal'): string {
  return new Intl.NumberFormat(language, { style, signDisplay: 'exceptZero', maximumFractionDigits: 0 }).format(value)
}

/** How long ago, in whole minutes, hours or days. */
export function formatElapsed(time: string): string {
  // Who has just come is not told to have waited for no time.
  const minutes = Math.max(1, Math.floor((Date.now() - Date.parse(time)) / 60_000))
  const [unit, count] =
    minutes < 60
      ? ['minute', minutes]
      : minutes < 2880
        ? ['hour', Math.floor(minutes / 60)]
        : ['day', Math.floor(minutes / 1440)]
  return new Intl.NumberFormat(language, { style: 'unit', unit: unit as string, unitDisplay: 'long' }).format(
    Number(count),
  )
}

export function formatWeekday(date: string): string {
  return new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format(new Date(date))
}

/** A calendar day without a time, as in charts. */
export function formatUtcDay(date: string, isMonth = false): string {
  const parts = isMonth ? ({ month: 'short', year: 'numeric' } as const) : ({ day: 'numeric', month: 'short' } as const)
  return new Intl.DateTimeFormat(language, { ...parts, timeZone: 'UTC' }).format(new Date(date))
}

/** A range of days in a time zone; `until` is exclusive. */
export function formatSpan(since: string, until: string, timeZone?: string): string {
  const days = timeZone ? new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone }) : day()
  return days.formatRange(new Date(since), new Date(Date.parse(until) - 1))
}

/** Rounded down, because a file of the size that is shown must fit; operators set binary megabytes. */
export function formatLimit(bytes: number): string {
  const [unit, size] = bytes < 1024 ** 2 ? (['kilobyte', 1024] as const) : (['megabyte', 1024 ** 2] as const)
  return new Intl.NumberFormat(currentLanguage(), { style: 'unit', unit }).format(Math.floor(bytes / size))
}
