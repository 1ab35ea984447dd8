import { type Static, Type } from 'typebox'
import { HttpUrl, Language, ListQuery, NOT_BLANK, Nullable, OneOf, Timestamp } from '../schema.ts'

export const DocumentInput = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        // Must be usable in a URL path, where dots alone would mean another folder.
        pattern: '^(?!\\.{1,2}$)[^\\s/?#\\u0000]+$',
        description: 'Your own id; an existing document with it is replaced. Default: derived from `url` or `title`.',
      }),
    ),
    title: Type.String({ minLength: 1, maxLength: 500, pattern: NOT_BLANK, description: 'Shown with the source.' }),
    url: Type.Optional(Nullable(HttpUrl)),
    language: Type.Optional(Language),
    text: Type.Optional(
      Type.String({ maxLength: 2_000_000, description: 'Plain text, with empty lines between paragraphs.' }),
    ),
    markdown: Type.Optional(Type.String({ maxLength: 2_000_000 })),
    html: Type.Optional(Type.String({ maxLength: 2_000_000 })),
  },
  { $id: 'DocumentInput', description: 'Give exactly one of `text`, `markdown`, `html`.' },
)
export type DocumentInput = Static<typeof DocumentInput>

export const ImportDocuments = Type.Object({
  documents: Type.Array(DocumentInput, { description: 'Validated one by one: an invalid one never fails the rest.' }),
})

export const ImportReport = Type.Object(
  {
    created: Type.Integer({ description: 'New documents.' }),
    updated: Type.Integer({ description: 'Changed documents.' }),
    unchanged: Type.Integer({ description: 'Identical documents.' }),
    failed: Type.Integer({ description: 'Rejected; see `errors`.' }),
    errors: Type.Array(
      Type.Object({ index: Type.Integer(), id: Nullable(Type.String()), code: Type.String(), message: Type.String() }),
      { description: 'The first 100 items that failed.' },
    ),
  },
  { $id: 'ImportReport' },
)
export type ImportReport = Static<typeof ImportReport>

export const DocumentsQuery = ListQuery(['id', 'title', 'updated_at'], { found: 'title, address or id', sort: 'id' })

export const DocumentSummary = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    url: Nullable(Type.String()),
    language: Type.String(),
    format: OneOf(['text', 'markdown', 'html']),
    crawl_id: Nullable(Type.String({ description: 'The crawl that imported it.' })),
    passages: Type.Integer(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'DocumentSummary' },
)
export type DocumentSummary = Static<typeof DocumentSummary>

export const Document = Type.Intersect([DocumentSummary, Type.Object({ content: Type.String() })], { $id: 'Document' })
export type Document = Static<typeof Document>

export const SearchQuery = Type.Object({
  q: Type.String({ minLength: 1, maxLength: 10_000, pattern: NOT_BLANK }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10 })),
})

export const SearchResult = Type.Object({
  document_id: Type.String(),
  title: Type.String(),
  url: Type.String(),
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
