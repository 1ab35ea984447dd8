// What in a bot's content wants a look: almost the same twice, or perhaps out of date.
import type { Static } from 'typebox'
import { COMPARED_PASSAGES } from './limits.ts'
import { MANAGER_ERRORS, ofBot, type RouteSpec } from './route.ts'
import { Id, Nullable, OneOf, Params, Timestamp } from './schema.ts'
import { Type } from './type.ts'

export const OUTDATED_REASONS = ['failing', 'past_date', 'not_read', 'unchanged'] as const

const DuplicateDocument = Type.Object({
  id: Type.String(),
  title: Type.String(),
  url: Nullable(Type.String()),
  updated_at: Timestamp,
  passages: Type.Integer({ description: 'All of the document.' }),
  passage_ids: Type.Array(Type.String(), { description: 'Those that the others have too, at most 100.' }),
})

export const ContentReview = Type.Object(
  {
    duplicates: Type.Array(
      Type.Object({
        passages: Type.Integer({ description: 'How many passages these documents share.' }),
        heading: Nullable(Type.String({ description: 'Of the first one.' })),
        excerpt: Type.String({ description: 'The beginning of the first one.' }),
        documents: Type.Array(DuplicateDocument, { description: 'Newest first, at most 100.' }),
        document_count: Type.Integer(),
      }),
      { description: 'Documents with passages that are almost the same, at most 100. Excluded passages do not count.' },
    ),
    duplicate_count: Type.Integer({ description: 'Also those that are not listed. Counted up to 1,000.' }),
    outdated: Type.Array(
      Type.Object({
        document_id: Type.String(),
        title: Type.String(),
        url: Nullable(Type.String()),
        reason: OneOf(OUTDATED_REASONS, {
          description:
            '`failing`: the page no longer loads. `past_date`: it announces something for a time that is over. `not_read`: not re-crawled for 90 days. `unchanged`: not from a website, and unchanged for a year.',
        }),
        since: Timestamp,
        excerpt: Nullable(Type.String({ description: 'The words with the date.' })),
        passage_id: Nullable(Type.String({ description: 'The passage with the date.' })),
        crawl_id: Nullable(Type.String()),
      }),
      { description: 'Documents that may be out of date, at most 200, each for its first reason.' },
    ),
    outdated_count: Type.Integer({
      description:
        'Also those that are not listed. Counted up to 1,000 of websites, 1,000 with a date and 1,000 unchanged ones.',
    }),
    complete: Type.Boolean({
      description: `False if the bot has more passages than are compared (${COMPARED_PASSAGES.toLocaleString('en')}).`,
    }),
  },
  { $id: 'ContentReview' },
)
export type ContentReview = Static<typeof ContentReview>

export const contentReviewRoutes = {
  'GET /api/manage/v1/bots/{botId}/content-review': {
    summary: 'List duplicates and outdated pages',
    description: 'Content that is almost the same in several documents, and documents that may be out of date.',
    tag: 'Knowledge',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    status: 200,
    response: ContentReview,
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
  },
  'POST /api/manage/v1/bots/{botId}/documents/{documentId}/reviewed': {
    summary: 'Confirm that a document is right',
    description:
      'Until it changes, the review no longer lists it for its dates or age, nor as a duplicate of other confirmed documents. A text in more than 100 documents is no longer listed once the newest 100 are confirmed.',
    tag: 'Knowledge',
    caller: 'management',
    role: 'editor',
    params: Params({ botId: Id, documentId: Id }),
    status: 204,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
    audit: 'document.reviewed',
  },
} as const satisfies Record<string, RouteSpec>
