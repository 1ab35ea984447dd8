import { type Static, Type } from 'typebox'
import { SearchResult } from '../knowledge/documents.ts'
import { Nullable, OneOf } from '../schema.ts'
import { Source } from './chat.ts'
import { DecisionField } from './decisions.ts'

export const TryMessage = Type.Object({
  message: Type.String({ minLength: 1, maxLength: 10_000 }),
  history: Type.Optional(
    Type.Array(
      Type.Object({ role: OneOf(['user', 'assistant']), text: Type.String({ minLength: 1, maxLength: 10_000 }) }),
      { maxItems: 20, description: 'Earlier messages, oldest first.' },
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
