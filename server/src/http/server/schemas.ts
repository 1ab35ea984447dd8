// Compiles the contract's schemas for Fastify.
import { type ErrorDetail, Fault, NOT_BLANK, SyncOptions } from '@docent/contract'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import type { FastifySchemaValidationError, FastifyValidationResult } from 'fastify/types/schema.js'

const formats = {
  'date-time': (text: string) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) &&
    !Number.isNaN(Date.parse(text)) &&
    isDay(text.slice(0, 10)),
  uri: (text: string) => URL.canParse(text),
}

/** Date would read February 30 as March 2. */
function isDay(text: string): boolean {
  return new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)
}

// The schemas are our own, and a test validates the document made of them: no need to compile Ajv's schema of schemas.
const options: Options = {
  allErrors: true,
  useDefaults: true,
  strict: false,
  verbose: true,
  meta: false,
  validateSchema: false,
  formats,
}

/**
 * Bodies are validated strictly; path and query are text, so numbers in them are coerced. Validators compile on first
 * use: most routes are rarely called, and compiling all of them took most of the start-up time and a tenth of
 * the memory.
 */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  let validate: ValidateFunction | undefined
  const check: FastifyValidationResult = (data: unknown) => {
    validate ??= (httpPart === 'body' ? strict : coercing).compile(schema)
    const isValid = validate(data)
    check.errors = (validate.errors ?? null) as FastifySchemaValidationError[] | null
    return isValid
  }
  return check
}

// Ajv caches validators by schema, so servers in one process share them.
const strict = new Ajv(options)
const stopping = new Ajv({ ...options, allErrors: false })
const coercing = new Ajv({ ...options, coerceTypes: true })

/** Responses are serialized by schema, so that nothing else leaks; compiled on first use, too. */
export const serializerCompiler: FastifySerializerCompiler<object> = (route) => {
  let serialize: Serialize | undefined
  return (response) => {
    serialize ??= serializers.get(route.schema) ?? compileSerializer(route)
    return serialize(response)
  }
}

type Serialize = (response: unknown) => string
const serializers = new WeakMap<object, Serialize>()
const fastJson = SerializerSelector()({}, {})

function compileSerializer(route: { schema: object }): Serialize {
  const serialize: Serialize = fastJson(route as never)
  serializers.set(route.schema, serialize)
  return serialize
}

/** Validates one bulk item. Returns what is wrong with it, or null. */
export function makeItemCheck(schema: object): (item: unknown) => string | null {
  let validate: ValidateFunction | undefined
  return (item) => {
    validate ??= stopping.compile(withoutIds(schema))
    if (validate(item)) return null
    const [detail] = errorDetails(validate.errors ?? [])
    return detail ? [detail.path, detail.message].filter(Boolean).join(': ') : 'This item is not valid.'
  }
}

/** Sync options come from both query and body, so they are checked once both are known. */
export function checkSyncOptions(syncOptions: unknown): SyncOptions {
  const validate = strict.compile<SyncOptions>(withoutIds(SyncOptions))
  if (!validate(syncOptions)) throw new Fault('validation_failed', { details: errorDetails(validate.errors ?? []) })
  if (syncOptions.mode === 'replace' && syncOptions.final === false && syncOptions.sync_id === undefined) {
    const message = 'This field is required for a replace over several requests.'
    throw new Fault('validation_failed', { details: [{ path: 'sync_id', message }] })
  }
  return syncOptions
}

/** One entry per field: its first error. */
export function errorDetails(errors: ErrorObject[]): ErrorDetail[] {
  const byPath = new Map<string, string>()
  for (const error of errors) {
    const parent = error.instancePath.slice(1).split('/').map(unescapePart).join('.')
    const missingProperty = error.keyword === 'required' ? String(error.params.missingProperty) : ''
    const path = [parent, missingProperty].filter(Boolean).join('.')
    if (!byPath.has(path)) byPath.set(path, validationSentence(error))
  }
  const details = [...byPath].map(([path, message]) => ({ path, message }))
  // Drop "Use null." for an optional object when one of its fields has its own error.
  const isWithin = (path: string) => details.some((other) => other.path.startsWith(`${path}.`))
  return details.filter(({ path, message }) => message !== USE_NULL || !isWithin(path))
}

/** Unescapes a part of a JSON pointer. */
function unescapePart(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** A cached copy without $id, which Ajv would reject as a duplicate. */
export function withoutIds(schema: object): object {
  let copy = copies.get(schema)
  if (!copy) {
    copy = JSON.parse(JSON.stringify(schema, (key, value) => (key === '$id' ? undefined : value))) as object
    copies.set(schema, copy)
  }
  return copy
}

const copies = new WeakMap<object, object>()

/** "/bots/{botId}" → "/bots/:botId". */
export function fastifyPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

// Describes a validation error as a sentence that can be shown under its form field.

const USE_NULL = 'Use null.'
const REQUIRED = 'This field is required.'
const EMPTY = 'This field must not be empty.'

const TYPES: Record<string, string> = {
  string: 'Use a string.',
  integer: 'Use a whole number.',
  number: 'Use a number.',
  boolean: 'Use true or false.',
  array: 'Use a list.',
  object: 'Use an object.',
  null: USE_NULL,
}

const FORMATS: Record<string, string> = {
  uri: 'This is not a URL. Enter a complete one, such as https://example.com.',
  'date-time': 'Enter a time in RFC 3339, such as 2026-11-30T09:00:00Z.',
}

type Params = Record<string, unknown> & { limit: number }

const sentences: Record<string, (params: Params, examples: unknown[]) => string | undefined> = {
  required: () => REQUIRED,
  type: ({ type }) => TYPES[String(type)],
  enum: ({ allowedValues }) => `Use one of these: ${(allowedValues as unknown[]).join(', ')}.`,
  minLength: ({ limit }) => (limit === 1 ? EMPTY : `Use at least ${limit} characters.`),
  maxLength: ({ limit }) => `Use at most ${limit} characters.`,
  minimum: ({ limit }) => `Use ${limit} or more.`,
  maximum: ({ limit }) => `Use ${limit} or less.`,
  minItems: ({ limit }) => `Use at least ${limit === 1 ? 'one entry' : `${limit} entries`}.`,
  maxItems: ({ limit }) => `Use at most ${limit === 1 ? 'one entry' : `${limit} entries`}.`,
  uniqueItems: () => 'Remove the duplicate entries.',
  format: ({ format }) => FORMATS[String(format)],
  pattern: ({ pattern }, [example]) => {
    if (pattern === NOT_BLANK) return EMPTY
    if (String(pattern).startsWith('^https?://')) return 'Enter a URL that starts with http:// or https://.'
    return example === undefined ? undefined : `Use a value such as ${example}.`
  },
  additionalProperties: ({ additionalProperty }) => `Remove the unknown field "${additionalProperty}".`,
}

function validationSentence({ keyword, params, parentSchema, data }: ErrorObject): string {
  // "notaurl" is also too short, and does not match the pattern.
  if (parentSchema?.format === 'uri' && typeof data === 'string' && data !== '' && !URL.canParse(data))
    return FORMATS.uri ?? ''
  const examples = (parentSchema?.examples ?? []) as unknown[]
  return sentences[keyword]?.(params as Params, examples) ?? 'This value is not valid.'
}
