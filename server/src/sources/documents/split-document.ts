// Splits a document's content into passages, by its format.
import type { DocumentFormat, StoredPassage } from '../../storage/documents.ts'
import { parseHtml } from '../html/parse-html.ts'
import type { ParseDocument } from './document-blocks.ts'
import { parseMarkdown } from './parse-markdown.ts'
import { splitPassages } from './split-passages.ts'

/** Increase it when the same content gives different passages: existing documents are then split again. */
export const PARSER_VERSION = 4

const parsers: Record<DocumentFormat, ParseDocument> = {
  html: (content) => parseHtml(content),
  markdown: parseMarkdown,
  text: (content) => content.split(/\n\s*\n/).map((text) => ({ kind: 'text', text: text.trim() })),
}

export interface Content {
  format: DocumentFormat
  content: string
  title: string
  language: string
}

export function splitDocument({ format, content, title, language }: Content): StoredPassage[] {
  return splitPassages(parsers[format](content), title, language)
}
