// An action as edited on its page.
import type { Action, ActionInput, ActionVisitorField, BodyOf, Routes } from '@docent/contract'
import { splitLines } from '../../text/split-lines.ts'
import { withScheme } from '../../text/with-scheme.ts'

export type InputType = ActionInput['type']
export type Method = NonNullable<Action['request']>['method']
export type AuthType = 'none' | NonNullable<Action['auth']>['type']

export const INPUT_TYPES = ['string', 'number', 'boolean', 'email', 'date', 'choice'] as const satisfies InputType[]
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies Method[]
export const AUTH_TYPES = ['none', 'bearer', 'header', 'basic'] as const satisfies AuthType[]

const VISITOR_FIELDS = ['user_id', 'email', 'name'] as const satisfies ActionVisitorField[]

export interface InputDraft {
  key: string
  name: string
  type: InputType
  /** One per line. */
  choices: string
  description: string
  ask: string
  required: boolean
  pattern: string
}

export interface HeaderDraft {
  key: string
  name: string
  value: string
}

export interface AuthDraft {
  type: AuthType
  header: string
  username: string
  secret: string
}

export interface ActionDraft {
  name: string
  description: string
  /** One per line. */
  examples: string
  notFor: string
  inputs: InputDraft[]
  method: Method
  url: string
  headers: HeaderDraft[]
  body: string
  /** Null: what is stored stays. */
  auth: AuthDraft | null
  template: string
  audience: Action['audience']
  confirm: boolean
  sample: unknown
}

export const NO_AUTH: AuthDraft = { type: 'none', header: '', username: '', secret: '' }

export function readAction(action: Action): ActionDraft {
  const { request } = action
  return {
    name: action.name,
    description: action.description,
    examples: action.examples.join('\n'),
    notFor: action.not_for.join('\n'),
    inputs: action.inputs.map((input, index) => ({
      key: String(index),
      name: input.name,
      type: input.type,
      choices: input.choices?.join('\n') ?? '',
      description: input.description,
      ask: input.ask ?? '',
      required: input.required,
      pattern: input.pattern ?? '',
    })),
    method: request?.method ?? 'GET',
    url: request?.url ?? '',
    headers: Object.entries(request?.headers ?? {}).map(([name, value]) => ({ key: name, name, value })),
    body: request?.body ?? '',
    auth: action.auth ? null : NO_AUTH,
    template: action.answer_template ?? '',
    audience: action.audience,
    confirm: action.confirm,
    sample: action.sample,
  }
}

export type ActionBody = BodyOf<Routes['PATCH /api/manage/v1/bots/{botId}/actions/{actionId}']>

export function writeAction(draft: ActionDraft, kind: Action['kind']): ActionBody {
  const { auth } = draft
  return {
    name: draft.name.trim(),
    description: draft.description.trim(),
    examples: splitLines(draft.examples),
    not_for: splitLines(draft.notFor),
    inputs: draft.inputs.map(writeInput),
    ...(kind === 'http' ? { request: writeRequest(draft) } : {}),
    ...(auth ? { auth: writeAuth(auth) } : {}),
    answer_template: draft.template.trim() || null,
    audience: draft.audience,
    confirm: draft.confirm,
    sample: draft.sample,
  }
}

function writeInput({ name, type, choices, description, ask, required, pattern }: InputDraft): ActionInput {
  return {
    name: name.trim(),
    type,
    description: description.trim(),
    required,
    ask: ask.trim() || null,
    ...(type === 'choice' ? { choices: splitLines(choices) } : {}),
    ...(type === 'string' ? { pattern: pattern.trim() || null } : {}),
  }
}

function writeRequest({ method, url, headers, body }: ActionDraft): NonNullable<ActionBody['request']> {
  const namedHeaders = headers.filter(({ name }) => name.trim() !== '')
  return {
    method,
    url: withScheme(url),
    headers: Object.fromEntries(namedHeaders.map(({ name, value }) => [name.trim(), value.trim()])),
    body: method === 'GET' ? null : body.trim() || null,
  }
}

function writeAuth({ type, header, username, secret }: AuthDraft): NonNullable<ActionBody['auth']> | null {
  if (type === 'bearer') return { type, token: secret.trim() }
  if (type === 'header') return { type, name: header.trim(), value: secret.trim() }
  return type === 'basic' ? { type, username: username.trim(), password: secret } : null
}

/** The fields that differ from what is stored, so that a colleague's change to others stays. */
export function changedFields(body: ActionBody, storedBody: ActionBody): ActionBody {
  const changes: ActionBody = Object.fromEntries(
    Object.entries(body).filter(([field, value]) => {
      const before = storedBody[field as keyof ActionBody]
      return JSON.stringify(value) !== JSON.stringify(before)
    }),
  )
  // Without it, the server chooses by the method.
  return changes.request ? { ...changes, confirm: body.confirm ?? true } : changes
}

/** Asking for confirmation follows the method until somebody decides otherwise. */
export function withMethod(draft: ActionDraft, method: Method): Partial<ActionDraft> {
  const isDefault = draft.confirm === (draft.method !== 'GET')
  return { method, ...(isDefault ? { confirm: method !== 'GET' } : {}) }
}

let newCount = 0

export function newInput(): InputDraft {
  const blank = { name: '', choices: '', description: '', ask: '', pattern: '' }
  return { ...blank, key: `new-${newCount++}`, type: 'string', required: true }
}

export function newHeader(): HeaderDraft {
  return { key: `new-${newCount++}`, name: '', value: '' }
}

/** A name for templates, from what people call it: "Order number" becomes "order_number". */
export function nameOf(description: string): string {
  return description
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 40)
}

/** Placeholders for the inputs that have a name. */
export function placeholdersOf({ inputs }: ActionDraft): string[] {
  return inputs.flatMap(({ name }) => (name.trim() ? [`{{${name.trim()}}}`] : []))
}

/** Inputs that visitors are asked for although the request does not need them. */
export function unsentInputs(draft: ActionDraft): InputDraft[] {
  const templates = requestTemplates(draft)
  return draft.inputs.filter(
    ({ name, required }) => required && name.trim() && !templates.includes(`{{${name.trim()}}}`),
  )
}

/** Whether everybody gets the same response. */
export function isSameForAll(draft: ActionDraft): boolean {
  return !requestTemplates(draft).includes('{{')
}

/** Whether a URL names what is looked up, or who asks. */
export function namesOrder(url: string): boolean {
  return /\{\{(order_number\}\}|visitor\.)/.test(url.replace(/\s+/g, ''))
}

/** What the website has proven of the visitor, for requests. */
export const VISITOR_PLACEHOLDERS = VISITOR_FIELDS.map(visitorPlaceholder)

/** What the request says of the visitor. */
export function visitorFieldsOf(draft: ActionDraft): ActionVisitorField[] {
  const templates = requestTemplates(draft)
  return VISITOR_FIELDS.filter((field) => templates.includes(visitorPlaceholder(field)))
}

/** Every text of the request, without blanks: placeholders may have some inside. */
function requestTemplates({ url, headers, body }: ActionDraft): string {
  return [url, body, ...headers.map(({ value }) => value)].map((text) => text.replace(/\s+/g, '')).join(' ')
}

function visitorPlaceholder(field: ActionVisitorField): string {
  return `{{visitor.${field}}}`
}

/** The host that a URL names, without its inputs; null while it is none. */
export function originOf(url: string): string | null {
  return /^https?:\/\/[^/?#]*/i.exec(withScheme(url))?.[0].toLowerCase() ?? null
}

/** The props of a part of the form. */
export interface FieldsProps {
  draft: ActionDraft
  change: (part: Partial<ActionDraft>) => void
  error: unknown
}
