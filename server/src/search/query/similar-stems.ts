import { grams } from '../../language/grams.ts'
import { isPairwise } from '../../language/scripts.ts'
import { stem } from '../../language/stem.ts'
import { hash53 } from '../index/hash.ts'
import { findKey } from '../index/key-table.ts'
import { noStem, type Segment } from '../index/segment.ts'

// A word unknown to the bot is either misspelt ("cadr") or another form ("Lieferungskosten"): single typos are found by
// trying all of them, other forms by shared n-grams.

const maxSimilar = 6
const minShared = 0.5
const slipWeight = 0.8
const longestSlipped = 12
const latin = [...'abcdefghijklmnopqrstuvwxyz']

export interface SimilarStem {
  stem: number
  weight: number
}

/** Stems of a segment that an unknown folded word may mean. */
export function similarStems(segment: Segment, word: string, language: string): SimilarStem[] {
  const found = new Map<number, number>()
  if (/^[a-z]+$/.test(word) && word.length > 3 && word.length <= longestSlipped) {
    for (const number of slipped(segment, word, language)) found.set(number, slipWeight)
  }
  for (const { stem: number, weight } of byGrams(segment, word)) {
    if (weight > (found.get(number) ?? 0)) found.set(number, weight)
  }
  return [...found]
    .map(([number, weight]) => ({ stem: number, weight }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, maxSimilar)
}

/** Whether the segment's texts contain this exact folded word. */
export function hasWord(segment: Segment, word: string): boolean {
  return byGrams(segment, word).some(({ weight }) => weight === 1)
}

/** No generators: hundreds of spellings are tried for every unknown word. */
function slipped(segment: Segment, word: string, language: string): number[] {
  const found: number[] = []
  const look = (candidate: string) => {
    const number = findKey(segment.stemTable, segment.stemKeys, hash53(candidate))
    if (number >= 0) found.push(number)
  }
  // Deletions and swaps are few, so each result is stemmed; replacements and insertions number in the hundreds, so only
  // the stem is varied.
  for (let i = 0; i < word.length; i++) {
    look(stem(word.slice(0, i) + word.slice(i + 1), language))
    if (i + 1 < word.length) look(stem(word.slice(0, i) + word[i + 1] + word[i] + word.slice(i + 2), language))
  }
  const whole = stem(word, language)
  for (let i = 0; i <= whole.length; i++) {
    const before = whole.slice(0, i)
    const from = whole.slice(i)
    const after = whole.slice(i + 1)
    for (const letter of latin) {
      if (i < whole.length) look(before + letter + after)
      look(before + letter + from)
    }
  }
  return found
}

function byGrams(segment: Segment, word: string): SimilarStem[] {
  // One shared bigram is not enough.
  if (word.length < 4 || isPairwise(word)) return []
  const own = grams(word)
  const shared = new Map<number, number>()
  for (const gram of own) {
    const number = findKey(segment.gramTable, segment.gramKeys, hash53(gram))
    if (number < 0) continue
    for (let at = segment.gramStart[number]!; at < segment.gramStart[number + 1]!; at++) {
      const surface = segment.gramSurfaces[at]!
      shared.set(surface, (shared.get(surface) ?? 0) + 1)
    }
  }
  const found: SimilarStem[] = []
  for (const [surface, count] of shared) {
    const number = segment.surfaceStems[surface]!
    const weight = (2 * count) / (own.length + segment.surfaceGrams[surface]!)
    if (number !== noStem && weight >= minShared) found.push({ stem: number, weight })
  }
  return found
}
