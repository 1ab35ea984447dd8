// A bot's language model: settings, test, usage.
import type { Static } from 'typebox'
import { INPUT_ERRORS, MANAGER_ERRORS, ofBot, type RouteSpec } from './route.ts'
import { HttpUrl, NOT_BLANK, Nullable, OneOf } from './schema.ts'
import { Type } from './type.ts'

const PROVIDERS = ['openai_compatible', 'anthropic'] as const
const CITATIONS = ['required', 'optional'] as const

const Price = Nullable(
  Type.Number({ minimum: 0, maximum: 1_000_000, description: 'In your currency; null: cost is not tracked.' }),
)

const optionalSettings = {
  temperature: Type.Optional(
    Nullable(
      Type.Number({
        minimum: 0,
        maximum: 2,
        description: 'Default 0.2; null sends none, for models that reject it.',
      }),
    ),
  ),
  max_output_tokens: Type.Optional(Type.Integer({ minimum: 16, maximum: 8192, description: 'Default 800.' })),
  timeout_ms: Type.Optional(
    Type.Integer({
      minimum: 1000,
      maximum: 120_000,
      description:
        'Default 30,000. If the first word has not arrived after half of this time, or the last after all of it, the built-in composer answers.',
    }),
  ),
  citations: Type.Optional(
    OneOf(CITATIONS, {
      description:
        '`required` (default): nothing is shown before the first citation, and an answer without one is discarded.',
    }),
  ),
  writes_answers: Type.Optional(
    Type.Boolean({
      description:
        'Default true. False: answers are quoted as without a model, and the model only writes questions (`/generated-questions`).',
    }),
  ),
  instructions: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        pattern: NOT_BLANK,
        description:
          'Persona and style, such as "Address visitors informally". Answers still contain only what the content says.',
      }),
    ),
  ),
  context_tokens: Type.Optional(
    Type.Integer({
      minimum: 500,
      maximum: 32_000,
      description:
        'Default 4,000: about how many tokens of passages and products a question may bring. Small local models answer better with 2,000.',
    }),
  ),
  daily_calls: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        maximum: 10_000_000,
        description:
          'Maximum calls per day (UTC); above it the built-in composer answers, and the owners are notified. Null (default): only the workspace limit applies, the setting `MODEL_CALLS_PER_DAY`.',
      }),
    ),
  ),
  input_price_per_million: Type.Optional(Price),
  output_price_per_million: Type.Optional(Price),
}

export const LanguageModelInput = Type.Object(
  {
    provider: OneOf(PROVIDERS, { description: 'The protocol of the endpoint.' }),
    base_url: Type.Optional(
      Nullable(
        Type.String({
          ...HttpUrl,
          description: "With or without `/v1`. Optional for `anthropic`: defaults to Anthropic's API.",
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
            'Stored encrypted and never shown again. If omitted, the current key stays, unless the provider or URL changes.',
        }),
      ),
    ),
    model: Type.String({ minLength: 1, maxLength: 200, pattern: NOT_BLANK, examples: ['llama3.1:8b'] }),
    ...optionalSettings,
  },
  { $id: 'LanguageModelInput' },
)
export type LanguageModelInput = Static<typeof LanguageModelInput>

export const LanguageModel = Type.Object(
  {
    provider: OneOf(PROVIDERS),
    base_url: Nullable(Type.String()),
    api_key_set: Type.Boolean(),
    api_key_last_four: Nullable(Type.String({ description: 'Only for keys long enough to show this much.' })),
    model: Type.String(),
    temperature: Nullable(Type.Number()),
    max_output_tokens: Type.Integer(),
    timeout_ms: Type.Integer(),
    citations: OneOf(CITATIONS),
    writes_answers: Type.Boolean(),
    instructions: Nullable(Type.String()),
    context_tokens: Type.Integer(),
    daily_calls: Nullable(Type.Integer()),
    input_price_per_million: Nullable(Type.Number()),
    output_price_per_million: Nullable(Type.Number()),
  },
  {
    $id: 'LanguageModel',
    description: 'Writes answers from the passages found; without a model, passages are quoted.',
  },
)
export type LanguageModel = Static<typeof LanguageModel>

const PROBLEMS = [
  'wrong_key',
  'no_credit',
  'unknown_model',
  'wrong_address',
  'unreachable',
  'rate_limited',
  'too_slow',
  'request_rejected',
  'provider_error',
  'unusable_reply',
  'empty_reply',
  'no_citation',
  'no_answer',
  'daily_limit',
  'misconfigured',
] as const

const TestLanguageModel = Type.Object({ language_model: LanguageModelInput })

export const LanguageModelTest = Type.Object(
  {
    outcome: Type.String({
      description: '`answered`, `no_answer`, or why it failed, such as `timeout` or `unauthorized`.',
    }),
    reply: Nullable(Type.String({ description: 'The answer to a test question.' })),
    problem: Nullable(
      OneOf(PROBLEMS, {
        description:
          'What to put right, if the model did not answer: the key, the account (`no_credit`), the model’s name, the path of the address, or the address itself (`unreachable`); `request_rejected`: often a temperature that the model does not take; `unusable_reply`: not a reply in the provider’s format, or an interrupted one; `empty_reply`: no text, often because a reasoning model used up `max_output_tokens`; `no_citation`: see `citations`; `daily_limit`: of this bot or its workspace.',
      }),
    ),
    retry_after_seconds: Nullable(
      Type.Integer({ description: 'When a provider with a rate limit may be asked again.' }),
    ),
    status: Nullable(Type.Integer({ description: 'The HTTP status if the provider refused.' })),
    code: Nullable(Type.String({ description: 'The error code of the provider.' })),
    latency_ms: Type.Integer(),
  },
  { $id: 'LanguageModelTest' },
)
export type LanguageModelTest = Static<typeof LanguageModelTest>

const LanguageModelPreset = Type.Object(
  {
    id: Type.String({ examples: ['ollama'] }),
    name: Type.String({ examples: ['Ollama'] }),
    provider: OneOf(PROVIDERS),
    base_url: Nullable(Type.String({ description: 'A part in braces is yours to replace. Null: the default.' })),
    model: Type.String({ description: 'An example.' }),
    needs_key: Type.Boolean(),
    key_url: Nullable(Type.String({ format: 'uri', description: 'Where keys are made.' })),
    context_tokens: Type.Integer({ description: 'A sensible value for models of this provider.' }),
    timeout_ms: Type.Integer({ description: 'Likewise: models on your own hardware take longer.' }),
  },
  { $id: 'LanguageModelPreset' },
)
export type LanguageModelPreset = Static<typeof LanguageModelPreset>

const LanguageModelPresets = Type.Object({ items: Type.Array(LanguageModelPreset) })

const figures = {
  calls: Type.Integer(),
  failed: Type.Integer({
    description: 'Failed calls. For answers, the built-in composer answered instead.',
  }),
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  cost: Type.Number({ description: 'At the prices at the time of each call; 0 without prices.' }),
}

const ModelUsageQuery = Type.Object({
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 366, default: 30, description: 'Including today (UTC).' })),
})

export const ModelUsage = Type.Object(
  {
    today: Type.Object(
      {
        calls: Type.Integer({ description: 'Calls of this bot.' }),
        limit: Nullable(Type.Integer()),
        workspace_calls: Type.Integer({ description: 'Calls of all bots of the workspace.' }),
        workspace_limit: Type.Integer(),
        limit_reached: Type.Boolean({ description: 'The built-in composer answers until midnight UTC.' }),
      },
      { description: 'Use of the daily limits (UTC).' },
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
            'Outcomes of the calls: `answered`, `partly`, `no_answer`, `restated` (a question, for the search), `action_chosen`, `result_worded` (what an action found out), `questions_written`, or why they failed, such as `timeout`, `unauthorized` or `not_grounded`.',
        }),
      }),
      { description: 'Newest first; days without calls are left out.' },
    ),
  },
  { $id: 'ModelUsage' },
)
export type ModelUsage = Static<typeof ModelUsage>

export const languageModelRoutes = {
  'GET /api/manage/v1/language-model-presets': {
    summary: 'List settings of well-known providers',
    tag: 'Bots',
    caller: 'management',
    role: 'viewer',
    status: 200,
    response: LanguageModelPresets,
    errors: MANAGER_ERRORS,
  },
  'POST /api/manage/v1/bots/{botId}/language-model/test': {
    summary: 'Test a language model before saving its settings',
    description: 'Makes one call, which counts like any other. If omitted, the stored API key is used.',
    tag: 'Bots',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    body: TestLanguageModel,
    status: 200,
    response: LanguageModelTest,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/model-usage': {
    summary: "Read the usage and cost of a bot's language model by day",
    tag: 'Bots',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: ModelUsageQuery,
    status: 200,
    response: ModelUsage,
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
  },
} as const satisfies Record<string, RouteSpec>
