// Templates of an action: `{{input}}` in its request, `{{response.field}}` in its answer. Each place escapes what is put
// into it, so that a value can only ever be a value there.
import { ACTION_VISITOR_FIELDS, type ActionRequest, type ActionVisitorField } from '@docent/contract'
import type { InputValue, InputValues } from './inputs.ts'

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g
const RESPONSE_PATH = /^response((?:\.[\p{L}_$][\p{L}\p{N}_$-]*|\[\d{1,4}\])*)$/u

const LONGEST_VALUE = 500
const LONGEST_ANSWER = 4000
const LISTED_FIELDS = 6

/** The names in a template. */
export function placeholders(template: string): string[] {
  return [...template.matchAll(PLACEHOLDER)].map((match) => match[1] ?? '')
}

export function isResponsePath(name: string): boolean {
  return RESPONSE_PATH.test(name)
}

/** What a request wants to know of the visitor, such as `user_id` for `{{visitor.user_id}}`. */
export function visitorFields({ url, headers = {}, body }: ActionRequest): ActionVisitorField[] {
  const names = [url, ...Object.values(headers), body ?? ''].flatMap(placeholders)
  return ACTION_VISITOR_FIELDS.filter((field) => names.includes(visitorName(field)))
}

/** Beside the inputs, whose names have no dot. */
export function visitorName(field: ActionVisitorField): string {
  return `visitor.${field}`
}

/** What may be put into requests of a visitor: only what their site has proven. */
export function visitorValues(user: Partial<Record<ActionVisitorField, string | null>>): InputValues {
  const visitorEntries = ACTION_VISITOR_FIELDS.flatMap((field) =>
    user[field] ? [[visitorName(field), user[field]]] : [],
  )
  return Object.fromEntries(visitorEntries)
}

/** A request that was filled in, ready to be sent; null if a value cannot be part of it. */
export interface FilledRequest {
  method: ActionRequest['method']
  url: string
  headers: Record<string, string>
  body: string | null
}

export function fillRequest({ method, url, headers, body }: ActionRequest, values: InputValues): FilledRequest | null {
  const filledUrl = fill(url, values, encodeURIComponent)
  const filledBody = body ? fillBody(body, values) : null
  if (!keepsShape(url, filledUrl, values) || (filledBody !== null && !isJson(filledBody))) return null
  const filledHeaders = Object.entries(headers ?? {}).map(([name, value]) => [name, fill(value, values, headerText)])
  return { method, url: filledUrl, headers: Object.fromEntries(filledHeaders), body: filledBody }
}

function fill(template: string, values: InputValues, escapeText: (text: string) => string): string {
  return template.replace(PLACEHOLDER, (_, name: string) => escapeText(String(values[name] ?? '').toWellFormed()))
}

/** Within quotes a value is escaped text; without them it is a number, a boolean or null. */
function fillBody(template: string, values: InputValues): string {
  return template.replace(PLACEHOLDER, (_, name: string, offset: number) => {
    const value: InputValue | undefined = values[name]
    const quotes = template.slice(0, offset).match(/(?<!\\)(?:\\\\)*"/g)?.length ?? 0
    return quotes % 2 === 1 ? JSON.stringify(String(value ?? '')).slice(1, -1) : String(value ?? null)
  })
}

/** A value must not add, remove or empty a part of the path: "." and "..", which no encoding hides. */
function keepsShape(template: string, filledUrl: string, values: InputValues): boolean {
  const example = fill(template, values, (text) => (text === '' ? '' : 'x'))
  if (!URL.canParse(example) || !URL.canParse(filledUrl)) return false
  const shape = (url: string) => new URL(url).pathname.replace(/[^/]+/g, 'x')
  return shape(example) === shape(filledUrl) && new URL(example).origin === new URL(filledUrl).origin
}

/** The URL with something in place of each input. */
export function exampleUrl(template: string, value = 'x'): string {
  return template.replace(PLACEHOLDER, value)
}

/** Null if it is not a URL. */
export function originOf(template: string, value?: string): string | null {
  return URL.parse(exampleUrl(template, value))?.origin ?? null
}

/** No line break can end a header; what is not ASCII is percent-encoded. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (sign) => (/\p{Cc}/u.test(sign) ? ' ' : encodeURIComponent(sign)))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

// The answer.

/** What the visitor reads. Text that others wrote is shown as it is, never as Markdown. */
export function renderAnswer(
  template: string | null,
  values: InputValues,
  response: unknown,
  { done }: { done: string },
): string {
  const text =
    template === null
      ? defaultAnswer(response, done)
      : template.replace(PLACEHOLDER, (_, name: string) =>
          isResponsePath(name) ? plain(valueAt(response, name)) : plain(values[name]),
        )
  const whole = text.trim() === '' ? done : text.trim()
  return whole.length > LONGEST_ANSWER ? `${whole.slice(0, LONGEST_ANSWER - 1)}…` : whole
}

/** "status: shipped", for the first fields that hold a plain value. */
function defaultAnswer(response: unknown, doneText: string): string {
  if (typeof response !== 'object' || response === null || Array.isArray(response)) return doneText
  const lines = Object.entries(response)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '')
    .slice(0, LISTED_FIELDS)
    .map(([name, value]) => `- ${plain(name.replaceAll('_', ' '))}: ${plain(value)}`)
  return lines.length > 0 ? lines.join('\n') : doneText
}

function valueAt(response: unknown, path: string): unknown {
  const steps = path.slice('response'.length).match(/[^.[\]]+/g) ?? []
  return steps.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined,
    response,
  )
}

/** One line, with every sign that Markdown or HTML could read as markup escaped. */
export function plain(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'object') return ''
  const line = String(value)
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ')
    .trim()
  const shortLine = line.length > LONGEST_VALUE ? `${line.slice(0, LONGEST_VALUE - 1)}…` : line
  // Addresses become links by themselves, which is all that a link may do here.
  if (/^https?:\/\/[^\s<>"'()[\]\\*_`]+$/.test(shortLine)) return shortLine
  return shortLine.replace(/[\\`*_{}[\]()<>#+!|~-]/g, (sign) => `\\${sign}`)
}

// A response for people to look at.

const SHOWN_ITEMS = 20
const SHOWN_DEPTH = 8

/** Long lists, long texts and deep nesting are cut. */
export function shortened(response: unknown): { response: unknown; shortened: boolean } {
  let isCut = false
  const shorten = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string' && value.length > LONGEST_VALUE) {
      isCut = true
      return `${value.slice(0, LONGEST_VALUE)}…`
    }
    if (typeof value !== 'object' || value === null) return value
    if (depth === SHOWN_DEPTH) {
      isCut = true
      return null
    }
    if (Array.isArray(value)) {
      if (value.length > SHOWN_ITEMS) isCut = true
      return value.slice(0, SHOWN_ITEMS).map((item) => shorten(item, depth + 1))
    }
    const entries = Object.entries(value)
    if (entries.length > SHOWN_ITEMS * 2) isCut = true
    return Object.fromEntries(entries.slice(0, SHOWN_ITEMS * 2).map(([name, one]) => [name, shorten(one, depth + 1)]))
  }
  return { response: shorten(response, 0), shortened: isCut }
}
