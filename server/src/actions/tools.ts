// Actions as tools of a language model. The model only proposes: what it gives is checked like anything a visitor writes,
// and codes and addresses count only if the visitor has written them.
import type { ActionInput } from '@docent/contract'
import type { ModelTool } from '../answers/language-model/types.ts'
import type { ActionRecord } from '../storage/actions.ts'
import { checkInput, type InputValues, isSecretInput } from './inputs.ts'

const NAME_CHARACTERS = 40
const LISTED_EXAMPLES = 5

interface ActionTool extends ModelTool {
  actionId: string
}

export function toTools(actions: readonly ActionRecord[]): ActionTool[] {
  return actions.map((action, index) => ({
    actionId: action.id,
    // The number tells names apart that are the same without accents, or empty in another script.
    name: [nameOf(action.name), String(index + 1)].filter(Boolean).join('_'),
    description: describe(action),
    inputs: {
      type: 'object',
      // Nothing is required: what the visitor has not said is asked for, not made up.
      properties: Object.fromEntries(action.inputs.filter(isOffered).map((input) => [input.name, toSchema(input)])),
      additionalProperties: false,
    },
  }))
}

/** The values that fit; the others are asked for. */
export function readToolInputs(
  { inputs }: ActionRecord,
  givenValues: Readonly<Record<string, unknown>>,
  visitorTexts: readonly string[],
): InputValues {
  const visitorSigns = signsOf(visitorTexts.join(' '))
  const values: InputValues = {}
  for (const input of inputs.filter(isOffered)) {
    const raw = givenValues[input.name]
    if (typeof raw !== 'string' && typeof raw !== 'number' && typeof raw !== 'boolean') continue
    const value = checkInput(input, raw)
    if (value === null || (mustBeWritten(input, String(value)) && !visitorSigns.includes(signsOf(String(value)))))
      continue
    values[input.name] = value
  }
  return values
}

/** A language model has no business with secrets: these are read and asked for without it. */
function isOffered(input: ActionInput): boolean {
  return !isSecretInput(input)
}

/** Where a guess would concern somebody else: an order number, an email address. */
function mustBeWritten({ type, pattern }: ActionInput, value: string): boolean {
  return type === 'email' || (type === 'string' && (Boolean(pattern) || /\p{N}/u.test(value)))
}

/** Letters and digits only: "F 1029" is "f-1029". */
function signsOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

function nameOf(name: string): string {
  const ascii = name.normalize('NFKD').replace(/\p{M}+/gu, '')
  return ascii
    .replace(/[^A-Za-z0-9]+/g, '_')
    .slice(0, NAME_CHARACTERS)
    .replace(/^_+|_+$/g, '')
    .toLowerCase()
}

function describe({ name, description, examples, notFor }: ActionRecord): string {
  const quoteAll = (texts: readonly string[]) => texts.slice(0, LISTED_EXAMPLES).map((text) => `"${text}"`)
  return [
    `${name}. ${description}`.trim(),
    ...(examples.length > 0 ? [`For messages such as ${quoteAll(examples).join(', ')}.`] : []),
    ...(notFor.length > 0 ? [`Not for ${quoteAll(notFor).join(', ')}.`] : []),
  ].join(' ')
}

function toSchema({ type, description, choices }: ActionInput): object {
  if (type === 'number' || type === 'boolean') return { type, description }
  if (type === 'choice') return { type: 'string', enum: choices ?? [], description }
  const forms: Partial<Record<ActionInput['type'], string>> = { email: 'an email address', date: 'as YYYY-MM-DD' }
  const form = forms[type]
  return { type: 'string', description: form ? `${description} (${form})` : description }
}
