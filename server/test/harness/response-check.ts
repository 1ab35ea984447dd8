// Checks a response against the OpenAPI document: the status must be declared, and the body must match its schema.
import { openApiDocument } from '@docent/contract'
import { Ajv, type ValidateFunction } from 'ajv'
import type { ApiResponse } from './call.ts'

type Content = Record<string, { schema: object }>
type Operation = { responses: Record<string, { content?: Content }> }

const { paths, components } = openApiDocument({ version: '0', serverUrl: 'https://docent.test' }) as {
  paths: Record<string, Record<string, Operation>>
  components: object
}
const ajv = new Ajv({ strict: false, validateFormats: false })
const validators = new Map<string, ValidateFunction>()

/** What is wrong with a response of this route, or null. */
export function responseProblem(route: string, { status, headers, text, body }: ApiResponse): string | null {
  const [method = '', path = ''] = route.split(' ')
  const declaration = paths[path]?.[method.toLowerCase()]?.responses[status]
  if (!declaration) return `${route}: ${status} ${body?.error?.code ?? ''} is not declared`
  if (!declaration.content) return text === '' ? null : `${route}: ${status} has a body`
  const type = headers['content-type']?.split(';')[0] ?? ''
  // OpenAPI allows ranges such as `image/*`.
  const content = declaration.content[type] ?? declaration.content[type.replace(/\/.*/, '/*')]
  if (!content) return `${route}: ${status} has content type ${type}`
  if (type !== 'application/json') return null
  const validate = validatorOf(content.schema)
  return validate(body) ? null : `${route}: ${status}: ${ajv.errorsText(validate.errors)}`
}

/** Cached: most errors share a schema. */
function validatorOf(schema: object): ValidateFunction {
  const key = JSON.stringify(schema)
  const validator = validators.get(key) ?? ajv.compile({ ...schema, components })
  validators.set(key, validator)
  return validator
}
