// The chat API as clients of OpenAI call it.
import { Type } from 'typebox'
import { ChatCompletion, ChatCompletionRequest, ChatCompletionStream, ModelList } from '../../conversations/openai.ts'
import type { RouteSpec } from '../../route.ts'
import { input } from '../parts.ts'

const key = ['invalid_api_key', 'plan_required'] as const

export const openAiRoutes = {
  'POST /v1/chat/completions': {
    summary: 'Ask a chatbot as OpenAI’s chat completions are asked',
    description:
      'The same as POST /api/v1/chat, for clients that speak OpenAI’s protocol: the same keys, quota, mirror and answers. Errors have OpenAI’s fields `type` and `param` beside ours.',
    tag: 'Chat',
    caller: 'chat_key',
    headers: Type.Object({ 'idempotency-key': Type.Optional(Type.String({ minLength: 1, maxLength: 255 })) }),
    body: ChatCompletionRequest,
    nullIsAbsent: true,
    // The whole history comes with every call.
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
    summary: 'List what the key can ask, as OpenAI’s models are listed',
    description:
      'One model: the bot that the key belongs to. Does not count against the daily quota: clients ask for it each time they start.',
    tag: 'Chat',
    caller: 'chat_key',
    counted: false,
    status: 200,
    answer: ModelList,
    errors: [...key, 'bot_not_found'],
  },
} as const satisfies Record<string, RouteSpec>
