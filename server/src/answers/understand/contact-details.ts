// Finds email addresses and phone numbers in a message, ignoring order numbers, prices and dates.
import { createRequire } from 'node:module'
import type { CountryCode } from 'libphonenumber-js/min'
import { inAnyLanguage } from '../../language/languages.ts'

// Loaded at startup, so that answers do not depend on files an upgrade may be replacing. Not imported: the package's ES
// modules take twice as long.
const phoneLibrary = createRequire(import.meta.url)('libphonenumber-js/min') as typeof import('libphonenumber-js/min')

export interface ContactDetails {
  emails: string[]
  /** E.164: +4930901820. */
  phones: string[]
}

// Chinese and Japanese characters before an address belong to the sentence. All parts are bounded and do not overlap,
// so that matching stays linear.
const SPACELESS = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`
const LOCAL_PART = String.raw`[[\p{L}\p{N}._%+'\-]--${SPACELESS}]`
const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}\-]{0,61}[\p{L}\p{N}])?`
const EMAIL = new RegExp(
  String.raw`(?<!${LOCAL_PART})${LOCAL_PART}{1,64}@(?:${LABEL}\.){1,8}[\p{L}--${SPACELESS}]{2,24}`,
  'gv',
)
// The words that tell what a number is are close to it.
const BEFORE = 80
const AFTER = 20
const MAX_NUMBERS = 10
// The library's time grows with the square of a text full of digits, so it only sees short pieces: runs of what a phone
// number is written with, and the characters beside them, which tell it from a part of something else.
const NUMBER_RUN = /[+(\d][\d +()./\u2010-\u2015~[\]-]*/g
const LONGEST_NUMBER = 48
const BESIDE = 3
const LEAST_DIGITS = 5

// Words before a number that mark it as something else or as a phone number, in all languages.
// Each run of marks is short; see `withoutLongMarks`.
const OTHER_NUMBER = new RegExp(
  `(?:(?<!\\p{L})(?:${inAnyLanguage((data) => (data.isUnspaced ? undefined : data.contact.notPhone))})|${inAnyLanguage((data) => (data.isUnspaced ? data.contact.notPhone : undefined))}|[#№$€£¥])[\\s:.#№-]*(?:${inAnyLanguage(({ contact }) => contact.number)})?[\\s:.#№-]*(?:${inAnyLanguage(({ contact }) => contact.is)})?[\\s:#]*$`,
  'iu',
)
const PHONE_WORD = new RegExp(
  `(?:${inAnyLanguage(({ contact }) => contact.phone)})\\P{L}*(?:\\S+\\s+){0,3}\\S{0,3}$`,
  'iu',
)
const CURRENCY_AFTER =
  /^\s*(?:[$€£¥₽₺]|usd|eur|gbp|chf|pln|zł|kr|sek|dkk|euros?|dollars?|pounds?|руб|tl|元|円|%|kg|g|cm|mm|km|ml|pcs|items?|stück|pieces)(?!\p{L})/iu
const DATE = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4})(?:\s|$)/

// Chinese and Japanese write numbers directly after a word.
const BESIDE_UNSPACED =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])(?=[+\d])|(?<=\d)(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/gu
const THOUSANDS = /^\d{1,3}(?:[.,]\d{3})+$/

export function emailAddresses(text: string): string[] {
  if (!text.includes('@')) return []
  return [...new Set([...text.matchAll(EMAIL)].map(([address]) => address.replace(/^[.'-]+/, '').toLowerCase()))]
}

export function contactDetails(text: string, defaultRegion?: string): ContactDetails {
  const emails = emailAddresses(text)
  return {
    emails,
    phones: [
      ...new Set(
        [...phonesIn(emails.length > 0 ? text.replace(EMAIL, ' ') : text, defaultRegion)].map(({ number }) => number),
      ),
    ],
  }
}

export function hasContactDetails(text: string, defaultRegion?: string): boolean {
  return emailAddresses(text).length > 0 || !phonesIn(text, defaultRegion).next().done
}

/** The first phone number of a text, as it is written there. */
export function writtenPhone(text: string, defaultRegion?: string): string | null {
  return phonesIn(text.replace(EMAIL, ' '), defaultRegion).next().value?.written ?? null
}

/** In a text without email addresses, which may contain digits that are no phone number. */
function* phonesIn(text: string, defaultRegion: string | undefined): Generator<{ number: string; written: string }> {
  // Normalises Arabic-Indic and full-width digits.
  const plain = text
    .replace(/\s+/g, ' ')
    .replace(/[０-９٠-٩۰-۹]/g, asciiDigit)
    .replaceAll('＋', '+')
    .replace(BESIDE_UNSPACED, ' ')
  const options: { defaultCountry?: CountryCode } = countryOf(defaultRegion)
  for (const { from, text: piece } of numberPieces(plain))
    for (const { startsAt, endsAt, number } of findNumbers(piece, options)) {
      const [start, end] = [from + startsAt, from + endsAt]
      const before = plain.slice(Math.max(0, start - BEFORE), start)
      const phoneText = plain.slice(start, end)
      if (isPhone(phoneText, before, plain.slice(end, end + AFTER))) yield { number: number.number, written: phoneText }
    }
}

/** The library throws for everything that is no number, and most of its time went into recording where. */
function findNumbers(piece: string, options: { defaultCountry?: CountryCode }) {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return phoneLibrary.findPhoneNumbersInText(piece, options)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** The parts of a text that may hold a phone number. */
function numberPieces(plain: string): { from: number; text: string }[] {
  const pieces: { from: number; text: string }[] = []
  for (const { 0: run, index } of plain.matchAll(NUMBER_RUN)) {
    if (!hasNumber(run)) continue
    const from = Math.max(0, index - BESIDE)
    pieces.push({ from, text: plain.slice(from, index + Math.min(run.length, LONGEST_NUMBER) + BESIDE) })
    if (pieces.length === MAX_NUMBERS) break
  }
  return pieces
}

/** A number that was asked for: in E.164 if possible, otherwise as typed; null if there is none. */
export function phoneNumber(text: string, defaultRegion?: string): string | null {
  const plain = text.replace(/[０-９٠-٩۰-۹]/g, asciiDigit).replaceAll('＋', '+')
  if (!hasNumber(plain)) return null
  const parsedNumber = phoneLibrary.parsePhoneNumberFromString(plain, countryOf(defaultRegion))
  if (parsedNumber?.isPossible()) return parsedNumber.number
  return /^[+\d][\d\s()./-]{4,28}\d$/.test(plain) ? plain : null
}

function hasNumber(text: string): boolean {
  let digits = 0
  for (let at = 0; at < text.length && digits < LEAST_DIGITS; at++) if (/\d/.test(text[at] as string)) digits++
  return digits >= LEAST_DIGITS
}

function countryOf(region: string | undefined): { defaultCountry?: CountryCode } {
  const country = region?.toUpperCase()
  return country && phoneLibrary.isSupportedCountry(country) ? { defaultCountry: country } : {}
}

function isPhone(phoneText: string, before: string, after: string): boolean {
  if (
    DATE.test(phoneText) ||
    THOUSANDS.test(phoneText) ||
    CURRENCY_AFTER.test(after) ||
    /[$€£¥₽₺#№/]\s*$/.test(before) ||
    /[\p{L}\p{N}_-]$/u.test(before.slice(-1))
  )
    return false
  if (/^[\p{L}_]/u.test(after)) return false
  const international = /^\(?(?:\+|00)/.test(phoneText)
  if (!international && OTHER_NUMBER.test(withoutLongMarks(before))) return false
  if (international || PHONE_WORD.test(before)) return true
  // A bare run of digits is more often an order number; a trunk zero or groups make it a phone number.
  return /^\(?0/.test(phoneText) || /\d[\s().-]+\d/.test(phoneText)
}

/** Keeps patterns with several optional marks in a row from trying every way to divide a long run among them. */
function withoutLongMarks(text: string): string {
  return text.replace(/[\s:.#№-]{4,}/g, (marks) => marks.slice(-3))
}

function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  for (const zero of [0xff10, 0x0660, 0x06f0]) if (code >= zero && code <= zero + 9) return String(code - zero)
  return digit
}

/** "de-AT" → "AT". */
export function regionOf(locale: string | undefined): string | undefined {
  return /[-_]([A-Za-z]{2})$/.exec(locale ?? '')?.[1]?.toUpperCase()
}
