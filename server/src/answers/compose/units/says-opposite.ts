// A sentence can share nearly every word with a question and still not answer it, when one of them denies
// what the other says or turns it round.
import { inAnyLanguage } from '../../../language/languages.ts'

const denial = new RegExp(
  inAnyLanguage(({ sentences }) => sentences.denial),
  'iu',
)

export const denies = (text: string): boolean => denial.test(text)

const opposites = new Map<string, string[]>()
for (const pair of inAnyLanguage(({ sentences }) => sentences.opposites).split(/[ |]/)) {
  const [one = '', other = ''] = pair.split('/')
  opposites.set(one, [...(opposites.get(one) ?? []), other])
  opposites.set(other, [...(opposites.get(other) ?? []), one])
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/\p{L}+/gu))

/** Whether the sentence holds the opposite of a word of the question, and not the word itself. */
export function saysOpposite(question: string, sentence: string): boolean {
  const held = wordsOf(sentence)
  for (const word of wordsOf(question)) {
    if (!held.has(word) && opposites.get(word)?.some((other) => held.has(other))) return true
  }
  return false
}
