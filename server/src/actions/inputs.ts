// The inputs of an action: reads values out of what people write, by type and pattern.
import { createContext, Script } from 'node:vm'
import type { ActionInput } from '@docent/contract'
import { emailAddresses } from '../answers/understand/contact-details.ts'
import { foldPhrase } from '../language/fold.ts'

export type InputValue = string | number | boolean
export type InputValues = Record<string, InputValue>

interface Reading {
  language: string
  now: number
  /** Whether the visitor was asked for this input, so that the whole message may be its value. */
  asked: boolean
  isYes: (text: string) => boolean
  isNo: (text: string) => boolean
}

const LONGEST_TEXT = 500

/** The value of an input in a message, or null. */
export function readInput(input: ActionInput, message: string, reading: Reading): InputValue | null {
  switch (input.type) {
    case 'email':
      return emailAddresses(message)[0] ?? null
    case 'number':
      return readNumber(message)
    case 'date':
      return readDate(message, reading)
    case 'boolean':
      if (!reading.asked) return null
      return reading.isYes(message) ? true : reading.isNo(message) ? false : null
    case 'choice':
      return readChoice(input.choices ?? [], message, reading.asked)
    case 'string':
      return readText(input, message, reading.asked)
  }
}

/** A value given as such, by a test or a caller that keeps the history; null if it does not fit. */
export function checkInput(input: ActionInput, given: InputValue): InputValue | null {
  if (input.type === 'number')
    return typeof given === 'number' && Number.isFinite(given) ? given : readNumber(String(given))
  if (input.type === 'boolean') {
    if (typeof given === 'boolean') return given
    return given === 'true' ? true : given === 'false' ? false : null
  }
  const text = String(given).trim()
  if (text === '' || text.length > LONGEST_TEXT) return null
  if (input.type === 'email') return emailAddresses(text)[0] === text.toLowerCase() ? text.toLowerCase() : null
  if (input.type === 'date') return /^\d{4}-\d{2}-\d{2}$/.test(text) ? isoDate(...dateParts(text)) : null
  if (input.type === 'choice') return input.choices?.find((choice) => choice === text) ?? null
  return input.pattern && matchPattern(wholly(input.pattern), text) === null ? null : text
}

function dateParts(text: string): [number, number, number] {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  return [year, month, day]
}

function readText({ name, description, pattern }: ActionInput, message: string, asked: boolean): string | null {
  const text = message.trim()
  if (pattern) {
    const within = `(?<![\\p{L}\\p{N}])(?:${withoutAnchors(pattern)})(?![\\p{L}\\p{N}])`
    return matchPattern(within, text) ?? matchPattern(within, text.toUpperCase())
  }
  // "Order 12345": the only thing in a message that looks like one.
  if (IDENTIFIER.test(`${name} ${description}`)) {
    const found = text.match(CODE) ?? []
    if (found.length === 1 && found[0]) return found[0]
  }
  return asked && text !== '' ? text.slice(0, LONGEST_TEXT) : null
}

// Words for a number or code in the description of an input, in the languages that bots speak.
const IDENTIFIER =
  /number|\bnr\b|\bid\b|_id\b|code|reference|nummer|num[eé]r[oi]|n[uú]mero|numer|numara|номер|код|رقم|رمز|号|番号|コード/iu
const CODE =
  /(?<![\p{L}\p{N}@.])#?(?=[\p{L}\p{N}/-]*\d)(?:\p{L}|\p{N})(?:[\p{L}\p{N}]|[/-](?=[\p{L}\p{N}])){2,39}(?![\p{L}\p{N}@])/gu

function readChoice(choices: readonly string[], message: string, asked: boolean): string | null {
  const text = ` ${foldPhrase(message)} `
  const named = choices.filter((choice) => text.includes(` ${foldPhrase(choice)} `))
  // "Express delivery" also names "Express".
  const best = named.filter(
    (one) => !named.some((other) => other !== one && foldPhrase(other).includes(foldPhrase(one))),
  )
  if (best.length === 1) return best[0] ?? null
  const numbered = asked ? /^\s*(\d{1,2})[.)]?\s*$/.exec(message)?.[1] : undefined
  return numbered ? (choices[Number(numbered) - 1] ?? null) : null
}

// The only number of a message, in either way of writing thousands and decimals.

const NUMBER = /(?<![\p{L}\p{N}])[-−]?\d[\d.,' \u00a0\u202f]*(?!\p{L})/gu

function readNumber(message: string): number | null {
  const [only, ...others] = [...message.matchAll(NUMBER)].map(([text]) => text.trim().replace(/[.,']+$/, ''))
  if (only === undefined || others.length > 0) return null
  const digits = only.replace(/[' \u00a0\u202f]/g, '').replace('−', '-')
  const lastMark = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  const marks = digits.match(/[.,]/g) ?? []
  const isThousands = marks.length > 0 && new Set(marks).size === 1 && /^-?\d{1,3}(?:[.,]\d{3})+$/.test(digits)
  const plain =
    lastMark < 0 || isThousands
      ? digits.replace(/[.,]/g, '')
      : `${digits.slice(0, lastMark).replace(/[.,]/g, '')}.${digits.slice(lastMark + 1)}`
  const value = Number(plain)
  return Number.isFinite(value) ? value : null
}

// A date, as "2026-03-31".

const DAY_MS = 86_400_000

function readDate(message: string, { language, now }: Reading): string | null {
  const text = message.toLowerCase()
  const iso = /(?<!\d)(\d{4})[-./](\d{1,2})[-./](\d{1,2})(?!\d)/.exec(text)
  if (iso) return isoDate(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const east = /(?:(\d{4})年)?(\d{1,2})月(\d{1,2})日/.exec(text)
  if (east) return withYear(east[1], Number(east[2]), Number(east[3]), now)
  const spoken = /(?<!\d)(\d{1,2})([./-])(\d{1,2})(?:\2(\d{4}|\d{2}))?(?!\d)/.exec(text)
  if (spoken) {
    const [, first, mark, second, year] = spoken
    return spokenDate(Number(first), Number(second), mark === '/' && language.startsWith('en'), year, now)
  }
  return namedMonth(text, language, now) ?? relativeDay(text, language, now)
}

/** "3/4" in English may be either, so nobody guesses. */
function spokenDate(first: number, second: number, isAmbiguous: boolean, year: string | undefined, now: number) {
  if (isAmbiguous && first <= 12 && second <= 12 && first !== second) return null
  const [day, month] = isAmbiguous && second > 12 ? [second, first] : [first, second]
  return withYear(year, month, day, now)
}

/** "31 March 2026", "March 31st", "Sept. 3". */
function namedMonth(text: string, language: string, now: number): string | null {
  const months = monthNames(language)
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}]{3,}/gu)) {
    const isNamed = ({ long, short }: { long: string; short: string }) =>
      word === long || word === short || (long.startsWith(word) && word.startsWith(short))
    const month = months.findIndex(isNamed)
    if (month < 0) continue
    const before = /(\d{1,2})(?:st|nd|rd|th|\.|º|er)?\s*(?:of|de|di)?\s*$/.exec(text.slice(0, index))?.[1]
    const after = /^\.?\s*(\d{1,2})(?!\d)/.exec(text.slice(index + word.length))?.[1]
    const day = before ?? after
    const year = /(?<!\d)(20\d{2})(?!\d)/.exec(text)?.[1]
    // "I may be late" names no day.
    if (day) return withYear(year, month + 1, Number(day), now)
  }
  return null
}

/** As they are written beside a day. */
function monthNames(language: string): { long: string; short: string }[] {
  const nameOf = (month: number, style: 'long' | 'short') => {
    const format = new Intl.DateTimeFormat([language, 'en'], { month: style, day: 'numeric', timeZone: 'UTC' })
    const part = format.formatToParts(Date.UTC(2026, month, 1)).find(({ type }) => type === 'month')
    return (part?.value ?? '').toLowerCase().replace(/\.$/, '')
  }
  return Array.from({ length: 12 }, (_, month) => ({ long: nameOf(month, 'long'), short: nameOf(month, 'short') }))
}

/** "Today" and "tomorrow", as the language writes them. */
function relativeDay(text: string, language: string, now: number): string | null {
  const format = new Intl.RelativeTimeFormat([language, 'en'], { numeric: 'auto' })
  const days = [0, 1].find((ahead) => ` ${foldPhrase(text)} `.includes(` ${foldPhrase(format.format(ahead, 'day'))} `))
  return days === undefined ? null : new Date(now + days * DAY_MS).toISOString().slice(0, 10)
}

/** Without a year, the next such day. */
function withYear(year: string | undefined, month: number, day: number, now: number): string | null {
  if (year) return isoDate(Number(year.length === 2 ? `20${year}` : year), month, day)
  const today = new Date(now).toISOString().slice(0, 10)
  const thisYear = isoDate(new Date(now).getUTCFullYear(), month, day)
  return thisYear && thisYear < today ? isoDate(new Date(now).getUTCFullYear() + 1, month, day) : thisYear
}

function isoDate(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1900 && year <= 2200
  return isReal ? date.toISOString().slice(0, 10) : null
}

// Patterns are written by owners: one that would take for ever is stopped, and after a few times not tried for an hour.

const PATTERN_MS = 100
const MAX_TRIES = 10
const MAX_STOPS = 3
const STOPPED_MS = 60 * 60_000
const MAX_STOPPED = 1000
const matching = new Script('new RegExp(pattern, "u").exec(text)?.[0] || null')
const sandbox = createContext({ pattern: '', text: '' })
/** When a pattern was stopped, by pattern. A match in between proves nothing: it is the text that makes it slow. */
const stops = new Map<string, number[]>()

function matchPattern(pattern: string, text: string): string | null {
  const stopped = (stops.get(pattern) ?? []).filter((at) => performance.now() - at < STOPPED_MS)
  if (stopped.length >= MAX_STOPS) return null
  const given = Object.assign(sandbox, { pattern, text: text.slice(0, LONGEST_TEXT) })
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const before = process.threadCpuUsage()
    try {
      return matching.runInContext(given, { timeout: PATTERN_MS })
    } catch {
      const { user, system } = process.threadCpuUsage(before)
      // Otherwise the machine was busy with something else.
      if (user + system > (PATTERN_MS * 1000) / 2) break
    }
  }
  stops.delete(pattern)
  const [oldest] = stops.keys()
  if (stops.size >= MAX_STOPPED && oldest !== undefined) stops.delete(oldest)
  stops.set(pattern, [...stopped, performance.now()])
  return null
}

function withoutAnchors(pattern: string): string {
  return pattern.replace(/^\^/, '').replace(/(?<!\\)\$$/, '')
}

function wholly(pattern: string): string {
  return `^(?:${withoutAnchors(pattern)})$`
}

// What is kept of inputs in logs and events.

const SECRET_NAME = /pass(?!enger|port_country)|secret|token|pin$|^pin|cvv|cvc|card_?n|iban|ssn|otp/i
const MASK = '••••'

export function maskInputs(values: InputValues): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isSecret(name, String(value)) ? MASK : String(value)]),
  )
}

function isSecret(name: string, value: string): boolean {
  const digits = value.replace(/[ -]/g, '')
  return SECRET_NAME.test(name) || (/^\d{13,19}$/.test(digits) && isCardNumber(digits))
}

/** The check digit of Luhn. */
function isCardNumber(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}
