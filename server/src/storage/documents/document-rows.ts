// A document and its passages as the others know them, and as the tables have them.
import type { Row } from '../database.ts'

export type DocumentFormat = 'text' | 'markdown' | 'html'

export interface DocumentRecord {
  id: string
  title: string
  url: string | null
  language: string
  format: DocumentFormat
  /** The crawl that brought it, or the file of the export that it is a page of. */
  crawlId: string | null
  passageCount: number
  createdAt: number
  updatedAt: number
}

export interface DocumentToStore extends DocumentRecord {
  content: string
  hash: string
  passages: StoredPassage[]
  /** Which version of the parser made the passages. */
  parserVersion: number
}

/** A document whose passages an earlier parser made. */
export type OutdatedDocument = Pick<DocumentToStore, 'id' | 'title' | 'language' | 'format' | 'content' | 'hash'> & {
  botId: string
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
  /** Written by the bot's language model: phrasings by which it is found, never shown. */
  questions: string[]
}

export interface ChangedDocument {
  id: string
  passages: PassageRecord[]
  /** Absent while they are still being computed, or when the document has none. */
  vectors: { model: string; data: Uint8Array } | null
}

/** A place among the passages of a bot, which are in the order of documents and ordinals. */
export interface PassagePlace {
  documentId: string
  ordinal: number
}

/** Some changed documents. The last may go on at the next place, the first may be the rest of one. */
export interface ChangedPassages {
  documents: ChangedDocument[]
  next: PassagePlace | null
}

export interface DocumentRow extends Row {
  id: string
  title: string
  url: string | null
  language: string
  format: DocumentFormat
  crawl_id: string | null
  passage_count: number
  created_at: number
  updated_at: number
}

export interface PassageRow extends Row {
  document_id: string
  ordinal: number
  headings: string
  anchor: string | null
  text: string
  questions: string | null
  title: string
  url: string | null
  language: string
}

export const passageColumns =
  'p.document_id, p.ordinal, p.headings, p.anchor, p.text, p.questions, d.title, d.url, d.language'
export const summary = 'id, title, url, language, format, crawl_id, passage_count, created_at, updated_at'

export function fromRow(row: DocumentRow): DocumentRecord {
  return {
    id: row.id,
    title: row.title,
    url: row.url,
    language: row.language,
    format: row.format,
    crawlId: row.crawl_id,
    passageCount: row.passage_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export function fromPassageRow(row: PassageRow): PassageRecord {
  return {
    documentId: row.document_id,
    ordinal: row.ordinal,
    headings: JSON.parse(row.headings),
    anchor: row.anchor,
    text: row.text,
    title: row.title,
    url: row.url,
    language: row.language,
    questions: row.questions === null ? [] : JSON.parse(row.questions),
  }
}
