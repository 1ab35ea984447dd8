// Whole English words in the models' vocabulary, whose English part is ordered by frequency.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundledModel } from './model-files.ts'

const SHORTEST = 3
/** Pieces of other languages come after the English ones. */
const ENGLISH_PIECES = 30_522

/** Empty if the file is missing. */
export function readWordRanks(): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>()
  for (const [rank, token] of readVocabulary().slice(0, ENGLISH_PIECES).entries()) {
    if (token.length >= SHORTEST && /^[a-z]+$/.test(token)) ranks.set(token, rank)
  }
  return ranks
}

function readVocabulary(): string[] {
  try {
    return readFileSync(join(bundledModel('reader').dir, 'vocab.txt'), 'utf8').split('\n')
  } catch {
    return []
  }
}
