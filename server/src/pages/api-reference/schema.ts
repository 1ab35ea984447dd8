// A JSON Schema in readable form: one row per field, with its type and meaning.
import { NOT_BLANK } from '@docent/contract'
import type { Schema } from './document.ts'

export interface Resolved extends Schema {
  component?: string
  nullable?: boolean
}

export type Resolve = (schema: Schema) => Resolved

export interface Field {
  name: string
  depth: number
  type: string
  required: boolean
  meaning: string
}

const DEEPEST = 6

/** Follows references, merges `allOf`, and removes "or null" from unions. */
export function makeResolve(components: Record<string, Schema>): Resolve {
  return function resolve(schema: Schema): Resolved {
    if (schema.$ref) {
      const component = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
      return { ...resolve(components[component] ?? {}), component }
    }
    if (schema.allOf) return schema.allOf.map(resolve).reduce(mergeSchemas, schema)
    const choices = schema.anyOf?.filter(({ type }) => type !== 'null')
    if (choices?.length === 1 && choices[0]) {
      const { anyOf, ...rest } = schema
      return { ...resolve(choices[0]), ...rest, nullable: anyOf?.length === 2 }
    }
    return schema
  }
}

function mergeSchemas(whole: Resolved, part: Resolved): Resolved {
  return {
    ...whole,
    ...(part.component && !whole.component ? { component: part.component } : {}),
    type: 'object',
    properties: { ...whole.properties, ...part.properties },
    required: [...(whole.required ?? []), ...(part.required ?? [])],
  }
}

/** The fields of an object, or of an array's items, each followed by its own fields one level deeper. */
export function fieldsOf(schema: Schema, resolve: Resolve, depth = 0): Field[] {
  const whole = resolve(schema)
  const { properties = {}, required = [] } = whole.items ? resolve(whole.items) : whole
  if (depth > DEEPEST) return []
  return Object.entries(properties).flatMap(([name, property]) => {
    const resolvedSchema = resolve(property)
    const field = {
      name,
      depth,
      type: typeName(resolvedSchema, resolve),
      required: required.includes(name),
      meaning: meaning(resolvedSchema),
    }
    return [field, ...fieldsOf(property, resolve, depth + 1)]
  })
}

/** `ending`: "s" for the plural. */
export function typeName(schema: Resolved, resolve: Resolve, ending: '' | 's' = ''): string {
  return plainTypeName(schema, resolve, ending) + (schema.nullable ? ' or null' : '')
}

function plainTypeName(schema: Resolved, resolve: Resolve, ending: '' | 's'): string {
  const pluralOf = (items: Schema) => plainTypeName(resolve(items), resolve, 's')
  if (schema.anyOf)
    return [...new Set(schema.anyOf.map((choice) => typeName(resolve(choice), resolve, ending)))].join(', ')
  if (schema.type === 'array') return `array${ending} of ${pluralOf(schema.items ?? {})}`
  if (schema.format === 'date-time') return `timestamp${ending}`
  if (schema.format === 'uri' || isAddress(schema)) return `URL${ending}`
  const values = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties
  if (typeof values === 'object') return `object${ending} of ${pluralOf(values)}`
  return schema.type === 'null' ? 'null' : `${schema.type ?? 'any value'}${ending}`
}

function isAddress({ pattern }: Schema): boolean {
  return pattern?.startsWith('^https?://') ?? false
}

/** The description, plus constraints of the schema that it does not mention. */
export function meaning(schema: Resolved): string {
  const { description = '' } = schema
  const sentences = [description && (/[.!?]$/.test(description) ? description : `${description}.`)]
  if (schema.enum) sentences.push(`One of ${schema.enum.map((value) => `\`${value}\``).join(', ')}.`)
  if (!/character/.test(description)) sentences.push(length(schema))
  sentences.push(range(schema))
  if (schema.maxItems !== undefined) sentences.push(`At most ${figure(schema.maxItems)}.`)
  if (schema.pattern && schema.pattern !== NOT_BLANK && !isAddress(schema) && !schema.examples)
    sentences.push(`Matches \`${schema.pattern}\`.`)
  if (schema.examples) sentences.push(`For example \`${schema.examples[0]}\`.`)
  if (schema.default !== undefined && !/default/i.test(description)) sentences.push(`Default: \`${schema.default}\`.`)
  return sentences.filter(Boolean).join(' ')
}

function length({ minLength = 0, maxLength }: Schema): string {
  if (maxLength === undefined) return ''
  return minLength > 1
    ? `${figure(minLength)} to ${figure(maxLength)} characters.`
    : `Up to ${figure(maxLength)} characters.`
}

function range({ minimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return `${figure(minimum)} to ${figure(maximum)}.`
  if (minimum !== undefined) return `At least ${figure(minimum)}.`
  return maximum === undefined ? '' : `At most ${figure(maximum)}.`
}

function figure(number: number): string {
  return number.toLocaleString('en-US')
}
