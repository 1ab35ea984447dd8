import { fold, normalise } from '../../language/fold.ts'
import type { Term } from '../types.ts'
import { namesByCapital } from './units/answer-type.ts'

const inside = /(?<=[\p{L}\p{N},;:)]\s+["“„'(]?)\p{Lu}[\p{L}\p{M}\p{N}'’-]*/gu

/** Whether a term is a number or, judging by its capital within the question, a name. */
export function isNamedTerm(term: Term, question: string, language: string): boolean {
  if (/\p{N}/u.test(term.word)) return true
  if (!namesByCapital(language)) return false
  return (question.match(inside) ?? []).some((name) => fold(normalise(name)).split(/['’-]/).includes(term.word))
}
