// The part of an OpenAPI document that the documentation page reads.

export interface Schema {
  $ref?: string
  type?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  patternProperties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
  default?: unknown
  examples?: unknown[]
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Schema
}

export type Content = Record<string, { schema: Schema }>

export interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, Answer>
}

export interface Answer {
  description: string
  content?: Content
}

export interface ApiDocument {
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { securitySchemes: Record<string, { description: string }>; schemas: Record<string, Schema> }
}

export interface Endpoint {
  method: string
  path: string
  operation: Operation
}

export function endpointsOf(document: ApiDocument, tag: string): Endpoint[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

export function statusOf({ responses }: Operation): string {
  return Object.keys(responses).find((status) => status.startsWith('2')) ?? '200'
}

export function successOf(operation: Operation): Answer {
  return operation.responses[statusOf(operation)] ?? { description: '' }
}
