// Blocks into passages of about 120 words, each under its heading path. A passage never crosses a heading.
import { sentences } from '../language/sentences.ts'
import type { StoredPassage } from '../storage/documents.ts'
import type { Block } from './document-blocks.ts'

const TARGET_WORDS = 120
const LONGEST_WORDS = 180

export function splitPassages(blocks: Block[], title: string, language: string): StoredPassage[] {
  const passages: StoredPassage[] = []
  const path: { level: number; text: string; anchor: string | null }[] = []
  let texts: string[] = []
  let size = 0

  function endPassage() {
    if (texts.length > 0) {
      const headings = path.map((heading) => heading.text).filter((text, index) => index > 0 || text !== title)
      passages.push({ headings, anchor: path.at(-1)?.anchor ?? null, text: texts.join('\n') })
    }
    texts = []
    size = 0
  }

  for (const block of blocks) {
    if (block.kind === 'heading') {
      endPassage()
      while ((path.at(-1)?.level ?? 0) >= block.level) path.pop()
      path.push(block)
      continue
    }
    for (const piece of pieces(block.text, language)) {
      const length = countWords(piece)
      if (size > 0 && size + length > TARGET_WORDS) endPassage()
      texts.push(piece)
      size += length
    }
  }
  endPassage()
  return passages
}

/** A block too long for one passage is cut between its lines or, within a line, between its sentences. */
function pieces(text: string, language: string): string[] {
  if (countWords(text) <= LONGEST_WORDS) return [text]
  const lines = text.split('\n')
  if (lines.length > 1)
    return gather(
      lines.flatMap((line) => pieces(line, language)),
      '\n',
    )
  return gather(sentences(text, language).flatMap(chunks), ' ')
}

function gather(parts: string[], glue: string): string[] {
  const gathered: string[] = []
  let size = 0
  for (const part of parts) {
    const length = countWords(part)
    if (gathered.length > 0 && size + length <= TARGET_WORDS) {
      gathered[gathered.length - 1] += glue + part
      size += length
    } else {
      gathered.push(part)
      size = length
    }
  }
  return gathered
}

/** A "sentence" without end, as in minified or unpunctuated text, is cut by length. */
function chunks(sentence: string): string[] {
  const limit = LONGEST_WORDS * 8
  if (sentence.length <= limit) return [sentence]
  return Array.from({ length: Math.ceil(sentence.length / limit) }, (_, i) =>
    sentence.slice(i * limit, (i + 1) * limit),
  )
}

/** Words by spaces; in scripts without them, two characters count as a word. */
function countWords(text: string): number {
  const spaced = text.split(/\s+/).length
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu)?.length ?? 0
  return spaced + Math.floor(dense / 2)
}
