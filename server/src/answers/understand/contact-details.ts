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
const spaceless = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`
const local = String.raw`[[\p{L}\p{N}._%+'\-]--${spaceless}]`
const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}\-]{0,61}[\p{L}\p{N}])?`
const email = new RegExp(String.raw`(?<!${local})${local}{1,64}@(?:${label}\.){1,8}[\p{L}--${spaceless}]{2,24}`, 'gv')
// The words that tell what a number is are close to it.
const BEFORE = 80
const AFTER = 20
const MAX_NUMBERS = 20

// Words before a number that mark it as something else or as a phone number, in all languages.
const otherNumber = new RegExp(
  `(?:(?<!\\p{L})(?:${inAnyLanguage((data) => (data.isUnspaced ? undefined : data.contact.notPhone))})|${inAnyLanguage((data) => (data.isUnspaced ? data.contact.notPhone : undefined))}|[#№$€£¥])[\\s:.#№-]*(?:${inAnyLanguage(({ contact }) => contact.number)})?[\\s:.#№-]*(?:${inAnyLanguage(({ contact }) => contact.is)})?[\\s:#]*$`,
  'iu',
)
const phoneWord = new RegExp(
  `(?:${inAnyLanguage(({ contact }) => contact.phone)})\\P{L}*(?:\\S+\\s+){0,3}\\S{0,3}$`,
  'iu',
)
const currencyAfter =
  /^\s*(?:[$€£¥₽₺]|usd|eur|gbp|chf|pln|zł|kr|sek|dkk|euros?|dollars?|pounds?|руб|tl|元|円|%|kg|g|cm|mm|km|ml|pcs|items?|stück|pieces)(?!\p{L})/iu
const date = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4})(?:\s|$)/

// Chinese and Japanese write numbers directly after a word.
const besideUnspaced =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])(?=[+\d])|(?<=\d)(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/gu
const thousands = /^\d{1,3}(?:[.,]\d{3})+$/

export function emailAddresses(text: string): string[] {
  return [...new Set([...text.matchAll(email)].map(([address]) => address.replace(/^[.'-]+/, '').toLowerCase()))]
}

export function contactDetails(text: string, defaultRegion?: string): ContactDetails {
  const emails = emailAddresses(text)
  // Normalises Arabic-Indic and full-width digits; email addresses may contain digits that are not phone numbers.
  const plain = text
    .replace(email, ' ')
    .replace(/\s+/g, ' ')
    .replace(/[０-９٠-٩۰-۹]/g, asciiDigit)
    .replaceAll('＋', '+')
    .replace(besideUnspaced, ' ')
  const phones = new Set<string>()
  if (!hasNumber(plain)) return { emails, phones: [] }
  const options: { defaultCountry?: CountryCode } = countryOf(defaultRegion)
  const found = phoneLibrary.findPhoneNumbersInText(plain, options).slice(0, MAX_NUMBERS)
  for (const { startsAt, endsAt, number } of found) {
    const before = plain.slice(Math.max(0, startsAt - BEFORE), startsAt)
    if (isPhone(plain.slice(startsAt, endsAt), before, plain.slice(endsAt, endsAt + AFTER))) phones.add(number.number)
  }
  return { emails, phones: [...phones] }
}

/** A number that was asked for: in E.164 if possible, otherwise as typed; null if there is none. */
export function phoneNumber(text: string, defaultRegion?: string): string | null {
  const plain = text.replace(/[０-９٠-٩۰-۹]/g, asciiDigit).replaceAll('＋', '+')
  if (!hasNumber(plain)) return null
  const parsed = phoneLibrary.parsePhoneNumberFromString(plain, countryOf(defaultRegion))
  if (parsed?.isPossible()) return parsed.number
  return /^[+\d][\d\s()./-]{4,28}\d$/.test(plain) ? plain : null
}

/** The shortest numbers have five digits. */
function hasNumber(text: string): boolean {
  return (text.match(/\d/g)?.length ?? 0) >= 5
}

function countryOf(region: string | undefined): { defaultCountry?: CountryCode } {
  const country = region?.toUpperCase()
  return country && phoneLibrary.isSupportedCountry(country) ? { defaultCountry: country } : {}
}

function isPhone(written: string, before: string, after: string): boolean {
  if (
    date.test(written) ||
    thousands.test(written) ||
    currencyAfter.test(after) ||
    /[$€£¥₽₺#№/]\s*$/.test(before) ||
    /[\p{L}\p{N}_-]$/u.test(before.slice(-1))
  )
    return false
  if (/^[\p{L}_]/u.test(after)) return false
  const international = /^\(?(?:\+|00)/.test(written)
  if (otherNumber.test(before) && !international) return false
  if (international || phoneWord.test(before)) return true
  // A bare run of digits is more often an order number; a trunk zero or groups make it a phone number.
  return /^\(?0/.test(written) || /\d[\s().-]+\d/.test(written)
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
