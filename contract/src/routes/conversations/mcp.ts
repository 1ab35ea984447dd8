// The Model Context Protocol, for AI assistants.
import { Type } from 'typebox'
import { McpMessage, McpReply } from '../../conversations/mcp.ts'
import type { RouteSpec } from '../../route.ts'
import { input } from '../parts.ts'

export const mcpRoutes = {
  'POST /mcp': {
    summary: 'Use a chatbot over the Model Context Protocol',
    description:
      'Streamable HTTP without sessions: one JSON-RPC message, answered with JSON; 202 without a body for a notification. The tools are `search_knowledge` and `ask`. Tool calls count towards the daily quota of the key, other messages do not; above it a call returns a tool error.',
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
    answer: McpReply,
    emptyAnswer: { status: 202, description: 'A notification was accepted.' },
    // Results have many shapes, so no serializer is compiled from the schema.
    answerType: 'application/json',
    errors: [...input, 'invalid_api_key', 'plan_required', 'origin_not_allowed', 'bot_not_found', 'not_acceptable'],
  },
} as const satisfies Record<string, RouteSpec>
