import { type Static, Type } from 'typebox'
import { ListQuery, Nullable, Timestamp } from '../schema.ts'

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

export const UploadFiles = Type.Object(
  {
    file: Type.Array(Type.String({ format: 'binary' }), {
      description:
        'One or more: PDF, DOCX, HTML, Markdown, text, CSV; exports of Notion or Confluence (HTML) as zip, or of Zendesk as JSON or zip; each at most 20 MB.',
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

export const FilesQuery = ListQuery(['id', 'name', 'size_bytes', 'updated_at'], { found: 'name or title', sort: 'id' })
