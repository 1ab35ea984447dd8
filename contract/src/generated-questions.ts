// Questions that a bot's language model writes for its passages.
import type { Static } from 'typebox'
import { INPUT_ERRORS, MANAGER_ERRORS, ofBot, type RouteSpec } from './route.ts'
import { Nullable, OneOf, Timestamp } from './schema.ts'
import { Type } from './type.ts'

const tokens = { calls: Type.Integer(), input_tokens: Type.Integer(), output_tokens: Type.Integer() }

const DailyCalls = Type.Integer({ minimum: 1, maximum: 100_000, description: 'Maximum model calls per day (UTC).' })

const GeneratedQuestionsChange = Type.Object({
  enabled: Type.Optional(
    Type.Boolean({ description: 'Requires a language model. False pauses and keeps existing questions.' }),
  ),
  daily_calls: Type.Optional(DailyCalls),
})

export const GeneratedQuestions = Type.Object(
  {
    enabled: Type.Boolean(),
    daily_calls: DailyCalls,
    status: OneOf(['off', 'writing', 'waiting', 'done'], {
      description: '`waiting`: after a failure, or because the daily limit is reached; see `resumes_at`.',
    }),
    sections: Type.Object({ total: Type.Integer(), written: Type.Integer() }),
    estimate: Type.Object(
      {
        ...tokens,
        cost: Nullable(Type.Number({ description: "In the currency of the model's prices; null without prices." })),
      },
      { description: 'Estimate for the remaining sections.' },
    ),
    spent: Type.Object(
      {
        ...tokens,
        cost: Type.Number({ description: 'At the prices at the time of each call; 0 without prices.' }),
      },
      { description: 'Since it was first enabled, including failed calls.' },
    ),
    last_error: Nullable(
      Type.Object({
        reason: Type.String({ description: 'One of the outcomes of `/model-usage`, or `malformed`.' }),
        at: Timestamp,
      }),
    ),
    resumes_at: Nullable(Timestamp),
  },
  {
    $id: 'GeneratedQuestions',
    description: "Questions that the bot's language model writes for each section, to match visitors' questions.",
  },
)
export type GeneratedQuestions = Static<typeof GeneratedQuestions>

export const generatedQuestionRoutes = {
  'GET /api/manage/v1/bots/{botId}/generated-questions': {
    summary: "Read the progress and cost of writing questions for a bot's sections",
    tag: 'Bots',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    status: 200,
    response: GeneratedQuestions,
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
  },
  'PATCH /api/manage/v1/bots/{botId}/generated-questions': {
    summary: 'Enable or disable writing questions, or change its daily limit of model calls',
    tag: 'Bots',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    body: GeneratedQuestionsChange,
    status: 200,
    response: GeneratedQuestions,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found'],
    audit: 'bot.changed',
  },
  'DELETE /api/manage/v1/bots/{botId}/generated-questions': {
    summary: 'Delete all generated questions and stop generating them',
    tag: 'Bots',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    status: 200,
    response: GeneratedQuestions,
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
    audit: 'bot.changed',
  },
} as const satisfies Record<string, RouteSpec>
