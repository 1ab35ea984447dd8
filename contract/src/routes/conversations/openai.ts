// The chat API for OpenAI clients.
import { Type } from 'typebox'
import { ChatCompletion, ChatCompletionRequest, ChatCompletionStream, ModelList } from '../../conversations/openai.ts'
import type { RouteSpec } from '../../route.ts'
import { input } from '../parts.ts'

const key = ['invalid_api_key', 'plan_required'] as const

export const openAiRoutes = {
  'POST /v1/chat/completions': {
    summary: 'Send a message in the format of OpenAI’s chat completions',
    description:
      'POST /api/v1/chat for clients of OpenAI’s API: the same keys, quota, mirror and answers. Errors also have OpenAI’s fields `type` and `param`.',
    tag: 'Chat',
    caller: 'chat_key',
    headers: Type.Object({ 'idempotency-key': Type.Optional(Type.String({ minLength: 1, maxLength: 255 })) }),
    body: ChatCompletionRequest,
    nullIsAbsent: true,
    // Every call contains the whole history.
    bodyLimitBytes: 1024 * 1024,
    status: 200,
    answer: ChatCompletion,
    alternative: { type: 'text/event-stream', schema: ChatCompletionStream },
    errors: [
      ...input,
      ...key,
      'daily_quota_exceeded',
      'bot_not_found',
      'model_not_found',
      'session_not_found',
      'idempotency_conflict',
    ],
  },
  'GET /v1/models': {
    summary: 'List the bot of the key in the format of OpenAI’s models',
    description:
      'One model: the bot that the key belongs to. Does not count towards the daily quota, because clients call it on every start.',
    tag: 'Chat',
    caller: 'chat_key',
    counted: false,
    status: 200,
    answer: ModelList,
    errors: [...key, 'bot_not_found'],
  },
} as const satisfies Record<string, RouteSpec>
