// Checks what an owner defines, so that a saved action can run.
import { ACTION_VISITOR_FIELDS, type ActionInput, type ActionRequest, type ErrorDetail } from '@docent/contract'
import type { ActionRecord } from '../storage/actions.ts'
import type { InputValue, InputValues } from './inputs.ts'
import {
  exampleUrl,
  fillRequest,
  isResponsePath,
  originOf,
  placeholders,
  visitorFields,
  visitorName,
} from './templates.ts'

const VISITOR_PLACEHOLDERS = ACTION_VISITOR_FIELDS.map((field) => `{{${visitorName(field)}}}`)
const SAMPLE_BYTES = 32 * 1024
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/
/** Set by us, or by the connection. */
const OWN_HEADERS =
  /^(host|connection|content-length|transfer-encoding|content-type|accept|expect|upgrade|te|trailer|keep-alive|proxy-.*|webhook-.*|user-agent)$/i

/** Problems of a whole definition; none: it can be saved. */
export function definitionProblems(action: Omit<ActionRecord, 'secret'>): ErrorDetail[] {
  const { kind, inputs, request, authShape, answerTemplate, audience, state, sample } = action
  const problems: ErrorDetail[] = []
  const add = (path: string, message: string) => void problems.push({ path, message })
  inputs.forEach((input, index) => {
    const problem = inputProblem(input, inputs.slice(0, index))
    if (problem) add(`inputs.${index}.${problem.field}`, problem.message)
  })
  const names = new Set(inputs.map(({ name }) => name))
  if (kind === 'http' && !request) add('request', 'Required, unless the kind is "lead".')
  if (kind === 'lead' && request) add('request', 'A lead sends no request.')
  if (kind === 'lead' && !['email', 'phone'].some((name) => names.has(name)))
    add('inputs', 'A lead needs an input named "email" or "phone".')
  if (request) problems.push(...requestProblems(request, inputs))
  const [visitorField] = request ? visitorFields(request) : []
  // A draft runs in the playground only, where nobody is a visitor.
  if (visitorField && audience !== 'verified' && state === 'live')
    add('audience', `Choose "verified": {{${visitorName(visitorField)}}} is known of verified visitors only.`)
  if (authShape?.name && OWN_HEADERS.test(authShape.name))
    add('auth.name', `The header ${authShape.name} cannot be set.`)
  for (const name of placeholders(answerTemplate ?? ''))
    if (!names.has(name) && !isResponsePath(name))
      add('answer_template', `{{${name}}} is neither an input nor a path such as {{response.status}}.`)
  if (Buffer.byteLength(JSON.stringify(sample ?? null)) > SAMPLE_BYTES)
    add('sample', `Use at most ${SAMPLE_BYTES / 1024} KB of JSON.`)
  return problems
}

function inputProblem(
  { name, type, choices, pattern }: ActionInput,
  before: readonly ActionInput[],
): { field: keyof ActionInput; message: string } | null {
  const problem = (field: keyof ActionInput, message: string) => ({ field, message })
  if (before.some((other) => other.name === name)) return problem('name', `There are two inputs named "${name}".`)
  if (name === 'response') return problem('name', 'Use another name: "response" is the response of the request.')
  // Every object has it.
  if (name === 'constructor') return problem('name', 'Use another name: this one is reserved.')
  if (type === 'choice' && (choices?.length ?? 0) < 2) return problem('choices', 'A choice needs at least two choices.')
  if (type !== 'choice' && choices && choices.length > 0)
    return problem('choices', 'Only the type "choice" has choices.')
  if (pattern && type !== 'string') return problem('pattern', 'Only the type "string" has a pattern.')
  return pattern && !isPattern(pattern) ? problem('pattern', 'The pattern is not a valid regular expression.') : null
}

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

function requestProblems(request: ActionRequest, inputs: readonly ActionInput[]): ErrorDetail[] {
  const { method, url, headers = {}, body } = request
  const problems: ErrorDetail[] = []
  const add = (path: string, message: string) => void problems.push({ path, message })
  const names = [...inputs.map(({ name }) => name), ...ACTION_VISITOR_FIELDS.map(visitorName)]
  const findUnknown = (template: string) => placeholders(template).find((name) => !names.includes(name))
  const check = (path: string, template: string) => {
    const name = findUnknown(template)
    if (name?.startsWith('visitor.')) add(path, `The only visitor placeholders are ${VISITOR_PLACEHOLDERS.join(', ')}.`)
    else if (name !== undefined) add(path, `{{${name}}} is not an input.`)
  }
  check('request.url', url)
  const example = exampleUrl(url)
  if (originOf(url) !== originOf(url, 'y')) add('request.url', 'The host must not contain an input.')
  else if (!URL.canParse(example)) add('request.url', 'This is not a URL.')
  else if (new URL(example).username || new URL(example).password)
    add('request.url', 'Put the user name and password into "auth".')
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name)) add('request.headers', 'A header has an invalid name.')
    else if (OWN_HEADERS.test(name)) add('request.headers', `The header ${name} cannot be set.`)
    else if (/[^\x20-\x7e]/.test(value)) add('request.headers', `The header ${name} may contain ASCII only.`)
    check('request.headers', value)
  }
  if (body && method === 'GET') add('request.body', 'GET has no body.')
  if (body) {
    check('request.body', body)
    const isFilled = fillRequest({ method, url: 'https://example.com/', body }, exampleValues(inputs))
    if (!isFilled)
      add('request.body', 'This is not JSON. Put quotes around {{input}} unless it is a number or boolean.')
  }
  return problems
}

function exampleValues(inputs: readonly ActionInput[]): InputValues {
  const example = ({ type }: ActionInput): InputValue => (type === 'number' ? 1 : type === 'boolean' ? true : 'x')
  const visitor = ACTION_VISITOR_FIELDS.map((field) => [visitorName(field), 'x'])
  return Object.fromEntries([...inputs.map((input) => [input.name, example(input)]), ...visitor])
}
