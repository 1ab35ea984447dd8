// Questions that a bot's language model writes for its passages.
import { type Static, Type } from 'typebox'
import { INPUT_ERRORS, MANAGER_ERRORS, ofBot, type RouteSpec } from './route.ts'
import { Nullable, OneOf, Timestamp } from './schema.ts'

const tokens = { calls: Type.Integer(), input_tokens: Type.Integer(), output_tokens: Type.Integer() }

const DailyCalls = Type.Integer({ minimum: 1, maximum: 100_000, description: 'Maximum model calls per day (UTC).' })

const WrittenQuestionsChange = Type.Object({
  enabled: Type.Optional(
    Type.Boolean({ description: 'Requires a language model. False pauses and keeps existing questions.' }),
  ),
  daily_calls: Type.Optional(DailyCalls),
})

export const WrittenQuestions = Type.Object(
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
    $id: 'WrittenQuestions',
    description: "Questions that the bot's language model writes for each section, to match visitors' questions.",
  },
)
export type WrittenQuestions = Static<typeof WrittenQuestions>

export const writtenQuestionRoutes = {
  'GET /api/manage/v1/bots/{botId}/written-questions': {
    summary: "Read the progress and cost of writing questions for a bot's sections",
    tag: 'Bots',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    status: 200,
    response: WrittenQuestions,
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
  },
  'PATCH /api/manage/v1/bots/{botId}/written-questions': {
    summary: 'Enable or disable writing questions, or change its daily limit of model calls',
    tag: 'Bots',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    body: WrittenQuestionsChange,
    status: 200,
    response: WrittenQuestions,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found'],
    audit: 'bot.changed',
  },
  'DELETE /api/manage/v1/bots/{botId}/written-questions': {
    summary: 'Delete all written questions and disable writing them',
    tag: 'Bots',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    status: 200,
    response: WrittenQuestions,
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
    audit: 'bot.changed',
  },
} as const satisfies Record<string, RouteSpec>
