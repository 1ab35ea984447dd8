import { isPairwise } from './scripts.ts'

const size = 4

/** Character n-grams of a folded word with marked edges, "_card_" → _car card ard_; pairs for dense scripts. */
export function grams(word: string): string[] {
  if (isPairwise(word)) return word.length < 2 ? [word] : [...slices(word, 2), ...word]
  return word.length < size - 1 ? [`_${word}_`] : slices(`_${word}_`, size)
}

function slices(text: string, length: number): string[] {
  const found: string[] = []
  for (let i = 0; i + length <= text.length; i++) found.push(text.slice(i, i + length))
  return found
}
