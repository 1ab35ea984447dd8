// A bot as a Model Context Protocol server: its messages, and the input and output of its tools.
import type { Static } from 'typebox'
import { ChatRequest, ChatResponse, MESSAGE_LENGTH, Source } from './chat.ts'
import { AVAILABILITIES } from './products.ts'
import { INPUT_ERRORS, type RouteSpec } from './route.ts'
import { NOT_BLANK, Nullable, OneOf } from './schema.ts'
import { Type } from './type.ts'

const MessageId = Type.Union([Type.String({ maxLength: 200 }), Type.Number()])

const McpMessage = Type.Object(
  {
    jsonrpc: OneOf(['2.0']),
    id: Type.Optional(MessageId),
    method: Type.Optional(Type.String({ maxLength: 200 })),
    params: Type.Optional(Type.Object({})),
  },
  { $id: 'McpMessage', description: 'One JSON-RPC message; batches are not supported.' },
)

export const McpReply = Type.Object(
  {
    jsonrpc: OneOf(['2.0']),
    id: MessageId,
    result: Type.Optional(Type.Object({})),
    error: Type.Optional(Type.Object({ code: Type.Integer(), message: Type.String() })),
  },
  { $id: 'McpReply' },
)
export type McpReply = Static<typeof McpReply>

const { session_id } = ChatRequest.properties
const Question = Type.String({
  minLength: 1,
  maxLength: MESSAGE_LENGTH,
  pattern: NOT_BLANK,
  description: 'The question.',
})

export const AskArguments = Type.Object({ question: Question, session_id })
export type AskArguments = Static<typeof AskArguments>

export const AskResult = Type.Object(ChatResponse.properties)

export const SearchArguments = Type.Object({
  query: Type.String({
    minLength: 1,
    maxLength: 1000,
    pattern: NOT_BLANK,
    description: 'What to search for, in natural language.',
  }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: 5 })),
})
export type SearchArguments = Static<typeof SearchArguments>

export const SearchResults = Type.Object({
  results: Type.Array(Type.Object({ ...Source.properties, passage: Type.String(), score: Type.Number() }), {
    description: 'Best first.',
  }),
  confidence: Type.Number({ description: 'Probability that an answer based on them is right, 0 to 1.' }),
})
export type SearchResults = Static<typeof SearchResults>

export const ProductSearchResults = Type.Object({
  products: Type.Array(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      description: Type.String({ description: 'Its beginning.' }),
      url: Nullable(Type.String()),
      image_url: Nullable(Type.String()),
      price: Nullable(Type.Number({ description: 'The special price, if there is one.' })),
      regular_price: Nullable(Type.Number({ description: 'Before the special price.' })),
      currency: Nullable(Type.String({ description: 'ISO 4217; null: not known.' })),
      availability: Nullable(OneOf(AVAILABILITIES)),
      brand: Nullable(Type.String()),
      categories: Type.Array(Type.String()),
      attributes: Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())])),
    }),
    { description: 'Best first.' },
  ),
  meets_all: Type.Boolean({ description: 'False: none meets every criterion of the query; these are the closest.' }),
})
export type ProductSearchResults = Static<typeof ProductSearchResults>

export const mcpRoutes = {
  'POST /mcp': {
    summary: 'Use a chatbot over the Model Context Protocol',
    description:
      'Streamable HTTP without sessions: one JSON-RPC message, answered with JSON; 202 without a body for a notification. The tools are `search_knowledge`, `ask` and, for a bot with products, `search_products`; the resources are the documents of the bot. Tool calls and reading a resource count towards the daily quota of the key, other messages do not; above it a call returns a tool error.',
    tag: 'Chat',
    caller: 'chat_key',
    counted: false,
    headers: Type.Object({
      'mcp-protocol-version': Type.Optional(Type.String({ maxLength: 40 })),
      'idempotency-key': Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    }),
    body: McpMessage,
    bodyLimitBytes: 256 * 1024,
    status: 200,
    response: McpReply,
    emptyResponse: { status: 202, description: 'A notification was accepted.' },
    // Results have many shapes, so no serializer is compiled from the schema.
    responseType: 'application/json',
    errors: [
      ...INPUT_ERRORS,
      'invalid_api_key',
      'plan_required',
      'origin_not_allowed',
      'bot_not_found',
      'not_acceptable',
    ],
  },
} as const satisfies Record<string, RouteSpec>
