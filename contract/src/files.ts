// Files that bots answer from.
import type { Static } from 'typebox'
import { INPUT_ERRORS, MANAGER_ERRORS, ofBot, type RouteSpec } from './route.ts'
import { Id, ListQuery, Nullable, Page, Params, Timestamp } from './schema.ts'
import { Type } from './type.ts'

export const File = Type.Object(
  {
    id: Type.String({ examples: ['fil_5g1n9q3ht7'] }),
    name: Type.String({ examples: ['handbook.pdf'] }),
    kind: Type.String({ examples: ['pdf'] }),
    size_bytes: Type.Integer(),
    title: Type.String(),
    url: Nullable(Type.String({ description: 'The URL cited as the source; null: the site of the bot.' })),
    document_id: Nullable(
      Type.String({
        description: 'The document with its text; null for an export, which has one document per page.',
        examples: ['file-fil_5g1n9q3ht7'],
      }),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'File', description: 'An uploaded file. A new file of the same name replaces it.' },
)
export type File = Static<typeof File>

const UploadFiles = Type.Object(
  {
    file: Type.Array(Type.String({ format: 'binary' }), {
      description:
        'One or more: PDF, DOCX, XLSX, PPTX, ODT, HTML, Markdown, text, CSV; exports of Notion or Confluence (HTML) as zip, or of Zendesk as JSON or zip; each at most 20 MB.',
    }),
    url: Type.Optional(
      Type.String({ description: 'The URL cited as the source. Must precede the files it belongs to.' }),
    ),
    title: Type.Optional(Type.String({ description: "Default: the file's own title, or its name." })),
    language: Type.Optional(Type.String({ description: 'Default: detected.' })),
  },
  { $id: 'UploadFiles' },
)

export const UploadReport = Type.Object(
  {
    created: Type.Integer(),
    updated: Type.Integer(),
    unchanged: Type.Integer(),
    failed: Type.Integer({ description: 'Rejected; see `errors`.' }),
    errors: Type.Array(Type.Object({ index: Type.Integer(), name: Type.String(), message: Type.String() }), {
      description: 'Includes skipped pages of exports.',
    }),
    files: Type.Array(File, { description: 'The files as stored now.' }),
  },
  { $id: 'UploadReport' },
)
export type UploadReport = Static<typeof UploadReport>

const FilesQuery = ListQuery(['id', 'name', 'size_bytes', 'updated_at'], { found: 'name or title', sort: 'id' })

const ofFile = Params({ botId: Id, fileId: Id })

export const fileRoutes = {
  'POST /api/manage/v1/bots/{botId}/files': {
    summary: 'Upload files',
    description:
      'PDF, DOCX, XLSX, PPTX, ODT, HTML, Markdown, text and CSV, and exports of Notion, Confluence and Zendesk, with one document per page. Their text is searchable when the response arrives; an unreadable file is reported with the reason and does not fail the rest.',
    tag: 'Knowledge',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    body: UploadFiles,
    multipart: true,
    bodyLimitBytes: 100 * 1024 * 1024,
    status: 200,
    response: UploadReport,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found'],
    audit: 'files.uploaded',
  },
  'GET /api/manage/v1/bots/{botId}/files': {
    summary: 'List the files',
    tag: 'Knowledge',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: FilesQuery,
    status: 200,
    response: Page(File),
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/files/{fileId}': {
    summary: 'Read the details of a file',
    tag: 'Knowledge',
    caller: 'management',
    role: 'viewer',
    params: ofFile,
    status: 200,
    response: File,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/files/{fileId}/content': {
    summary: 'Download a file as it was uploaded',
    tag: 'Knowledge',
    caller: 'management',
    role: 'viewer',
    params: ofFile,
    status: 200,
    response: Type.String({ format: 'binary' }),
    responseType: 'application/octet-stream',
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'DELETE /api/manage/v1/bots/{botId}/files/{fileId}': {
    summary: 'Delete a file and its documents',
    tag: 'Knowledge',
    caller: 'management',
    role: 'editor',
    params: ofFile,
    status: 204,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
    audit: 'file.deleted',
  },
} as const satisfies Record<string, RouteSpec>
