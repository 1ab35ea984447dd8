// Details of passages that search already found.

import { documentsHolding, inverseFrequency } from '../query/scoring.ts'
import { hasWord } from '../query/similar-stems.ts'
import { hash53 } from './hash.ts'
import type { Hit } from './passage.ts'
import type { PassageIndex } from './passage-index.ts'
import { leadingSentences, noStem } from './segment.ts'

/** Rarity of a stem among the passages: 0 in all of them, 1 in a single one; undefined in none. */
export function stemRarity(index: PassageIndex, stem: string): number | undefined {
  const holding = documentsHolding(index.segments, hash53(stem))
  if (holding === 0) return undefined
  const documents = index.segments.reduce((sum, segment) => sum + segment.ids.length, 0)
  return inverseFrequency(documents, holding) / inverseFrequency(documents, 1)
}

/** Whether the passages contain this exact folded word, not just another form. */
export function isWritten(index: PassageIndex, word: string): boolean {
  return index.segments.some((segment) => hasWord(segment, word))
}

/** The distinct stems of a passage's text, without title and headings, as `stemKey` numbers. */
export function passageStems(index: PassageIndex, { position: { segment: s, doc } }: Hit): ReadonlySet<number> {
  const stems = new Set<number>()
  const segment = index.segments[s]!
  const from = segment.tokenStart[segment.sentenceStart[doc]! + leadingSentences]!
  const to = segment.tokenStart[segment.sentenceStart[doc + 1]!]!
  for (let at = from; at < to; at++) {
    const stem = segment.surfaceStems[segment.tokens[at]!]!
    if (stem !== noStem) stems.add(segment.stemKeys[stem]!)
  }
  return stems
}

export const stemKey = hash53

/** Whether a passage already has its vector. */
export function isEmbedded(index: PassageIndex, { position: { segment, doc } }: Hit): boolean {
  return (index.segments[segment]!.passageScales[doc] ?? 0) > 0
}
