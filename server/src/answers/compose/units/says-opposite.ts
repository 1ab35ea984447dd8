// A sentence can share nearly every word with a question and still not answer it, if one of them negates or reverses
// what the other says.
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

/** Whether the sentence has the opposite of a word in the question, but not the word itself. */
export function saysOpposite(question: string, sentence: string): boolean {
  const held = wordsOf(sentence)
  for (const word of wordsOf(question)) {
    if (!held.has(word) && opposites.get(word)?.some((other) => held.has(other))) return true
  }
  return false
}
