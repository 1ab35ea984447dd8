import { type Database, first, type Queries, type Stored } from './database.ts'
import { type ListQuery, listOrdered } from './lists.ts'
import { derivePassageId, type KnownPassage, matchPassages } from './match-passages.ts'

export type DocumentFormat = 'text' | 'markdown' | 'html'

export interface DocumentRecord {
  id: string
  title: string
  url: string | null
  language: string
  format: DocumentFormat
  /** The crawl that found it, or the export file that contains it. */
  crawlId: string | null
  passageCount: number
  createdAt: number
  updatedAt: number
}

export interface DocumentToStore extends DocumentRecord {
  content: string
  hash: string
  passages: StoredPassage[]
  /** Parser version that made the passages. */
  parserVersion: number
}

/** A document whose passages come from an older parser. */
export type OutdatedDocument = Pick<DocumentToStore, 'id' | 'title' | 'language' | 'format' | 'content' | 'hash'> & {
  botId: string
}

export interface StoredPassage {
  headings: string[]
  anchor: string | null
  text: string
}

/** A passage with the fields of its document that search needs. Its text is the corrected one, if it was corrected. */
export interface PassageRecord extends StoredPassage {
  documentId: string
  ordinal: number
  /** Stays when its page changes. */
  passageId: string
  /** Its text on the page. */
  pageText: string
  /** Never used in answers. */
  isExcluded: boolean
  title: string
  url: string | null
  language: string
  /** Phrasings that help to find it, by people and by the bot's language model; never shown to visitors. */
  questions: string[]
  /** Of its document. */
  updatedAt: number
}

export interface ChangedDocument {
  id: string
  passages: PassageRecord[]
  /** Null until computed, or when the document has none. */
  vectors: { model: string; data: Uint8Array } | null
}

/** A position among the passages of a bot, ordered by document and ordinal. */
export interface PassagePosition {
  documentId: string
  ordinal: number
}

/** A page of changed documents. The last may continue on the next page, the first may continue from the previous one. */
interface ChangedPassages {
  documents: ChangedDocument[]
  next: PassagePosition | null
}

export interface PassageRow extends Stored<Omit<PassageRecord, 'questions' | 'passageId' | 'pageText' | 'isExcluded'>> {
  passageId: string | null
  /** Null: none have been generated. */
  questions: string | null
  /** Null: nobody has edited the passage. */
  editId: string | null
  correctedText: string | null
  excluded: number | null
  phrasings: string | null
}

export const PASSAGE_COLUMNS = `p.document_id, p.ordinal, p.passage_id, p.headings, p.anchor, p.text, p.questions,
  e.id AS edit_id, e.text AS corrected_text, e.excluded, e.phrasings, d.title, d.url, d.language, d.updated_at`
/** What people did with the passage `p`. */
export const PASSAGE_EDITS = `LEFT JOIN passage_edits e
  ON e.bot_id = p.bot_id AND e.document_id = p.document_id AND e.ordinal = p.ordinal`
const SUMMARY_COLUMNS = 'id, title, url, language, format, crawl_id, passage_count, created_at, updated_at'

export function fromPassageRow(row: PassageRow): PassageRecord {
  const { editId, correctedText, excluded, phrasings, passageId: storedId, ...passage } = row
  const headings: string[] = JSON.parse(row.headings)
  const passageId = storedId ?? derivePassageId({ headings, text: row.text })
  // A node of an earlier version stores a document without moving its edits.
  const isEdited = editId === passageId
  return {
    ...passage,
    headings,
    passageId,
    text: (isEdited ? correctedText : null) ?? row.text,
    pageText: row.text,
    isExcluded: isEdited && excluded === 1,
    questions: [...listOf(isEdited ? phrasings : null), ...listOf(row.questions)],
  }
}

/** Null: empty. */
function listOf(json: string | null): string[] {
  return json === null ? [] : JSON.parse(json)
}

// With all their passages; others run between batches.
const DOCUMENTS_AT_ONCE = 200
const PASSAGES_AT_ONCE = 100

export type DocumentsTable = ReturnType<typeof openDocumentsTable>

export function openDocumentsTable(database: Database) {
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

    /** Stores documents, replacing those with the same ids. Returns the new knowledge version. */
    store: (botId: string, documents: DocumentToStore[]) =>
      database.transaction(async (tx) => {
        const version = await incrementVersion(tx, botId)
        for (const document of documents) await storeOne(tx, botId, document, version)
        return version
      }),

    /** Across all tenants: documents whose passages come from an older parser. */
    listOutdated: (parserVersion: number, limit: number) =>
      database.query<OutdatedDocument>(
        `SELECT bot_id, id, title, language, format, content, hash FROM documents WHERE parser_version < $1 LIMIT $2`,
        [parserVersion, limit],
      ),

    async markParsed(botId: string, id: string, parserVersion: number) {
      await database.write('UPDATE documents SET parser_version = $3 WHERE bot_id = $1 AND id = $2', [
        botId,
        id,
        parserVersion,
      ])
    },

    /** Replaces the passages of a document unless it has changed since it was split. */
    storeSplit: ({ botId, id, hash }: OutdatedDocument, passages: StoredPassage[], parserVersion: number) =>
      database.transaction(async (tx) => {
        const version = await incrementVersion(tx, botId)
        const same = await tx.query(
          `UPDATE documents SET version = $4, passage_count = $5, parser_version = $6
           WHERE bot_id = $1 AND id = $2 AND hash = $3 RETURNING id`,
          [botId, id, hash, version, passages.length, parserVersion],
        )
        if (same.length === 0) return
        const before = await removePassages(tx, botId, id)
        await insertPassages(tx, botId, id, passages, before)
      }),

    /** Returns the new knowledge version, or null when there was no such document (of this crawl, if given). */
    remove: (botId: string, id: string, crawlId?: string) =>
      database.transaction(async (tx) => {
        // Lock the bot's row first, as everywhere: a different order could deadlock.
        const version = await incrementVersion(tx, botId)
        const removedDocuments = await tx.query<{ id: string }>(
          `DELETE FROM documents WHERE bot_id = $1 AND id = $2 ${crawlId ? 'AND crawl_id = $3' : ''} RETURNING id`,
          crawlId ? [botId, id, crawlId] : [botId, id],
        )
        await recordRemovals(tx, botId, version, removedDocuments)
        return removedDocuments.length === 0 ? null : version
      }),

    /** A crawl with all its documents. */
    removeCrawl: (botId: string, crawlId: string) =>
      database.transaction(async (tx) => {
        const version = await incrementVersion(tx, botId)
        await tx.query('DELETE FROM crawls WHERE bot_id = $1 AND id = $2', [botId, crawlId])
        await removeOrigin(tx, botId, version, crawlId)
      }),

    /** Returns the document, or undefined if there is none. */
    markReviewed: (botId: string, id: string, now: number) =>
      first(
        database.write<{ id: string; title: string }>(
          'UPDATE documents SET reviewed_at = $3 WHERE bot_id = $1 AND id = $2 RETURNING id, title',
          [botId, id, now],
        ),
      ),

    /** Those that have not changed since somebody confirmed them. */
    async listReviewed(botId: string): Promise<string[]> {
      const rows = await database.query<{ id: string }>(
        'SELECT id FROM documents WHERE bot_id = $1 AND reviewed_at IS NOT NULL AND reviewed_at >= updated_at',
        [botId],
      )
      return rows.map(({ id }) => id)
    },

    /** Those that no website keeps up to date and nobody has changed or confirmed since, oldest first. */
    listOld: (botId: string, before: number) =>
      database.query<Pick<DocumentRecord, 'id' | 'title' | 'url' | 'updatedAt'>>(
        `SELECT id, title, url, updated_at FROM documents
         WHERE bot_id = $1 AND updated_at < $2 AND crawl_id IS NULL
           AND (reviewed_at IS NULL OR reviewed_at < updated_at) ORDER BY updated_at, id LIMIT 1000`,
        [botId, before],
      ),

    async exists(botId: string, id: string): Promise<boolean> {
      const rows = await database.query('SELECT 1 AS one FROM documents WHERE bot_id = $1 AND id = $2', [botId, id])
      return rows.length > 0
    },

    find: (botId: string, id: string) =>
      first(
        database.queryLarge<DocumentRecord & { content: string }>(
          `SELECT ${SUMMARY_COLUMNS}, content FROM documents WHERE bot_id = $1 AND id = $2`,
          [botId, id],
        ),
      ),

    list: (botId: string, listQuery: ListQuery) => listDocuments(database, botId, listQuery),

    async knowledgeVersion(botId: string) {
      const row = await first(
        database.query<{ knowledgeVersion: number }>('SELECT knowledge_version FROM bots WHERE id = $1', [botId]),
      )
      return row?.knowledgeVersion ?? 0
    },

    /** Passages of documents changed after a version, by document and ordinal, from a position on. */
    async listChanged(botId: string, since: number, after: PassagePosition, limit: number): Promise<ChangedPassages> {
      const rows = await database.query<
        PassageRow & { changedId: string; vectors: Uint8Array | null; model: string | null }
      >(
        `SELECT d.id AS changed_id, ${PASSAGE_COLUMNS}, v.vectors, v.model FROM documents d
         LEFT JOIN passages p ON p.bot_id = d.bot_id AND p.document_id = d.id
         ${PASSAGE_EDITS}
         LEFT JOIN document_vectors v ON v.bot_id = d.bot_id AND v.document_id = d.id AND p.ordinal = 0
         WHERE d.bot_id = $1 AND d.version > $2 AND d.id >= $3 AND (d.id > $3 OR p.ordinal > $4)
         ORDER BY d.id, p.ordinal LIMIT $5`,
        [botId, since, after.documentId, after.ordinal, limit],
      )
      const last = rows.at(-1)
      const next = last && rows.length === limit ? { documentId: last.changedId, ordinal: last.ordinal ?? 0 } : null
      const changedDocuments = new Map<string, ChangedDocument>()
      for (const row of rows) {
        const change = changedDocuments.get(row.changedId)
        if (change) {
          change.passages.push(fromPassageRow(row))
          continue
        }
        const vectors = row.vectors && row.model ? { model: row.model, data: row.vectors } : null
        // A document without text has no passages.
        const passages = row.documentId === null ? [] : [fromPassageRow(row)]
        changedDocuments.set(row.changedId, { id: row.changedId, passages, vectors })
      }
      return { documents: [...changedDocuments.values()], next }
    },

    /** Passages of one document, in order. */
    async listPassages(botId: string, documentId: string): Promise<PassageRecord[]> {
      const rows = await database.query<PassageRow>(
        `SELECT ${PASSAGE_COLUMNS} FROM passages p JOIN documents d ON d.bot_id = p.bot_id AND d.id = p.document_id
         ${PASSAGE_EDITS} WHERE p.bot_id = $1 AND p.document_id = $2 ORDER BY p.ordinal`,
        [botId, documentId],
      )
      return rows.map(fromPassageRow)
    },

    async listRemoved(botId: string, since: number): Promise<string[]> {
      const rows = await database.query<{ documentId: string }>(
        'SELECT document_id FROM document_removals WHERE bot_id = $1 AND version > $2',
        [botId, since],
      )
      return rows.map((row) => row.documentId)
    },

    /** In the order asked for; deleted and excluded passages are left out. */
    async findPassages(botId: string, refs: { documentId: string; ordinal: number }[]): Promise<PassageRecord[]> {
      const rowLists = await Promise.all(
        refs.map(({ documentId, ordinal }) =>
          database.query<PassageRow>(
            `SELECT ${PASSAGE_COLUMNS} FROM passages p JOIN documents d ON d.bot_id = p.bot_id AND d.id = p.document_id
             ${PASSAGE_EDITS}
             WHERE p.bot_id = $1 AND p.document_id = $2 AND p.ordinal = $3`,
            [botId, documentId, ordinal],
          ),
        ),
      )
      return rowLists
        .flat()
        .map(fromPassageRow)
        .filter(({ isExcluded }) => !isExcluded)
    },
  }
}

async function storeOne(tx: Queries, botId: string, document: DocumentToStore, version: number) {
  const before = await removePassages(tx, botId, document.id)
  await tx.query(
    `INSERT INTO documents
       (bot_id, id, title, url, language, format, content, hash, passage_count, created_at, updated_at, version,
        crawl_id, parser_version)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     ON CONFLICT (bot_id, id) DO UPDATE SET title = $3, url = $4, language = $5, format = $6, content = $7, hash = $8,
       passage_count = $9, updated_at = $11, version = $12, crawl_id = $13, parser_version = $14`,
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
      version,
      document.crawlId,
      document.parserVersion,
    ],
  )
  await insertPassages(tx, botId, document.id, document.passages, before)
}

interface PassagesBefore {
  known: KnownPassage[]
  /** Written by a language model, by section, so that unchanged sections keep them and are not paid for twice. */
  questions: Map<string, string | null>
  edits: { id: string }[]
}

type RemovedPassage = Pick<PassageRow, 'passageId' | 'headings' | 'text' | 'questions'> & { ordinal: number }

async function removePassages(tx: Queries, botId: string, id: string): Promise<PassagesBefore> {
  const removedPassages = await tx.query<RemovedPassage>(
    `DELETE FROM passages WHERE bot_id = $1 AND document_id = $2
     RETURNING ordinal, passage_id, headings, text, questions`,
    [botId, id],
  )
  await tx.query('DELETE FROM document_vectors WHERE bot_id = $1 AND document_id = $2', [botId, id])
  const edits = await tx.query<{ id: string; headings: string; pageText: string }>(
    'SELECT id, headings, page_text FROM passage_edits WHERE bot_id = $1 AND document_id = $2',
    [botId, id],
  )
  const editedIds = new Set(edits.map((edit) => edit.id))
  const passages = removedPassages.sort((a, b) => a.ordinal - b.ordinal).map((passage) => toKnown(passage, editedIds))
  // Of passages that were not on the page last time, only the edits are known.
  const presentIds = new Set(passages.map((passage) => passage.id))
  const missingPassages = edits
    .filter((edit) => !presentIds.has(edit.id))
    .map((edit) => ({ id: edit.id, headings: JSON.parse(edit.headings), text: edit.pageText, isEdited: true }))
  return {
    known: [...passages, ...missingPassages],
    questions: new Map(
      removedPassages.map((passage) => [sectionKey(passage.headings, passage.text), passage.questions]),
    ),
    edits,
  }
}

function toKnown({ passageId, headings, text }: RemovedPassage, editedIds: ReadonlySet<string>): KnownPassage {
  const content = { headings: JSON.parse(headings), text }
  const id = passageId ?? derivePassageId(content)
  return { id, ...content, isEdited: editedIds.has(id) }
}

async function insertPassages(
  tx: Queries,
  botId: string,
  id: string,
  passages: StoredPassage[],
  { known: knownPassages, questions, edits }: PassagesBefore,
) {
  const ids = matchPassages(knownPassages, passages)
  // Sent together: PostgreSQL pipelines them. In batches: SQLite lets others run in between.
  for (let from = 0; from < passages.length; from += PASSAGES_AT_ONCE) {
    await Promise.all(
      passages.slice(from, from + PASSAGES_AT_ONCE).map((passage, index) => insert(passage, from + index)),
    )
  }
  for (const edit of edits) {
    const place = ids.indexOf(edit.id)
    await tx.query('UPDATE passage_edits SET ordinal = $4 WHERE bot_id = $1 AND document_id = $2 AND id = $3', [
      botId,
      id,
      edit.id,
      place === -1 ? null : place,
    ])
  }

  function insert({ headings, anchor, text }: StoredPassage, ordinal: number) {
    const path = JSON.stringify(headings)
    const keptQuestions = questions.get(sectionKey(path, text)) ?? null
    const passageId = ids[ordinal] === derivePassageId({ headings, text }) ? null : (ids[ordinal] ?? null)
    return tx.query(
      `INSERT INTO passages (bot_id, document_id, ordinal, headings, anchor, text, questions, passage_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [botId, id, ordinal, path, anchor, text, keptQuestions, passageId],
    )
  }
}

function sectionKey(headings: string, text: string): string {
  return `${headings}\n${text}`
}

/** Removes all documents of a crawl or file, in batches. */
export async function removeOrigin(tx: Queries, botId: string, version: number, originId: string) {
  let removedDocuments: { id: string }[]
  do {
    removedDocuments = await tx.query<{ id: string }>(
      `DELETE FROM documents WHERE bot_id = $1 AND id IN (
         SELECT id FROM documents WHERE bot_id = $1 AND crawl_id = $2 LIMIT ${DOCUMENTS_AT_ONCE}
       ) RETURNING id`,
      [botId, originId],
    )
    await recordRemovals(tx, botId, version, removedDocuments)
  } while (removedDocuments.length === DOCUMENTS_AT_ONCE)
}

export async function recordRemovals(tx: Queries, botId: string, version: number, removedDocuments: { id: string }[]) {
  await Promise.all(
    removedDocuments.map(({ id }) =>
      tx.query(
        `INSERT INTO document_removals (bot_id, version, document_id) VALUES ($1, $2, $3)
         ON CONFLICT (bot_id, document_id) DO UPDATE SET version = excluded.version`,
        [botId, version, id],
      ),
    ),
  )
}

/** The bot's row, before anything is known to change; everywhere it is locked first, so that nothing deadlocks. */
export async function lockVersion(tx: Queries, botId: string) {
  await tx.query('UPDATE bots SET knowledge_version = knowledge_version WHERE id = $1', [botId])
}

export async function incrementVersion(tx: Queries, botId: string): Promise<number> {
  const [row] = await tx.query<{ knowledgeVersion: number }>(
    'UPDATE bots SET knowledge_version = knowledge_version + 1 WHERE id = $1 RETURNING knowledge_version',
    [botId],
  )
  return row?.knowledgeVersion ?? 0
}

/** Each sort order has its own index. */
async function listDocuments(database: Queries, botId: string, listQuery: ListQuery) {
  const source = {
    select: `SELECT ${SUMMARY_COLUMNS} FROM documents`,
    where: ['bot_id = $1'],
    values: [botId],
    searched: `lower(title || ' ' || coalesce(url, '') || ' ' || id)`,
    orders: { id: 'id', title: 'title', updated_at: 'updated_at' },
  }
  return listOrdered<DocumentRecord>(database, source, listQuery)
}
