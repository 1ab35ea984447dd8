// Cleans text from a feed: removes markup, collapses spaces and limits its length.
import { textOfBlocks } from '../../../sources/documents/document-blocks.ts'
import { parseHtml } from '../../../sources/html/parse-html.ts'

// No description needs more markup than this.
const LONGEST_MARKUP = 200_000
const MARKUP = /<[a-z!/]|&(#\d+|#x[\da-f]+|[a-z]+\d*);/i

export interface CleanText {
  text: string
  wasCut: boolean
}

export function cleanText(given: string, most: number): CleanText {
  const raw = given.length > LONGEST_MARKUP ? given.slice(0, LONGEST_MARKUP) : given
  const text = MARKUP.test(raw) ? textOfHtml(raw) : tidyLines(raw)
  const wasCut = text.length > most || raw.length < given.length
  return { text: text.length > most ? cutAtWord(text, most) : text, wasCut }
}

/** The same on one line. */
export function cleanLine(given: string, most: number): CleanText {
  const { text, wasCut } = cleanText(given, most)
  return { text: /[\n\t]/.test(text) ? text.replace(/\s+/g, ' ') : text, wasCut }
}

function textOfHtml(markup: string): string {
  return textOfBlocks(parseHtml(markup)).trim()
}

function tidyLines(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed
  const plain = /[\u0000-\u0009\u000b-\u001f\u007f\u00a0]|\s\s/.test(text)
    ? text
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed
        .replace(/[\u0000-\u0008\u000e-\u001f\u007f]/g, '')
        .replace(/[^\S\n]+/g, ' ')
        .replace(/ ?\n\s*/g, '\n')
    : text
  return plain.trim()
}

function cutAtWord(text: string, most: number): string {
  const cut = text.slice(0, most - 1)
  const space = cut.lastIndexOf(' ')
  return `${(space > most * 0.8 ? cut.slice(0, space) : cut).toWellFormed().trimEnd()}…`
}
