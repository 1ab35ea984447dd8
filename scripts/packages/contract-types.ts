// The contract as plain TypeScript types, so that users of the client need neither TypeBox nor our sources.
import { errorCatalogue, routes } from '@docent/contract'

/** The subset of JSON Schema we use. */
interface Schema {
  $id?: string
  type?: string | string[]
  format?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  patternProperties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
}

type Part = 'params' | 'query' | 'body' | 'response'

/** A declaration file with everything the client imports from the contract. */
export function contractTypes(): string {
  const namedSchemas = new Map<string, Schema>()
  const rows = Object.entries(routes).map(([name, route]) => {
    const { params, query, body, response } = route as { [part in Part]?: Schema }
    const parts = Object.entries({ params, query, body, answer: response }).flatMap(([part, schema]) =>
      schema ? [`    ${part}: ${print(schema, namedSchemas)}`] : [],
    )
    return `${comment(route.summary, '  ')}  '${name}': {\n${parts.join('\n')}\n  }`
  })
  const declarations: string[] = []
  // Printing one may add others.
  for (const [name, schema] of namedSchemas) {
    const { $id: _, ...unnamedSchema } = schema
    declarations.push(`${comment(schema.description)}export type ${name} = ${print(unnamedSchema, namedSchemas, '')}`)
  }
  const codes = Object.keys(errorCatalogue).map((code) => `'${code}'`)
  return `${HEAD}
export interface Routes {\n${rows.join('\n')}\n}\n
export type ErrorCode =\n  | ${codes.join('\n  | ')}\n
${declarations.join('\n\n')}\n`
}

const HEAD = `// Written by build:packages from the contract of the service.

type Part<R, Name extends string, Otherwise> = R extends Record<Name, infer T> ? T : Otherwise
export type ParamsOf<R> = Part<R, 'params', Record<string, never>>
export type QueryOf<R> = Part<R, 'query', Record<string, never>>
export type BodyOf<R> = Part<R, 'body', undefined>
export type ResponseOf<R> = Part<R, 'answer', undefined>
export type RouteName = keyof Routes

export interface ErrorDetail {
  path: string
  message: string
}
`

function print(schema: Schema, namedSchemas: Map<string, Schema>, indent = '    '): string {
  const inner = (other: Schema) => print(other, namedSchemas, indent)
  if (schema.$id) {
    namedSchemas.set(schema.$id, schema)
    return schema.$id
  }
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return [...new Set(schema.anyOf.map(inner))].join(' | ')
  if (schema.allOf) return schema.allOf.map(inner).join(' & ')
  if (schema.properties) return printObject(schema.properties, schema.required ?? [], namedSchemas, indent)
  if (Array.isArray(schema.type)) return schema.type.map((type) => inner({ ...schema, type })).join(' | ')
  switch (schema.type) {
    case 'array':
      return `Array<${schema.items ? inner(schema.items) : 'unknown'}>`
    case 'object': {
      const values = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties
      return `Record<string, ${typeof values === 'object' ? inner(values) : 'unknown'}>`
    }
    case 'string':
      // File contents are bytes.
      return schema.format === 'binary' ? 'Uint8Array' : 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
    case 'null':
      return schema.type
    default:
      return 'unknown'
  }
}

function printObject(
  properties: Record<string, Schema>,
  requiredNames: string[],
  namedSchemas: Map<string, Schema>,
  indent: string,
): string {
  const deeper = `${indent}  `
  const lines = Object.entries(properties).map(
    ([name, schema]) =>
      `${comment(schema.$id ? undefined : schema.description, deeper)}${deeper}${/^\w+$/.test(name) ? name : `'${name}'`}` +
      `${requiredNames.includes(name) ? '' : '?'}: ${print(schema, namedSchemas, deeper)}`,
  )
  return `{\n${lines.join('\n')}\n${indent}}`
}

function comment(text: string | undefined, indent = ''): string {
  return text ? `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n` : ''
}
