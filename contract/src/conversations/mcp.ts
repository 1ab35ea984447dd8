// A bot as a Model Context Protocol server: its messages, and the input and output of its tools.
import { type Static, Type } from 'typebox'
import { NOT_BLANK, OneOf } from '../schema.ts'
import { ChatRequest, ChatResponse, MESSAGE_LENGTH, Source } from './chat.ts'

const Id = Type.Union([Type.String({ maxLength: 200 }), Type.Number()])

export const McpMessage = Type.Object(
  {
    jsonrpc: OneOf(['2.0']),
    id: Type.Optional(Id),
    method: Type.Optional(Type.String({ maxLength: 200 })),
    params: Type.Optional(Type.Object({})),
  },
  { $id: 'McpMessage', description: 'One JSON-RPC message; batches are not supported.' },
)

export const McpReply = Type.Object(
  {
    jsonrpc: OneOf(['2.0']),
    id: Id,
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
