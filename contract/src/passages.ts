// Passages: the parts of a document that answers are made from, and what people do with them.
import type { Static } from 'typebox'
import { INPUT_ERRORS, MANAGER_ERRORS, type RouteSpec } from './route.ts'
import { Id, NOT_BLANK, Nullable, OneOf, Page, PageQuery, Params, Timestamp } from './schema.ts'
import { Type } from './type.ts'

const Phrasings = Type.Array(Type.String({ minLength: 1, maxLength: 500, pattern: NOT_BLANK }), {
  maxItems: 50,
  description: 'Other ways to ask for it: they help to find the passage and are never shown.',
})

export const Passage = Type.Object(
  {
    id: Type.String({ description: 'Stays when the page changes.' }),
    heading: Nullable(Type.String({ description: 'The heading that it is under; null at the top of the document.' })),
    headings: Type.Array(Type.String(), { description: 'All headings above it, outermost first.' }),
    text: Type.String({ description: 'As on the page.' }),
    corrected_text: Nullable(
      Type.String({ description: 'Used instead of `text`, also after the page is read again.' }),
    ),
    previous_text: Nullable(
      Type.String({
        description: 'The page’s text that was corrected, if the page has changed since; otherwise null.',
      }),
    ),
    excluded: Type.Boolean({ description: 'Never used in answers.' }),
    phrasings: Phrasings,
    missing: Type.Boolean({
      description: 'No longer on the page: unused, but its changes return with the passage. Such passages come last.',
    }),
    edited_at: Nullable(Timestamp),
    cited: Type.Integer({ description: 'Answers from it, in the conversations that are kept.' }),
    last_cited_at: Nullable(Timestamp),
    rated_up: Type.Integer({ description: 'Of the last 500 of these answers, those rated as helpful.' }),
    rated_down: Type.Integer(),
    questions: Type.Array(
      Type.Object({
        text: Type.String(),
        conversation_id: Type.String(),
        asked_at: Timestamp,
        rating: Nullable(OneOf(['up', 'down'])),
      }),
      { description: 'The last questions that it answered, newest first.' },
    ),
  },
  { $id: 'Passage' },
)
export type Passage = Static<typeof Passage>

const PatchPassage = Type.Partial(
  Type.Object({
    corrected_text: Nullable(
      Type.String({
        minLength: 1,
        maxLength: 4000,
        pattern: NOT_BLANK,
        description: 'Null: use the page’s text again. The same text again: keep it although the page has changed.',
      }),
    ),
    excluded: Type.Boolean(),
    phrasings: Phrasings,
    expected_edited_at: Nullable(
      Type.String({
        format: 'date-time',
        description: 'The `edited_at` that you saw: if somebody changed the passage since, nothing is changed.',
      }),
    ),
  }),
)
export type PatchPassage = Static<typeof PatchPassage>

const ofDocument = Params({ botId: Id, documentId: Id })
const ofPassage = Params({ botId: Id, documentId: Id, passageId: Id })

export const passageRoutes = {
  'GET /api/manage/v1/bots/{botId}/documents/{documentId}/passages': {
    summary: 'List the passages of a document',
    description: 'In the order of the page, each with how often answers cited it and how these were rated.',
    tag: 'Knowledge',
    caller: 'management',
    role: 'viewer',
    params: ofDocument,
    query: PageQuery,
    status: 200,
    response: Page(Passage),
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'PATCH /api/manage/v1/bots/{botId}/documents/{documentId}/passages/{passageId}': {
    summary: 'Correct or exclude a passage, or add phrasings',
    description:
      'Holds from the next answer on, and is kept when the page is read again. Absent fields stay as they are.',
    tag: 'Knowledge',
    caller: 'management',
    role: 'editor',
    params: ofPassage,
    body: PatchPassage,
    status: 200,
    response: Passage,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'not_found', 'passage_changed'],
    audit: 'passage.changed',
  },
} as const satisfies Record<string, RouteSpec>
