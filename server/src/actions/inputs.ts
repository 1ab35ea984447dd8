// The inputs of an action: reads values out of what people write, by type and pattern.
import { createContext, Script } from 'node:vm'
import type { ActionInput } from '@docent/contract'
import { emailAddresses } from '../answers/understand/contact-details.ts'
import { MASK, maskSecrets, namesSecret } from '../answers/understand/secrets.ts'
import { Lru } from '../caching.ts'
import { DAY_MS } from '../days.ts'
import { foldPhrase } from '../language/fold.ts'
import { isSpaceless } from '../language/scripts.ts'
import { dialogueWords } from './dialogue-words.ts'

export type InputValue = string | number | boolean
export type InputValues = Record<string, InputValue>

interface InputContext {
  language: string
  now: number
  /** Whether the visitor was asked for this input, so that the whole message may be its value. */
  asked: boolean
  isYes: (text: string) => boolean
  isNo: (text: string) => boolean
}

const LONGEST_TEXT = 500

/** The value of an input in a message, or null. */
export function readInput(input: ActionInput, message: string, context: InputContext): InputValue | null {
  switch (input.type) {
    case 'email':
      return emailAddresses(message)[0] ?? null
    case 'number':
      return readNumber(withAsciiDigits(message))
    case 'date':
      return readDate(withAsciiDigits(message), context)
    case 'boolean':
      if (!context.asked) return null
      return context.isYes(message) ? true : context.isNo(message) ? false : null
    case 'choice':
      return readChoice(input.choices ?? [], message, context.asked)
    case 'string':
      return readText(input, message, context.asked)
  }
}

/** A value given as such, by a test or a caller that keeps the history; null if it does not fit. */
export function checkInput(input: ActionInput, value: InputValue): InputValue | null {
  if (input.type === 'number')
    return typeof value === 'number' && Number.isFinite(value) ? value : readNumber(String(value))
  if (input.type === 'boolean') {
    if (typeof value === 'boolean') return value
    return value === 'true' ? true : value === 'false' ? false : null
  }
  const text = String(value).trim()
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

function readText({ name, description, pattern }: ActionInput, message: string, isAsked: boolean): string | null {
  const text = message.trim()
  if (pattern) {
    const within = `(?<![\\p{L}\\p{N}])(?:${withoutAnchors(pattern)})(?![\\p{L}\\p{N}])`
    return matchPattern(within, text) ?? matchPattern(within, text.toUpperCase())
  }
  // "Order 12345": the only thing in a message that looks like one.
  if (IDENTIFIER.test(`${name} ${description}`)) {
    const codes = text.match(CODE) ?? []
    if (codes.length === 1 && codes[0]) return codes[0]
  }
  return isAsked && text !== '' ? text.slice(0, LONGEST_TEXT) : null
}

// Words for a number or code in the description of an input, in the languages that bots speak.
const IDENTIFIER =
  /number|\bnr\b|\bid\b|_id\b|code|reference|nummer|num[eé]r[oi]|n[uú]mero|numer|numara|номер|код|رقم|رمز|号|番号|コード/iu
const CODE =
  /(?<![\p{L}\p{N}@.])#?(?=[\p{L}\p{N}/-]{0,39}\d)(?:\p{L}|\p{N})(?:[\p{L}\p{N}]|[/-](?=[\p{L}\p{N}])){2,39}(?![\p{L}\p{N}@])/gu

function readChoice(choices: readonly string[], message: string, isAsked: boolean): string | null {
  const text = foldPhrase(message)
  const namedChoices = choices.filter((choice) => holdsPhrase(text, foldPhrase(choice)))
  // "Express delivery" also names "Express".
  const best = namedChoices.filter(
    (one) => !namedChoices.some((other) => other !== one && foldPhrase(other).includes(foldPhrase(one))),
  )
  if (best.length === 1) return best[0] ?? null
  const choiceNumber = isAsked ? /^\s*(\d{1,2})[.)]?\s*$/.exec(message)?.[1] : undefined
  return choiceNumber ? (choices[Number(choiceNumber) - 1] ?? null) : null
}

/** Both folded; Chinese and Japanese put no spaces around words. */
function holdsPhrase(text: string, phrase: string): boolean {
  return isSpaceless(phrase) ? text.includes(phrase) : ` ${text} `.includes(` ${phrase} `)
}

const ARABIC_DIGIT = /[٠-٩۰-۹]/g

/** "٣" and "３" as "3". */
function withAsciiDigits(text: string): string {
  return text
    .replace(/[０-９]/g, (digit) => digit.normalize('NFKC'))
    .replace(ARABIC_DIGIT, (digit) => String((digit.codePointAt(0) ?? 0) & 15))
}

// The only number of a message, in either way of writing thousands and decimals. "3個" is one, "A3" and "3b" are none.

const NUMBER =
  /(?<![[\p{L}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]])[\-−]?\d[\d.,' \u00a0\u202f]*(?![\p{L}--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]])/gv

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

function readDate(message: string, { language, now }: InputContext): string | null {
  const text = message.toLowerCase()
  const iso = /(?<!\d)(\d{4})[-./](\d{1,2})[-./](\d{1,2})(?!\d)/.exec(text)
  if (iso) return isoDate(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const east = /(?:(\d{4})年)?(\d{1,2})月(\d{1,2})[日号號]/.exec(text)
  if (east) return withYear(east[1], Number(east[2]), Number(east[3]), now)
  const dateMatch = /(?<!\d)(\d{1,2})([./-])(\d{1,2})(?:\2(\d{4}|\d{2}))?(?!\d)/.exec(text)
  if (dateMatch) {
    const [, first, mark, second, year] = dateMatch
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
    const isNamed = ({ long, short }: MonthName) =>
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

interface MonthName {
  long: string
  short: string
}

/** By language: making them takes milliseconds. */
const monthNamesMade = new Lru<MonthName[]>(50)

/** As they are written beside a day. */
function monthNames(language: string): MonthName[] {
  const cachedNames = monthNamesMade.get(language)
  if (cachedNames) return cachedNames
  const nameOf = (month: number, style: 'long' | 'short') => {
    const format = new Intl.DateTimeFormat([language, 'en'], { month: style, day: 'numeric', timeZone: 'UTC' })
    const part = format.formatToParts(Date.UTC(2026, month, 1)).find(({ type }) => type === 'month')
    return (part?.value ?? '').toLowerCase().replace(/\.$/, '')
  }
  const names = Array.from({ length: 12 }, (_, month) => ({
    long: nameOf(month, 'long'),
    short: nameOf(month, 'short'),
  }))
  monthNamesMade.set(language, names)
  return names
}

// In Spanish and German also "tomorrow".
const IN_THE_MORNING = /(?<!\p{L})(?:(?:por|de|en) la mañana|(?:guten|am) morgen)(?!\p{L})/gu

/** "Today" and "tomorrow", as the language writes them. "Pasado mañana" has "mañana", so it comes first. */
function relativeDay(text: string, language: string, now: number): string | null {
  const format = new Intl.RelativeTimeFormat([language, 'en'], { numeric: 'auto' })
  const message = foldPhrase(text.replace(IN_THE_MORNING, ' '))
  const days = [2, 0, 1].find((ahead) => {
    const name = foldPhrase(format.format(ahead, 'day'))
    if (/\d/.test(name)) return false
    // "i morgon" is often written as one word.
    return holdsPhrase(message, name) || holdsPhrase(message, name.replaceAll(' ', ''))
  })
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

/** As visitors read it. In English, dates stay as they are asked for there: 3/4 means two days. */
export function spokenValue({ type }: ActionInput, value: InputValue, language: string): string {
  if (typeof value === 'boolean') return dialogueWords(language)[value ? 'yes' : 'no']
  if (typeof value === 'number')
    return value.toLocaleString([language, 'en'], { useGrouping: false, maximumFractionDigits: 20 })
  if (type !== 'date' || language.startsWith('en')) return value
  return new Intl.DateTimeFormat([language, 'en'], { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(value))
}

// Patterns are written by owners: one that would take for ever is stopped, and after a few times not tried for an hour.

const PATTERN_MS = 20
const MAX_TRIES = 10
const MAX_STOPS = 3
const STOPPED_MS = 60 * 60_000
const MAX_STOPPED = 1000
const patternScript = new Script('new RegExp(pattern, "u").exec(text)?.[0] || null')
const sandbox = createContext({ pattern: '', text: '' })
/** When a pattern was stopped, by pattern. A match in between proves nothing: it is the text that makes it slow. */
const stops = new Map<string, number[]>()

function matchPattern(pattern: string, text: string): string | null {
  const recentStops = (stops.get(pattern) ?? []).filter((at) => performance.now() - at < STOPPED_MS)
  if (recentStops.length >= MAX_STOPS) return null
  const context = Object.assign(sandbox, { pattern, text: text.slice(0, LONGEST_TEXT) })
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const before = process.threadCpuUsage()
    try {
      return patternScript.runInContext(context, { timeout: PATTERN_MS })
    } catch {
      const { user, system } = process.threadCpuUsage(before)
      // Otherwise the machine was busy with something else.
      if (user + system > (PATTERN_MS * 1000) / 2) break
    }
  }
  stops.delete(pattern)
  const [oldest] = stops.keys()
  if (stops.size >= MAX_STOPPED && oldest !== undefined) stops.delete(oldest)
  stops.set(pattern, [...recentStops, performance.now()])
  return null
}

function withoutAnchors(pattern: string): string {
  return pattern.replace(/^\^/, '').replace(/(?<!\\)\$$/, '')
}

function wholly(pattern: string): string {
  return `^(?:${withoutAnchors(pattern)})$`
}

// What is kept of inputs in logs, notes and events.

const SECRET_NAME = /pass(?!enger|port_country)|secret|token|pin$|^pin|cvv|cvc|card_?n|iban|ssn|otp/i

export function maskInputs(inputs: readonly ActionInput[], values: InputValues): Record<string, string> {
  return maskValues(values, secretNames(inputs))
}

export function maskValues(values: InputValues, secret: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, secret.includes(name) ? MASK : maskSecrets(String(value))]),
  )
}

type Named = Pick<ActionInput, 'name' | 'description' | 'ask'>

export function secretNames(inputs: readonly Named[]): string[] {
  return inputs.filter(isSecretInput).map(({ name }) => name)
}

/** By its name or what visitors read: a password, a PIN, a card number. */
export function isSecretInput({ name, description, ask }: Named): boolean {
  return isSecretName(name) || namesSecret(description) || namesSecret(ask ?? '')
}

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) || namesSecret(name)
}
