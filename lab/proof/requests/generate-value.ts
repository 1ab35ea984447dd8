// A value that a JSON schema of the OpenAPI document takes, drawn at random.
import type { Random } from './random.ts'

export interface Schema {
  $ref?: string
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  minItems?: number
  maxItems?: number
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  required?: string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
}

const MAX_DEPTH = 6
const MAX_ITEMS = 3
const MAX_LENGTH = 300

/** Of every form that a pattern of the contract asks for. */
const texts = [
  'planted',
  'Where is my parcel?',
  'What does the lamp cost, and does it ship to Österreich? 👋',
  'de',
  'EUR',
  'en-GB',
  'snake_case_name',
  'person@example.test',
  'https://planted.test/path?x=1#part',
  'https://planted.test',
  '/path/*',
  'planted.test',
  '#a1B2c3',
  '09:30',
  '24:00',
  '2026-01-31',
  '2026-01-31T09:30:00Z',
  'gpt-planted:1.0',
  'word '.repeat(50),
]

export type Generate = (schema: Schema) => unknown

export function makeGenerate(random: Random, schemas: Record<string, Schema>): Generate {
  return (schema) => generate(schema, 0)

  function generate(schemaOrReference: Schema, depth: number): unknown {
    const schema = schemaOrReference.$ref
      ? (schemas[schemaOrReference.$ref.split('/').at(-1) ?? ''] ?? {})
      : schemaOrReference
    if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => generate(part, depth)))
    if (schema.anyOf) return generate(random.pick(schema.anyOf), depth)
    if ('const' in schema) return schema.const
    if (schema.enum) return random.pick(schema.enum)
    if (schema.type === 'null') return null
    if (schema.type === 'boolean') return random.chance(0.5)
    if (schema.type === 'integer' || schema.type === 'number') return number(schema)
    if (schema.type === 'array') return array(schema, depth)
    if (schema.type === 'object' || schema.properties) return object(schema, depth)
    return text(schema)
  }

  function number({ type, minimum = 0, maximum = 1000 }: Schema): number {
    if (random.chance(0.2)) return random.pick([minimum, maximum])
    const value = minimum + random.next() * (maximum - minimum)
    return type === 'integer' ? Math.round(value) : value
  }

  function array({ items = {}, minItems = 0, maxItems = MAX_ITEMS }: Schema, depth: number): unknown[] {
    const most = depth > MAX_DEPTH ? minItems : Math.max(minItems, Math.min(maxItems, MAX_ITEMS))
    const length = minItems + random.below(most - minItems + 1)
    return Array.from({ length }, () => generate(items, depth + 1))
  }

  function object({ properties = {}, patternProperties = {}, required = [] }: Schema, depth: number) {
    const names = Object.keys(properties).filter(
      (name) => required.includes(name) || (depth <= MAX_DEPTH && random.chance(0.5)),
    )
    const value = Object.fromEntries(names.map((name) => [name, generate(properties[name] ?? {}, depth + 1)]))
    const [free] = Object.values(patternProperties)
    if (free && random.chance(0.5)) value[`free_${random.below(10)}`] = generate(free, depth + 1)
    return value
  }

  function text({ pattern, format, minLength = 0, maxLength = MAX_LENGTH }: Schema): string {
    if (format === 'date-time') return new Date(Date.UTC(2020 + random.below(20), random.below(12))).toISOString()
    if (format === 'date') return `20${20 + random.below(9)}-0${1 + random.below(9)}-1${random.below(9)}`
    const expression = new RegExp(pattern ?? '', 'u')
    const fits = (value: string) => value.length >= minLength && value.length <= maxLength && expression.test(value)
    const fitting = texts.filter(fits)
    return fitting.length > 0 ? random.pick(fitting) : 'a1'.repeat(maxLength).slice(0, Math.max(minLength, 1))
  }
}
