import { isPairwise } from './scripts.ts'

const SIZE = 4

/** Character n-grams of a folded word with marked edges, "_card_" → _car card ard_; pairs for dense scripts. */
export function grams(word: string): string[] {
  if (isPairwise(word)) return word.length < 2 ? [word] : [...slices(word, 2), ...word]
  return word.length < SIZE - 1 ? [`_${word}_`] : slices(`_${word}_`, SIZE)
}

function slices(text: string, length: number): string[] {
  const gramList: string[] = []
  for (let i = 0; i + length <= text.length; i++) gramList.push(text.slice(i, i + length))
  return gramList
}
