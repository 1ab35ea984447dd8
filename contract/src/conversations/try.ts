import { type Static, Type } from 'typebox'
import { SearchResult } from '../knowledge/documents.ts'
import { Nullable, OneOf } from '../schema.ts'
import { Source } from './chat.ts'
import { DecisionField } from './decisions.ts'

const Ids = Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100 })

export const TryMessage = Type.Object({
  message: Type.String({ minLength: 1, maxLength: 10_000 }),
  history: Type.Optional(
    Type.Array(
      Type.Object({
        role: OneOf(['user', 'assistant']),
        text: Type.String({ minLength: 1, maxLength: 10_000 }),
        document_ids: Type.Optional(Ids),
        product_ids: Type.Optional(Ids),
        answered: Type.Optional(Type.Boolean()),
      }),
      {
        maxItems: 20,
        description:
          'Earlier messages, oldest first. Send the `document_ids`, `product_ids` and `answered` of earlier answers back, so that follow-ups are understood as in a conversation.',
      },
    ),
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
