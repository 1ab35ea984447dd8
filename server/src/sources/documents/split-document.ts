// Splits a document's content into passages, by its format.

import { sentences } from '../../language/sentences.ts'
import type { DocumentFormat, StoredPassage } from '../../storage/documents.ts'
import { parseHtml } from '../html/parse-html.ts'
import type { Block, ParseDocument } from './document-blocks.ts'
import { parseMarkdown } from './parse-markdown.ts'

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

// Splits blocks into passages of about 120 words, or one long paragraph, each with its heading path. Never crosses
// a heading.
const TARGET_WORDS = 120
// Only longer paragraphs are split: halves are found less well than the whole (lab/reports/quality-details.md).
const LONGEST_WORDS = 280
const LONGEST_CHARACTERS = 2000
const LONGEST_PIECE_CHARACTERS = 1800
// Table rows may be longer, since half a row means little.
const LONGEST_ROW_CHARACTERS = 3000
// Every passage stores its headings.
const LONGEST_HEADING_CHARACTERS = 200

export function splitPassages(blocks: Block[], title: string, language: string): StoredPassage[] {
  const passages: StoredPassage[] = []
  const path: { level: number; text: string; anchor: string | null }[] = []
  let texts: string[] = []
  let size = 0
  let characters = 0

  function endPassage() {
    if (texts.length > 0) {
      const headings = path.map((heading) => heading.text).filter((text, index) => index > 0 || text !== title)
      // The top of a page needs no anchor.
      const anchor = headings.length > 0 ? (path.at(-1)?.anchor ?? null) : null
      passages.push({ headings, anchor, text: texts.join('\n') })
    }
    texts = []
    size = 0
    characters = 0
  }

  for (const block of blocks) {
    if (block.kind === 'end' && (path.at(-1)?.level ?? 0) < block.level) continue
    if (block.kind !== 'text') {
      endPassage()
      while ((path.at(-1)?.level ?? 0) >= block.level) path.pop()
      if (block.kind === 'heading') path.push(shortHeading(block))
      continue
    }
    for (const piece of pieces(block.text, language)) {
      const length = countWords(piece)
      if (size > 0 && !fits(size + length, characters + piece.length)) endPassage()
      texts.push(piece)
      size += length
      characters += piece.length + 1
    }
  }
  endPassage()
  return passages
}

function shortHeading<T extends { text: string; anchor: string | null }>(heading: T): T {
  const { text, anchor } = heading
  return {
    ...heading,
    text: text.slice(0, LONGEST_HEADING_CHARACTERS).toWellFormed(),
    anchor: anchor && anchor.length > LONGEST_HEADING_CHARACTERS ? null : anchor,
  }
}

function fits(words: number, characters: number): boolean {
  return words <= TARGET_WORDS && characters <= LONGEST_CHARACTERS
}

/** Splits a block too long for one passage between lines or, within a line, between sentences. */
function pieces(text: string, language: string): string[] {
  if (text.length <= LONGEST_CHARACTERS && countWords(text) <= LONGEST_WORDS) return [text]
  const lines = text.split('\n')
  if (lines.length > 1)
    return gather(
      lines.flatMap((line) => pieces(line, language)),
      '\n',
    )
  const limit = /^\s*([-|]|\d+[.)]\s)/.test(text) ? LONGEST_ROW_CHARACTERS : LONGEST_PIECE_CHARACTERS
  return gather(
    sentences(text, language)
      .map(({ start, end }) => text.slice(start, end))
      .flatMap((sentence) => chunks(sentence, limit)),
    ' ',
  )
}

function gather(parts: string[], glue: string): string[] {
  const combinedParts: string[] = []
  let size = 0
  let characters = 0
  for (const part of parts) {
    const length = countWords(part)
    if (combinedParts.length > 0 && fits(size + length, characters + part.length)) {
      combinedParts[combinedParts.length - 1] += glue + part
      size += length
      characters += part.length + 1
    } else {
      combinedParts.push(part)
      size = length
      characters = part.length + 1
    }
  }
  return combinedParts
}

/** Splits an endless "sentence", as in minified or unpunctuated text, by length, between words if possible. */
function chunks(sentence: string, limit: number): string[] {
  const parts: string[] = []
  let start = 0
  while (sentence.length - start > limit) {
    const most = sentence.slice(start, start + limit)
    const space = most.lastIndexOf(' ')
    // Do not split a surrogate pair.
    const whole = /[\uD800-\uDBFF]$/.test(most) ? limit - 1 : limit
    const end = start + (space > limit / 2 ? space : whole)
    parts.push(sentence.slice(start, end).trim())
    start = end
  }
  return [...parts, sentence.slice(start).trim()].filter(Boolean)
}

/** Counts words by spaces; in scripts without them, two characters count as a word. */
function countWords(text: string): number {
  const spacedWords = text.split(/\s+/).length
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu)?.length ?? 0
  return spacedWords + Math.floor(dense / 2)
}
