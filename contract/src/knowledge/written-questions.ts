import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Timestamp } from '../schema.ts'

const tokens = { calls: Type.Integer(), input_tokens: Type.Integer(), output_tokens: Type.Integer() }

const DailyCalls = Type.Integer({ minimum: 1, maximum: 100_000, description: 'Maximum model calls per day (UTC).' })

export const WrittenQuestionsChange = Type.Object({
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
