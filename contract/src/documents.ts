// Documents that bots answer from.
import type { Static } from 'typebox'
import { INPUT_ERRORS, MANAGER_ERRORS, ofBot, type RouteSpec } from './route.ts'
import { HttpUrl, Id, Language, ListQuery, NOT_BLANK, Nullable, OneOf, Page, Params, Timestamp } from './schema.ts'
import { Type } from './type.ts'

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

const ImportDocuments = Type.Object({
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

const DocumentsQuery = ListQuery(['id', 'title', 'updated_at'], { found: 'title, address or id', sort: 'id' })

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

const ofDocument = Params({ botId: Id, documentId: Id })

export const documentRoutes = {
  'POST /api/manage/v1/bots/{botId}/documents': {
    summary: 'Add or replace documents',
    description:
      'In bulk, as JSON or as newline-delimited JSON with one document per line. One invalid item never fails the rest. Documents are searchable when the response arrives.',
    tag: 'Knowledge',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    body: ImportDocuments,
    bulk: 'documents',
    bodyLimitBytes: 100 * 1024 * 1024,
    status: 200,
    response: ImportReport,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found'],
    audit: 'documents.imported',
  },
  'GET /api/manage/v1/bots/{botId}/documents': {
    summary: 'List the documents',
    tag: 'Knowledge',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: DocumentsQuery,
    status: 200,
    response: Page(DocumentSummary),
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/documents/{documentId}': {
    summary: 'Read a document with its content',
    tag: 'Knowledge',
    caller: 'management',
    role: 'viewer',
    params: ofDocument,
    status: 200,
    response: Document,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'DELETE /api/manage/v1/bots/{botId}/documents/{documentId}': {
    summary: 'Delete a document',
    tag: 'Knowledge',
    caller: 'management',
    role: 'editor',
    params: ofDocument,
    status: 204,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
    audit: 'document.deleted',
  },
} as const satisfies Record<string, RouteSpec>
