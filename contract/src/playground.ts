// Test a bot without recording anything.
import type { Static } from 'typebox'
import { ActionField } from './actions.ts'
import { DecisionField, Source } from './chat.ts'
import { INPUT_ERRORS, MANAGER_ERRORS, ofBot, type RouteSpec } from './route.ts'
import { NOT_BLANK, Nullable, OneOf } from './schema.ts'
import { Type } from './type.ts'

const SearchQuery = Type.Object({
  q: Type.String({ minLength: 1, maxLength: 10_000, pattern: NOT_BLANK }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10 })),
})

const SearchResult = Type.Object({
  document_id: Type.String(),
  title: Type.String(),
  url: Type.String(),
  passage_id: Nullable(Type.String({ description: 'Null: the facts of a product.' })),
  heading: Nullable(Type.String({ description: 'The heading that it is under.' })),
  passage: Type.String(),
  score: Type.Number({ description: 'Comparable only within one response.' }),
  signals: Type.Record(Type.String(), Type.Number(), {
    description: 'Components of the score, each 0 to 1; `reader` if the reading model read the passage.',
  }),
})

export const SearchAnswer = Type.Object(
  { results: Type.Array(SearchResult), confidence: Type.Number({ minimum: 0, maximum: 1 }) },
  { $id: 'SearchAnswer', description: 'Search results for a question, best first.' },
)
export type SearchAnswer = Static<typeof SearchAnswer>

const Ids = Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100 })

const TryMessage = Type.Object({
  message: Type.String({ minLength: 1, maxLength: 10_000 }),
  history: Type.Optional(
    Type.Array(
      Type.Object({
        role: OneOf(['user', 'assistant']),
        text: Type.String({ minLength: 1, maxLength: 10_000 }),
        document_ids: Type.Optional(Ids),
        product_ids: Type.Optional(Ids),
        answered: Type.Optional(Type.Boolean()),
        action_state: Type.Optional(Nullable(Type.String({ maxLength: 20_000 }))),
      }),
      {
        maxItems: 20,
        description:
          'Earlier messages, oldest first. Send the `document_ids`, `product_ids`, `answered` and `action_state` of earlier answers back, so that follow-ups are understood as in a conversation.',
      },
    ),
  ),
  use_samples: Type.Optional(
    Type.Boolean({ description: 'True: actions send nothing and answer from their saved sample. Default: false.' }),
  ),
})

export const TryAnswer = Type.Object(
  {
    response: Type.String(),
    sources: Type.Array(Source),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    answered: Type.Boolean(),
    language: Type.String(),
    decision: DecisionField,
    document_ids: Type.Array(Type.String(), { description: 'The documents that the answer is from.' }),
    product_ids: Type.Array(Type.String(), { description: 'The products that the answer names.' }),
    action: Nullable(ActionField),
    action_state: Nullable(
      Type.String({ description: 'What an action has collected so far. Send it back in `history`.' }),
    ),
    thresholds: Type.Object({ answer: Type.Number(), suggest: Type.Number() }),
    suggestions: Type.Array(Type.String(), { description: 'Questions offered with the answer.' }),
    question: Nullable(
      Type.String({ description: 'The search query, including context from earlier turns; null: no search.' }),
    ),
    results: Type.Array(SearchResult, { description: 'Search results, best first.' }),
    model: Nullable(
      Type.Object({
        name: Type.String(),
        outcome: Type.String({ description: '`answered`, or why the built-in composer answered instead.' }),
      }),
    ),
  },
  { $id: 'TryAnswer', description: 'An answer, and how it was produced.' },
)
export type TryAnswer = Static<typeof TryAnswer>
export type TryTurn = NonNullable<Static<typeof TryMessage>['history']>[number]

export const playgroundRoutes = {
  'GET /api/manage/v1/bots/{botId}/search': {
    summary: 'Show what search finds for a question',
    tag: 'Knowledge',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: SearchQuery,
    status: 200,
    response: SearchAnswer,
    errors: [...MANAGER_ERRORS, 'validation_failed', 'bot_not_found'],
  },
  'POST /api/manage/v1/bots/{botId}/try': {
    summary: 'Ask a bot a test question and show how it was answered',
    description:
      'Like a message of a visitor, but without recording a conversation or sending events. Actions run, drafts too. At most 60 in 30 seconds per bot.',
    tag: 'Knowledge',
    caller: 'management',
    role: 'agent',
    params: ofBot,
    body: TryMessage,
    trims: ['message'],
    status: 200,
    response: TryAnswer,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'rate_limited'],
  },
} as const satisfies Record<string, RouteSpec>
