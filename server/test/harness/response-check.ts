// Holds a response against the OpenAPI document: its status is declared there, and its body has the declared shape.
import { openApiDocument } from '@docent/contract'
import { Ajv, type ValidateFunction } from 'ajv'
import type { Answer } from './call.ts'

type Content = Record<string, { schema: object }>
type Operation = { responses: Record<string, { content?: Content }> }

const { paths, components } = openApiDocument({ version: '0', serverUrl: 'https://docent.test' }) as {
  paths: Record<string, Record<string, Operation>>
  components: object
}
const ajv = new Ajv({ strict: false, validateFormats: false })
const validators = new Map<string, ValidateFunction>()

/** What is wrong with an answer to a route of the table, or null. */
export function responseProblem(route: string, { status, headers, text, body }: Answer): string | null {
  const [method = '', path = ''] = route.split(' ')
  const declared = paths[path]?.[method.toLowerCase()]?.responses[status]
  if (!declared) return `${route}: ${status} ${body?.error?.code ?? ''} is not declared`
  if (!declared.content) return text === '' ? null : `${route}: ${status} has a body`
  const type = headers['content-type']?.split(';')[0] ?? ''
  // A document may declare a range of types.
  const content = declared.content[type] ?? declared.content[type.replace(/\/.*/, '/*')]
  if (!content) return `${route}: ${status} is of the type ${type}`
  if (type !== 'application/json') return null
  const validate = validatorOf(content.schema)
  return validate(body) ? null : `${route}: ${status}: ${ajv.errorsText(validate.errors)}`
}

/** Most errors share one. */
function validatorOf(schema: object): ValidateFunction {
  const key = JSON.stringify(schema)
  const known = validators.get(key) ?? ajv.compile({ ...schema, components })
  validators.set(key, known)
  return known
}
