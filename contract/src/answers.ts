import { type Static, Type } from 'typebox'
import { HttpUrl, Nullable, Timestamp } from './schema.ts'

const Phrase = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' })

const fields = {
  question: Phrase,
  alternatives: Type.Optional(Type.Array(Phrase, { maxItems: 100, description: 'Other ways to ask the same.' })),
  answer: Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S', description: 'Said as it stands.' }),
  url: Type.Optional(Nullable(HttpUrl)),
}

export const CreateCuratedAnswer = Type.Object(fields)
export const PatchCuratedAnswer = Type.Partial(Type.Object(fields))

export const CuratedAnswer = Type.Object(
  {
    id: Type.String(),
    question: Type.String(),
    alternatives: Type.Array(Type.String()),
    answer: Type.String(),
    url: Nullable(Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'CuratedAnswer', description: 'An answer written by hand; it wins when a question comes close to its own.' },
)
export type CuratedAnswer = Static<typeof CuratedAnswer>
