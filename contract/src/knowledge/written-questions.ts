import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Timestamp } from '../schema.ts'

const tokens = { calls: Type.Integer(), input_tokens: Type.Integer(), output_tokens: Type.Integer() }

const DailyCalls = Type.Integer({ minimum: 1, maximum: 100_000, description: 'The most model calls a day (UTC).' })

export const WrittenQuestionsChange = Type.Object({
  enabled: Type.Optional(Type.Boolean({ description: 'Needs a language model. False pauses: what is written stays.' })),
  daily_calls: Type.Optional(DailyCalls),
})

export const WrittenQuestions = Type.Object(
  {
    enabled: Type.Boolean(),
    daily_calls: DailyCalls,
    status: OneOf(['off', 'writing', 'waiting', 'done'], {
      description: '`waiting`: after a failure, or because the calls of the day are used up; see `resumes_at`.',
    }),
    sections: Type.Object({ total: Type.Integer(), written: Type.Integer() }),
    estimate: Type.Object(
      {
        ...tokens,
        cost: Nullable(Type.Number({ description: "In the currency of the model's prices; null without prices." })),
      },
      { description: 'About what the sections that are left will take.' },
    ),
    spent: Type.Object(
      {
        ...tokens,
        cost: Type.Number({ description: 'At the prices set at the time of each call; 0 without prices.' }),
      },
      { description: 'Since it was first switched on, failed calls included.' },
    ),
    last_error: Nullable(
      Type.Object({
        reason: Type.String({ description: 'As in the outcomes of `/model-usage`, or `malformed`.' }),
        at: Timestamp,
      }),
    ),
    resumes_at: Nullable(Timestamp),
  },
  {
    $id: 'WrittenQuestions',
    description:
      "Questions that the bot's language model writes for each section, by which visitors' questions find it.",
  },
)
export type WrittenQuestions = Static<typeof WrittenQuestions>
