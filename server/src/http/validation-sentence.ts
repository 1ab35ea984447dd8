// Describes a validation error as a sentence that can be shown under its form field.
import { NOT_BLANK } from '@docent/contract'
import type { ErrorObject } from 'ajv'

export const USE_NULL = 'Use null.'
const REQUIRED = 'This field is required.'
const EMPTY = 'This field must not be empty.'

const types: Record<string, string> = {
  string: 'Use a string.',
  integer: 'Use a whole number.',
  number: 'Use a number.',
  boolean: 'Use true or false.',
  array: 'Use a list.',
  object: 'Use an object.',
  null: USE_NULL,
}

const formats: Record<string, string> = {
  uri: 'Enter a complete URL, such as https://example.com.',
  'date-time': 'Enter a time in RFC 3339, such as 2026-11-30T09:00:00Z.',
}

type Params = Record<string, unknown> & { limit: number }

const sentences: Record<string, (params: Params, examples: unknown[]) => string | undefined> = {
  required: () => REQUIRED,
  type: ({ type }) => types[String(type)],
  enum: ({ allowedValues }) => `Use one of these: ${(allowedValues as unknown[]).join(', ')}.`,
  minLength: ({ limit }) => (limit === 1 ? EMPTY : `Use at least ${limit} characters.`),
  maxLength: ({ limit }) => `Use at most ${limit} characters.`,
  minimum: ({ limit }) => `Use ${limit} or more.`,
  maximum: ({ limit }) => `Use ${limit} or less.`,
  minItems: ({ limit }) => `Use at least ${limit === 1 ? 'one entry' : `${limit} entries`}.`,
  maxItems: ({ limit }) => `Use at most ${limit === 1 ? 'one entry' : `${limit} entries`}.`,
  uniqueItems: () => 'Remove the duplicate entries.',
  format: ({ format }) => formats[String(format)],
  pattern: ({ pattern }, [example]) => {
    if (pattern === NOT_BLANK) return EMPTY
    if (String(pattern).startsWith('^https?://')) return 'Enter a URL that starts with http:// or https://.'
    return example === undefined ? undefined : `Use a value such as ${example}.`
  },
  additionalProperties: ({ additionalProperty }) => `Remove the unknown field "${additionalProperty}".`,
}

export function validationSentence({ keyword, params, parentSchema }: ErrorObject): string {
  const examples = (parentSchema?.examples ?? []) as unknown[]
  return sentences[keyword]?.(params as Params, examples) ?? 'This value is not valid.'
}
