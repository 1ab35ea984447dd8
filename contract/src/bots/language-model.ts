import { type Static, Type } from 'typebox'
import { HttpUrl, NOT_BLANK, Nullable, OneOf } from '../schema.ts'

const providers = ['openai_compatible', 'anthropic'] as const
const citations = ['required', 'optional'] as const

const Price = Nullable(
  Type.Number({ minimum: 0, maximum: 1_000_000, description: 'In your currency; null: not counted.' }),
)

const optional = {
  temperature: Type.Optional(
    Nullable(
      Type.Number({
        minimum: 0,
        maximum: 2,
        description: 'Default 0.2; null leaves it to the provider, for models that refuse one.',
      }),
    ),
  ),
  max_output_tokens: Type.Optional(Type.Integer({ minimum: 16, maximum: 8192, description: 'Default 800.' })),
  timeout_ms: Type.Optional(
    Type.Integer({
      minimum: 1000,
      maximum: 120_000,
      description:
        'Default 30,000. When the first word has not come after half of it, or the last after all of it, the built-in composer answers.',
    }),
  ),
  citations: Type.Optional(
    OneOf(citations, {
      description:
        '`required` (default): nothing is shown before the first citation, and an answer without one is not given.',
    }),
  ),
  writes_answers: Type.Optional(
    Type.Boolean({
      description:
        'Default true. False: answers are quoted as without a model, which then serves to write questions (`/written-questions`).',
    }),
  ),
  instructions: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        pattern: NOT_BLANK,
        description:
          'Persona and further wishes for the answers, as "Address visitors informally". They never make it say what the content does not.',
      }),
    ),
  ),
  daily_calls: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        maximum: 10_000_000,
        description:
          'Calls a day (UTC) at most; after them the built-in composer answers, and the owners are told. Null (default): only the limit of the workspace holds, the setting `MODEL_CALLS_PER_DAY`.',
      }),
    ),
  ),
  input_price_per_million: Type.Optional(Price),
  output_price_per_million: Type.Optional(Price),
}

export const LanguageModelInput = Type.Object(
  {
    provider: OneOf(providers, { description: 'What the endpoint speaks.' }),
    base_url: Type.Optional(
      Nullable(
        Type.String({
          ...HttpUrl,
          description: "With or without `/v1`. `anthropic` may leave it out for Anthropic's own.",
          examples: ['http://localhost:11434/v1'],
        }),
      ),
    ),
    api_key: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 1000,
          pattern: '^[\\x21-\\x7e]+$',
          examples: ['sk-example'],
          description:
            'Kept encrypted and never shown again. Left out: the one that is set stays, as long as provider and address do.',
        }),
      ),
    ),
    model: Type.String({ minLength: 1, maxLength: 200, pattern: NOT_BLANK, examples: ['llama3.1:8b'] }),
    ...optional,
  },
  { $id: 'LanguageModelInput' },
)
export type LanguageModelInput = Static<typeof LanguageModelInput>

export const LanguageModel = Type.Object(
  {
    provider: OneOf(providers),
    base_url: Nullable(Type.String()),
    api_key_set: Type.Boolean(),
    api_key_last_four: Nullable(Type.String({ description: 'Of keys long enough to show that much.' })),
    model: Type.String(),
    temperature: Nullable(Type.Number()),
    max_output_tokens: Type.Integer(),
    timeout_ms: Type.Integer(),
    citations: OneOf(citations),
    writes_answers: Type.Boolean(),
    instructions: Nullable(Type.String()),
    daily_calls: Nullable(Type.Integer()),
    input_price_per_million: Nullable(Type.Number()),
    output_price_per_million: Nullable(Type.Number()),
  },
  { $id: 'LanguageModel', description: 'Writes the answers from the passages found; without one they are quoted.' },
)
export type LanguageModel = Static<typeof LanguageModel>

export const TestLanguageModel = Type.Object({ language_model: LanguageModelInput })

export const LanguageModelTest = Type.Object(
  {
    outcome: Type.String({ description: '`answered`, `no_answer`, or why it failed, as `timeout`, `unauthorized`.' }),
    reply: Nullable(Type.String({ description: 'What it wrote from a sentence of ours.' })),
    status: Nullable(Type.Integer({ description: 'The HTTP status of a provider that refused.' })),
    code: Nullable(Type.String({ description: 'The provider’s own word for what was wrong.' })),
    latency_ms: Type.Integer(),
  },
  { $id: 'LanguageModelTest' },
)
export type LanguageModelTest = Static<typeof LanguageModelTest>

const figures = {
  calls: Type.Integer(),
  failed: Type.Integer({
    description: 'Calls that brought nothing: after those for an answer, the built-in composer answered instead.',
  }),
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  cost: Type.Number({ description: 'At the prices set at the time of each call; 0 without prices.' }),
}

export const ModelUsageQuery = Type.Object({
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 366, default: 30, description: 'Today (UTC) included.' })),
})

export const ModelUsage = Type.Object(
  {
    today: Type.Object(
      {
        calls: Type.Integer({ description: 'Of this bot.' }),
        limit: Nullable(Type.Integer()),
        workspace_calls: Type.Integer({ description: 'Of all bots of the workspace.' }),
        workspace_limit: Type.Integer(),
        limit_reached: Type.Boolean({ description: 'Until midnight UTC the built-in composer answers.' }),
      },
      { description: 'How much of the daily limits is used (UTC).' },
    ),
    total: Type.Object(figures),
    days: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date', description: 'UTC' }),
        ...figures,
        outcomes: Type.Unsafe<Record<string, number>>({
          type: 'object',
          additionalProperties: { type: 'integer' },
          description:
            'How the calls ended: `answered`, `no_answer`, `questions_written`, or why they failed, as `timeout`, `unauthorized`, `not_grounded`.',
        }),
      }),
      { description: 'Newest first; days without calls are left out.' },
    ),
  },
  { $id: 'ModelUsage' },
)
export type ModelUsage = Static<typeof ModelUsage>
