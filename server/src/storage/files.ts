import { type Database, first } from './database.ts'
import { incrementVersion, recordRemovals, removeOrigin } from './documents.ts'
import { type ListQuery, listOrdered } from './lists.ts'

export interface FileRecord {
  botId: string
  id: string
  name: string
  kind: string
  sizeBytes: number
  /** Of the content and its metadata. */
  hash: string
  title: string
  url: string | null
  createdAt: number
  updatedAt: number
}

const COLUMNS = 'bot_id, id, name, kind, size_bytes, hash, title, url, created_at, updated_at'

/** What it takes to read the content. */
type FileContent = Pick<FileRecord, 'botId' | 'id' | 'name' | 'sizeBytes' | 'hash'>

export type FilesTable = ReturnType<typeof openFilesTable>

export function openFilesTable(database: Database) {
  return {
    /** Replaces a file of the same name, keeping its id and creation time. */
    async put(file: FileRecord, content: Uint8Array) {
      const rows = await database.write<FileRecord>(
        `INSERT INTO files (${COLUMNS}, content) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         ON CONFLICT (bot_id, name) DO UPDATE SET kind = excluded.kind, size_bytes = excluded.size_bytes,
           hash = excluded.hash, title = excluded.title, url = excluded.url, updated_at = excluded.updated_at,
           content = excluded.content
         RETURNING ${COLUMNS}`,
        [
          file.botId,
          file.id,
          file.name,
          file.kind,
          file.sizeBytes,
          file.hash,
          file.title,
          file.url,
          file.createdAt,
          file.updatedAt,
          content,
        ],
      )
      return rows[0] as FileRecord
    },

    async find(botId: string, id: string) {
      return first(
        database.query<FileRecord>(`SELECT ${COLUMNS} FROM files WHERE bot_id = $1 AND id = $2`, [botId, id]),
      )
    },

    async findContent(botId: string, id: string) {
      return first(
        // Columns before the content: to get to later ones, SQLite reads all of it.
        database.query<FileContent>(
          'SELECT bot_id, id, name, size_bytes, hash FROM files WHERE bot_id = $1 AND id = $2',
          [botId, id],
        ),
      )
    },

    async findByName(botId: string, name: string) {
      return first(
        database.query<FileRecord>(`SELECT ${COLUMNS} FROM files WHERE bot_id = $1 AND name = $2`, [botId, name]),
      )
    },

    async list(botId: string, listQuery: ListQuery) {
      const source = {
        select: `SELECT ${COLUMNS} FROM files`,
        where: ['bot_id = $1'],
        values: [botId],
        searched: `lower(name || ' ' || title)`,
        orders: { id: 'id', name: 'name', size_bytes: 'size_bytes', updated_at: 'updated_at' },
      }
      return listOrdered<FileRecord>(database, source, listQuery)
    },

    /** Undefined when the file is gone or was replaced. */
    async readPiece({ botId, id, hash }: FileContent, offset: number, lengthBytes: number) {
      const row = await first(
        database.queryLarge<{ piece: Uint8Array }>(
          'SELECT substr(content, $4, $5) AS piece FROM files WHERE bot_id = $1 AND id = $2 AND hash = $3',
          [botId, id, hash, offset + 1, lengthBytes],
        ),
      )
      return row?.piece
    },

    /** Of an export: the documents made from its pages. Their crawl id is the file's id. */
    async listDocumentIds(botId: string, id: string): Promise<string[]> {
      const rows = await database.query<{ id: string }>(
        'SELECT id FROM documents WHERE bot_id = $1 AND crawl_id = $2',
        [botId, id],
      )
      return rows.map((row) => row.id)
    },

    /** Also removes the documents made from it. */
    remove: (botId: string, id: string, documentId: string) =>
      database.transaction(async (tx) => {
        const version = await incrementVersion(tx, botId)
        await tx.query('DELETE FROM files WHERE bot_id = $1 AND id = $2', [botId, id])
        const removedDocuments = await tx.query<{ id: string }>(
          'DELETE FROM documents WHERE bot_id = $1 AND id = $2 RETURNING id',
          [botId, documentId],
        )
        await recordRemovals(tx, botId, version, removedDocuments)
        await removeOrigin(tx, botId, version, id)
      }),
  }
}
