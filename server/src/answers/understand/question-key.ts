// Gives questions that differ only in spelling one name: case, accents, punctuation, spaces, a greeting in front.
import { createHash } from 'node:crypto'
import { fold, normalise } from '../../language/fold.ts'
import { smallTalk } from './small-talk.ts'

// What is asked stands at the beginning. Cut before all else, so that a question that was cut for a list is still the same.
const LONGEST = 500
const DIGITS = 24

/** Null where there is not a letter or digit. */
export function questionKey(text: string): string | null {
  const plain = text.slice(0, LONGEST).replace(/\s+/g, ' ').trim()
  const folded = foldQuestion(smallTalk(plain)?.rest || plain)
  if (folded === '') return null
  return createHash('sha256').update(folded).digest('hex').slice(0, DIGITS)
}

function foldQuestion(text: string): string {
  return fold(normalise(text))
    .replace(/['`´]/g, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
}
