// Documents and passages, as records and as table rows.
import type { Row } from '../database.ts'

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

/** A passage with the fields of its document that search needs. */
export interface PassageRecord extends StoredPassage {
  documentId: string
  ordinal: number
  title: string
  url: string | null
  language: string
  /** Written by the bot's language model to help find the passage; never shown. */
  questions: string[]
}

export interface ChangedDocument {
  id: string
  passages: PassageRecord[]
  /** Null until computed, or when the document has none. */
  vectors: { model: string; data: Uint8Array } | null
}

/** A position among the passages of a bot, ordered by document and ordinal. */
export interface PassagePlace {
  documentId: string
  ordinal: number
}

/** A page of changed documents. The last may continue on the next page, the first may continue from the previous one. */
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
