// The contract's schemas in the form Fastify takes them.
import { type ErrorDetail, Fault, SyncOptions } from '@docent/contract'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import type { FastifySchemaValidationError, FastifyValidationResult } from 'fastify/types/schema.js'
import { USE_NULL, validationSentence } from './validation-sentence.ts'

const formats = {
  'date-time': (text: string) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) &&
    !Number.isNaN(Date.parse(text)) &&
    isDay(text.slice(0, 10)),
  uri: (text: string) => URL.canParse(text),
}

/** Date would take the 30th of February for the 2nd of March. */
function isDay(text: string): boolean {
  return new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)
}

const options: Options = { allErrors: true, useDefaults: true, strict: false, verbose: true, formats }

/**
 * Bodies are taken as they are; path and query are text, so numbers in them are read as numbers. A check is compiled
 * when it is first needed: most of many routes are not asked for a long time, and compiling all of them took most of a
 * start and a tenth of the memory.
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

// Ajv gives the same check for the same schema, so several servers in one process share them.
const strict = new Ajv(options)
const coercing = new Ajv({ ...options, coerceTypes: true })

/** Answers are written by their schemas, so that nothing else gets out; compiled when first needed, too. */
export const serializerCompiler: FastifySerializerCompiler<object> = (route) => {
  let serialize: Serialize | undefined
  return (answer) => {
    serialize ??= serializers.get(route.schema) ?? compileSerializer(route)
    return serialize(answer)
  }
}

type Serialize = (answer: unknown) => string
const serializers = new WeakMap<object, Serialize>()
const fastJson = SerializerSelector()({}, {})

function compileSerializer(route: { schema: object }): Serialize {
  const serialize: Serialize = fastJson(route as never)
  serializers.set(route.schema, serialize)
  return serialize
}

/** Items of a bulk are checked one by one. Returns what is wrong with one, or null. */
export function createItemCheck(schema: object): (item: unknown) => string | null {
  let validate: ValidateFunction | undefined
  return (item) => {
    validate ??= new Ajv({ ...options, allErrors: false }).compile(withoutIds(schema))
    if (validate(item)) return null
    const [detail] = errorDetails(validate.errors ?? [])
    return detail ? [detail.path, detail.message].filter(Boolean).join(': ') : 'This item is not valid.'
  }
}

/** Options of a sync come in the query and in the body, so they are checked when both are known. */
export function checkSyncOptions(given: unknown): SyncOptions {
  const validate = strict.compile<SyncOptions>(withoutIds(SyncOptions))
  if (!validate(given)) throw new Fault('validation_failed', { details: errorDetails(validate.errors ?? []) })
  if (given.mode === 'replace' && given.final === false && given.sync_id === undefined) {
    const message = 'This field is required for a replace over several requests.'
    throw new Fault('validation_failed', { details: [{ path: 'sync_id', message }] })
  }
  return given
}

/** One entry per field, the first complaint about it. */
export function errorDetails(errors: ErrorObject[]): ErrorDetail[] {
  const byPath = new Map<string, string>()
  for (const error of errors) {
    const parent = error.instancePath.slice(1).split('/').map(unescaped).join('.')
    const missing = error.keyword === 'required' ? String(error.params.missingProperty) : ''
    const path = [parent, missing].filter(Boolean).join('.')
    if (!byPath.has(path)) byPath.set(path, validationSentence(error))
  }
  const details = [...byPath].map(([path, message]) => ({ path, message }))
  // "Use null." of an object that may be left out says nothing when one of its fields is the matter.
  const isWithin = (path: string) => details.some((other) => other.path.startsWith(`${path}.`))
  return details.filter(({ path, message }) => message !== USE_NULL || !isWithin(path))
}

/** A part of a JSON pointer as it was written. */
function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** A copy without $id: Ajv would take the same name twice for a conflict. The same one for the same schema. */
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
