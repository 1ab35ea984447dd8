import { type Database, first, type Queries, type Row } from './database.ts'

export type DocumentFormat = 'text' | 'markdown' | 'html'

export interface DocumentRecord {
  id: string
  title: string
  url: string | null
  language: string
  format: DocumentFormat
  passageCount: number
  createdAt: number
  updatedAt: number
}

export interface DocumentToStore extends DocumentRecord {
  content: string
  hash: string
  passages: StoredPassage[]
}

export interface StoredPassage {
  headings: string[]
  anchor: string | null
  text: string
}

/** A passage with what is needed of its document. */
export interface PassageRecord extends StoredPassage {
  documentId: string
  ordinal: number
  title: string
  url: string | null
  language: string
}

interface DocumentRow extends Row {
  id: string
  title: string
  url: string | null
  language: string
  format: DocumentFormat
  passage_count: number
  created_at: number
  updated_at: number
}

interface PassageRow extends Row {
  document_id: string
  ordinal: number
  headings: string
  anchor: string | null
  text: string
  title: string
  url: string | null
  language: string
}

const summary = 'id, title, url, language, format, passage_count, created_at, updated_at'

export type DocumentsTable = ReturnType<typeof documentsTable>

export function documentsTable(database: Database) {
  return {
    async hashes(botId: string, ids: string[]): Promise<Map<string, string>> {
      const rows = await Promise.all(
        ids.map((id) =>
          database.query<{ id: string; hash: string }>('SELECT id, hash FROM documents WHERE bot_id = $1 AND id = $2', [
            botId,
            id,
          ]),
        ),
      )
      return new Map(rows.flat().map((row) => [row.id, row.hash]))
    },

    /** Puts documents in place of those with the same ids, and tells the new knowledge version. */
    store: (botId: string, documents: DocumentToStore[]) =>
      database.transaction(async (tx) => {
        for (const document of documents) await storeOne(tx, botId, document)
        return raiseVersion(tx, botId)
      }),

    /** The new knowledge version, or null when there was no such document. */
    remove: (botId: string, id: string) =>
      database.transaction(async (tx) => {
        const removed = await tx.query('DELETE FROM documents WHERE bot_id = $1 AND id = $2 RETURNING id', [botId, id])
        return removed.length > 0 ? raiseVersion(tx, botId) : null
      }),

    async find(botId: string, id: string) {
      const row = await first(
        database.query<DocumentRow & { content: string }>(
          `SELECT ${summary}, content FROM documents WHERE bot_id = $1 AND id = $2`,
          [botId, id],
        ),
      )
      return row && { ...fromRow(row), content: row.content }
    },

    async list(botId: string, after: string, limit: number) {
      const rows = await database.query<DocumentRow>(
        `SELECT ${summary} FROM documents WHERE bot_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
        [botId, after, limit],
      )
      return rows.map(fromRow)
    },

    async listPassages(botId: string): Promise<PassageRecord[]> {
      const rows = await database.query<PassageRow>(
        `SELECT p.document_id, p.ordinal, p.headings, p.anchor, p.text, d.title, d.url, d.language
         FROM passages p JOIN documents d ON d.bot_id = p.bot_id AND d.id = p.document_id
         WHERE p.bot_id = $1 ORDER BY p.document_id, p.ordinal`,
        [botId],
      )
      return rows.map(fromPassageRow)
    },
  }
}

async function storeOne(tx: Queries, botId: string, document: DocumentToStore) {
  await tx.query('DELETE FROM passages WHERE bot_id = $1 AND document_id = $2', [botId, document.id])
  await tx.query(
    `INSERT INTO documents
       (bot_id, id, title, url, language, format, content, hash, passage_count, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     ON CONFLICT (bot_id, id) DO UPDATE SET title = $3, url = $4, language = $5, format = $6, content = $7, hash = $8,
       passage_count = $9, updated_at = $11`,
    [
      botId,
      document.id,
      document.title,
      document.url,
      document.language,
      document.format,
      document.content,
      document.hash,
      document.passages.length,
      document.createdAt,
      document.updatedAt,
    ],
  )
  // Not awaited one by one: PostgreSQL takes them as one pipeline.
  await Promise.all(
    document.passages.map((passage, ordinal) =>
      tx.query(
        'INSERT INTO passages (bot_id, document_id, ordinal, headings, anchor, text) VALUES ($1, $2, $3, $4, $5, $6)',
        [botId, document.id, ordinal, JSON.stringify(passage.headings), passage.anchor, passage.text],
      ),
    ),
  )
}

async function raiseVersion(tx: Queries, botId: string): Promise<number> {
  const [row] = await tx.query<{ knowledge_version: number }>(
    'UPDATE bots SET knowledge_version = knowledge_version + 1 WHERE id = $1 RETURNING knowledge_version',
    [botId],
  )
  return row?.knowledge_version ?? 0
}

function fromRow(row: DocumentRow): DocumentRecord {
  return {
    id: row.id,
    title: row.title,
    url: row.url,
    language: row.language,
    format: row.format,
    passageCount: row.passage_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function fromPassageRow(row: PassageRow): PassageRecord {
  return {
    documentId: row.document_id,
    ordinal: row.ordinal,
    headings: JSON.parse(row.headings),
    anchor: row.anchor,
    text: row.text,
    title: row.title,
    url: row.url,
    language: row.language,
  }
}
