import { normalise } from './fold.ts'
import { isSpaceless } from './scripts.ts'

// One regular expression gives the words Intl.Segmenter gives for spaced scripts, 2 to 6 times as fast in Latin script;
// underscores and dots between letters part words here, because attribute and file names are read part by part.
const spacedWord = /\p{L}[\p{L}\p{M}\p{N}]*(?:'\p{L}+)?|\p{N}+(?:[.,:]\p{N}+)*[\p{L}\p{M}\p{N}]*/gu
// Two small letters before the capital, so that "ageRange" is parted and "iPhone" is not.
// From the start of a word and within bounds, so that a page of letters costs no more than its length.
const camelWord = /(?<!\p{L})\p{L}{0,60}\p{Ll}{2}\p{Lu}\p{L}{0,60}/gu
const maybeCamel = /\p{Ll}{2}\p{Lu}/u
const camelEdge = /(?<=\p{Ll}{2})(?=\p{Lu})/u
// Stemmers take time with the square of the length, and nobody asks for longer words.
const longestWord = 64
const possessive = /'s?$/
const elision = /^(?:qu|[cdjlmnst]|jusqu|lorsqu|puisqu|dell|all|dall|nell|sull|un)'(?=\p{L})/u
const elidingLanguages = new Set(['fr', 'it', 'ca'])
const segmenters = new Map<string, Intl.Segmenter>()

/** The words of a text, normalised but not folded; parts of camelCase follow the whole. */
export function words(text: string, language = 'und'): string[] {
  const found: string[] = []
  // Hardly any text has such words, and the cheap look is ten times as fast as the search for them.
  const parted = maybeCamel.test(text)
    ? text.replace(camelWord, (word) => `${word} ${word.split(camelEdge).join(' ')}`)
    : text
  const plain = normalise(parted)
  if (isSpaceless(plain)) {
    for (const part of segmenterFor(language).segment(plain))
      if (part.isWordLike) found.push(part.segment.slice(0, longestWord))
    return found
  }
  for (const [word] of plain.matchAll(spacedWord)) found.push(trimApostrophe(word.slice(0, longestWord), language))
  return found
}

// "shop's" is found by "shop" and "l'hôtel" by "hôtel"; "don't" stays whole.
function trimApostrophe(word: string, language: string): string {
  if (!word.includes("'")) return word
  return elidingLanguages.has(language) ? word.replace(elision, '') : word.replace(possessive, '')
}

function segmenterFor(language: string): Intl.Segmenter {
  let segmenter = segmenters.get(language)
  if (!segmenter) {
    segmenter = new Intl.Segmenter(language, { granularity: 'word' })
    segmenters.set(language, segmenter)
  }
  return segmenter
}

/** A word as it was written, with what the rules for follow-up questions need to know. */
export interface WrittenWord {
  /** Lower case, NFKC. */
  word: string
  surface: string
  /** Capitalised where the position does not ask for it, so probably a name. */
  name: boolean
  /** First word of a sentence. */
  opens: boolean
}

const writtenWord = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}]+)?/gu

export function writtenWords(text: string): WrittenWord[] {
  const normal = text.normalize('NFKC').replaceAll('’', "'")
  const found = isSpaceless(normal)
    ? segmented(normal)
    : [...normal.matchAll(writtenWord)].map((m) => ({ surface: m[0], at: m.index }))
  // In a text without lower case (or one without capitals) capitals say nothing.
  const tellsNames = /\p{Ll}{2}/u.test(normal)
  return found.map(({ surface, at }) => {
    const before = normal.slice(Math.max(0, at - 3), at).trimEnd()
    const opens = at === 0 || (before === '' && at < 3) || /[.!?:"“„«(]$/.test(before)
    return { word: surface.toLowerCase(), surface, opens, name: tellsNames && !opens && /^\p{Lu}/u.test(surface) }
  })
}

function segmented(text: string): { surface: string; at: number }[] {
  return [...segmenterFor('ja').segment(text)]
    .filter((segment) => segment.isWordLike)
    .map(({ segment, index }) => ({ surface: segment, at: index }))
}
