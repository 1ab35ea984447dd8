// The chat API.
import { Type } from 'typebox'
import { ChatRequest, ChatResponse, ChatStream } from '../../conversations/chat.ts'
import type { RouteSpec } from '../../route.ts'
import { input } from '../parts.ts'

export const chatRoutes = {
  'POST /api/v1/chat': {
    summary: 'Send a message to a chatbot',
    description:
      'Answers from the content of the bot that the key belongs to. Every call with a valid key counts towards its daily quota. With an `Idempotency-Key`, the same key and body within 24 hours replays the stored answer.',
    tag: 'Chat',
    caller: 'chat_key',
    headers: Type.Object({ 'idempotency-key': Type.Optional(Type.String({ minLength: 1, maxLength: 255 })) }),
    body: ChatRequest,
    trims: ['message'],
    // 10,000 characters can take 120,000 bytes, if each is written as two escapes.
    bodyLimitBytes: 256 * 1024,
    status: 200,
    answer: ChatResponse,
    alternative: { type: 'text/event-stream', schema: ChatStream },
    errors: [
      ...input,
      'invalid_api_key',
      'plan_required',
      'bot_not_found',
      'session_not_found',
      'not_acceptable',
      'idempotency_conflict',
      'daily_quota_exceeded',
    ],
  },
} as const satisfies Record<string, RouteSpec>
