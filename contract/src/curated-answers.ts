// Answers written by people for questions they name.
import type { Static } from 'typebox'
import { ImportReport } from './documents.ts'
import { QUESTION_LENGTH } from './limits.ts'
import { INPUT_ERRORS, MANAGER_ERRORS, ofBot, type RouteSpec } from './route.ts'
import { HttpUrl, Id, ListQuery, NOT_BLANK, Nullable, OneOf, Page, Params, Timestamp } from './schema.ts'
import { Type } from './type.ts'

const AnswersQuery = ListQuery(['id', 'question', 'updated_at'], { found: 'questions and answers', sort: 'id' })

const Phrase = Type.String({ minLength: 1, maxLength: QUESTION_LENGTH, pattern: NOT_BLANK })

export const curatedAnswerFields = {
  question: Phrase,
  alternatives: Type.Optional(Type.Array(Phrase, { maxItems: 100, description: 'Other ways to ask the same.' })),
  answer: Type.String({ minLength: 1, maxLength: 10_000, pattern: NOT_BLANK, description: 'Sent verbatim.' }),
  url: Type.Optional(Nullable(HttpUrl)),
}

const CreateCuratedAnswer = Type.Object(curatedAnswerFields)
const PatchCuratedAnswer = Type.Partial(Type.Object(curatedAnswerFields))

export const ImportedAnswer = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{1,100}$',
        description: 'An existing answer with this id, or the same question, is replaced.',
      }),
    ),
    ...curatedAnswerFields,
  },
  { $id: 'ImportedAnswer' },
)
export type ImportedAnswer = Static<typeof ImportedAnswer>

const ImportAnswers = Type.Object({
  answers: Type.Array(ImportedAnswer, { description: 'Validated one by one: an invalid one never fails the rest.' }),
})

const ExportQuery = Type.Object({
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

const ofAnswer = Params({ botId: Id, answerId: Id })

export const curatedAnswerRoutes = {
  'POST /api/manage/v1/bots/{botId}/answers': {
    summary: 'Add a curated answer',
    tag: 'Knowledge',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    body: CreateCuratedAnswer,
    status: 201,
    response: CuratedAnswer,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'too_many_answers'],
    audit: 'answer.created',
  },
  'GET /api/manage/v1/bots/{botId}/answers': {
    summary: 'List the curated answers',
    tag: 'Knowledge',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: AnswersQuery,
    status: 200,
    response: Page(CuratedAnswer),
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
  },
  'POST /api/manage/v1/bots/{botId}/answers/import': {
    summary: 'Add or replace curated answers in bulk',
    description:
      'As JSON, as newline-delimited JSON, or as CSV with the columns question, answer and, optionally, alternatives (one per line, or separated by |), url and id.',
    tag: 'Knowledge',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    body: ImportAnswers,
    bulk: 'answers',
    bodyLimitBytes: 20 * 1024 * 1024,
    status: 200,
    response: ImportReport,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found'],
    audit: 'answers.imported',
  },
  'GET /api/manage/v1/bots/{botId}/answers/export': {
    summary: 'Export all curated answers',
    description: 'In a format that the import accepts.',
    tag: 'Knowledge',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: ExportQuery,
    status: 200,
    response: ImportAnswers,
    alternative: { type: 'text/csv', schema: Type.String() },
    errors: [...MANAGER_ERRORS, 'validation_failed', 'bot_not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/answers/{answerId}': {
    summary: 'Read a curated answer',
    tag: 'Knowledge',
    caller: 'management',
    role: 'viewer',
    params: ofAnswer,
    status: 200,
    response: CuratedAnswer,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'PATCH /api/manage/v1/bots/{botId}/answers/{answerId}': {
    summary: 'Change a curated answer',
    tag: 'Knowledge',
    caller: 'management',
    role: 'editor',
    params: ofAnswer,
    body: PatchCuratedAnswer,
    status: 200,
    response: CuratedAnswer,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'not_found'],
    audit: 'answer.changed',
  },
  'DELETE /api/manage/v1/bots/{botId}/answers/{answerId}': {
    summary: 'Delete a curated answer',
    tag: 'Knowledge',
    caller: 'management',
    role: 'editor',
    params: ofAnswer,
    status: 204,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
    audit: 'answer.deleted',
  },
} as const satisfies Record<string, RouteSpec>
