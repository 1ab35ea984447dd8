// Builds JSON schemas with TypeBox's types but without its code: its 373 modules took a sixth of every start.
import type { Type as TypeBox } from 'typebox'

type Schema = Record<string, unknown>
type Properties = Record<string, Schema>

const optional = new WeakSet<Schema>()

function markOptional(schema: Schema): Schema {
  const copy = { ...schema }
  optional.add(copy)
  return copy
}

function objectOf(properties: Properties, options: Schema = {}): Schema {
  const requiredNames = Object.keys(properties).filter((name) => !optional.has(properties[name] as Schema))
  return { type: 'object', ...(requiredNames.length > 0 ? { required: requiredNames } : {}), properties, ...options }
}

/** An object with some properties of another; its options stay behind. */
function withProperties(schema: Schema, keep: (name: string) => boolean, options?: Schema): Schema {
  const entries = Object.entries(schema.properties as Properties)
  return objectOf(Object.fromEntries(entries.filter(([name]) => keep(name))), options)
}

const builders = {
  String: (options?: Schema) => ({ type: 'string', ...options }),
  Integer: (options?: Schema) => ({ type: 'integer', ...options }),
  Number: (options?: Schema) => ({ type: 'number', ...options }),
  Boolean: (options?: Schema) => ({ type: 'boolean', ...options }),
  Null: (options?: Schema) => ({ type: 'null', ...options }),
  Unknown: (options?: Schema) => ({ ...options }),
  Literal: (value: unknown, options?: Schema) => ({ type: typeof value, const: value, ...options }),
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Record: (_key: Schema, value: Schema, options?: Schema) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  Union: (anyOf: Schema[], options?: Schema) => ({ anyOf, ...options }),
  Intersect: (allOf: Schema[], options?: Schema) => ({ allOf, ...options }),
  Unsafe: (schema: Schema) => ({ ...schema }),
  Object: objectOf,
  Optional: markOptional,
  Partial({ properties }: { properties: Properties }, options?: Schema) {
    const entries = Object.entries(properties).map(([name, schema]) => [name, markOptional(schema)])
    return objectOf(Object.fromEntries(entries), options)
  },
  Pick: (schema: Schema, names: string[], options?: Schema) =>
    withProperties(schema, (name) => names.includes(name), options),
  Omit: (schema: Schema, names: string[], options?: Schema) =>
    withProperties(schema, (name) => !names.includes(name), options),
}

export const Type = builders as unknown as Pick<typeof TypeBox, keyof typeof builders>
