import { type Database, first } from './database.ts'

interface VectorsToStore {
  id: string
  /** As read: questions written in the meantime raise only the version. */
  hash: string
  version: number
  vectors: Uint8Array
}

export type DocumentVectorsTable = ReturnType<typeof openDocumentVectorsTable>

export function openDocumentVectorsTable(database: Database) {
  return {
    /** Documents whose vectors of this model are missing or outdated. */
    async listMissing(botId: string, model: string, limit: number, after = '') {
      const rows = await database.query<{ id: string; hash: string; version: number }>(
        `SELECT d.id, d.hash, d.version FROM documents d
         LEFT JOIN document_vectors v ON v.bot_id = d.bot_id AND v.document_id = d.id AND v.model = $2 AND v.outdated = 0
         WHERE d.bot_id = $1 AND d.passage_count > 0 AND v.document_id IS NULL AND d.id > $4
         ORDER BY d.id LIMIT $3`,
        [botId, model, limit, after],
      )
      return rows
    },

    /** Documents without vectors after an id, counted up to a limit. */
    async countMissing(botId: string, model: string, limit: number, after = '') {
      const row = await first(
        database.query<{ n: number }>(
          `SELECT count(*) AS n FROM (
             SELECT 1 FROM documents d
             LEFT JOIN document_vectors v ON v.bot_id = d.bot_id AND v.document_id = d.id AND v.model = $2 AND v.outdated = 0
             WHERE d.bot_id = $1 AND d.passage_count > 0 AND v.document_id IS NULL AND d.id > $4 LIMIT $3) AS missing`,
          [botId, model, limit, after],
        ),
      )
      return row?.n ?? 0
    },

    /** Across all tenants: bots with documents that lack vectors. */
    async listBotsMissing(model: string) {
      const rows = await database.query<{ botId: string }>(
        `SELECT DISTINCT d.bot_id FROM documents d
         LEFT JOIN document_vectors v ON v.bot_id = d.bot_id AND v.document_id = d.id AND v.model = $1 AND v.outdated = 0
         WHERE d.passage_count > 0 AND v.document_id IS NULL`,
        [model],
      )
      return rows.map((row) => row.botId)
    },

    /**
     * Stores vectors of documents that have not changed since they were read, and raises the bot's knowledge version so
     * that every index picks them up.
     */
    async store(botId: string, model: string, documents: VectorsToStore[]) {
      await database.transaction(async (tx) => {
        const [row] = await tx.query<{ knowledgeVersion: number }>(
          'UPDATE bots SET knowledge_version = knowledge_version + 1 WHERE id = $1 RETURNING knowledge_version',
          [botId],
        )
        for (const { id, hash, version, vectors } of documents) {
          const same = await tx.query(
            `UPDATE documents SET version = $5 WHERE bot_id = $1 AND id = $2 AND hash = $3 AND version = $4 RETURNING id`,
            [botId, id, hash, version, row?.knowledgeVersion ?? 0],
          )
          if (same.length === 0) continue
          await tx.query(
            `INSERT INTO document_vectors (bot_id, document_id, model, vectors) VALUES ($1, $2, $3, $4)
             ON CONFLICT (bot_id, document_id) DO UPDATE SET model = $3, vectors = $4, outdated = 0`,
            [botId, id, model, vectors],
          )
        }
      })
    },

    async find(botId: string, documentId: string, model: string): Promise<Uint8Array | undefined> {
      const row = await first(
        database.query<{ vectors: Uint8Array }>(
          `SELECT vectors FROM document_vectors
           WHERE bot_id = $1 AND document_id = $2 AND model = $3 AND outdated = 0`,
          [botId, documentId, model],
        ),
      )
      return row?.vectors
    },

    async countPassages(botId: string, model: string): Promise<number> {
      const row = await first(
        database.query<{ passages: number }>(
          `SELECT coalesce(sum(d.passage_count), 0) AS passages FROM document_vectors v
           JOIN documents d ON d.bot_id = v.bot_id AND d.id = v.document_id WHERE v.bot_id = $1 AND v.model = $2`,
          [botId, model],
        ),
      )
      return row?.passages ?? 0
    },
  }
}
