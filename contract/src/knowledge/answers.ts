import { type Static, Type } from 'typebox'
import { HttpUrl, ListQuery, NOT_BLANK, Nullable, OneOf, Timestamp } from '../schema.ts'

export const AnswersQuery = ListQuery(['id', 'question', 'updated_at'], { found: 'questions and answers', sort: 'id' })

const Phrase = Type.String({ minLength: 1, maxLength: 500, pattern: NOT_BLANK })

const fields = {
  question: Phrase,
  alternatives: Type.Optional(Type.Array(Phrase, { maxItems: 100, description: 'Other ways to ask the same.' })),
  answer: Type.String({ minLength: 1, maxLength: 10_000, pattern: NOT_BLANK, description: 'Sent verbatim.' }),
  url: Type.Optional(Nullable(HttpUrl)),
}

export const CreateCuratedAnswer = Type.Object(fields)
export const PatchCuratedAnswer = Type.Partial(Type.Object(fields))

export const ImportedAnswer = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{1,100}$',
        description: 'An existing answer with this id, or the same question, is replaced.',
      }),
    ),
    ...fields,
  },
  { $id: 'ImportedAnswer' },
)
export type ImportedAnswer = Static<typeof ImportedAnswer>

export const ImportAnswers = Type.Object({
  answers: Type.Array(ImportedAnswer, { description: 'Validated one by one: an invalid one never fails the rest.' }),
})

export const ExportQuery = Type.Object({
  format: Type.Optional(OneOf(['json', 'csv'], { description: 'Default: json.' })),
})

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
  {
    $id: 'CuratedAnswer',
    description: 'An answer written by hand; it takes precedence when a question is similar to its own.',
  },
)
export type CuratedAnswer = Static<typeof CuratedAnswer>
