// What kind of thing a question asks for, and whether a sentence has one that is not already in the question.
import { fold, normalise } from '../../language/fold.ts'
import { byLanguage, inAnyLanguage, patternByLanguage } from '../../language/languages.ts'
import type { AnswerKind } from '../../language/schema.ts'

export type AnswerType = AnswerKind | 'other'

const patterns = byLanguage(({ questions }) =>
  Object.entries(questions.answerTypes ?? {}).map(
    ([type, source]) => [type as AnswerKind, new RegExp(source, 'iu')] as const,
  ),
)

export function answerType(question: string, language: string): AnswerType {
  for (const [type, pattern] of patterns(language) ?? []) if (pattern.test(question)) return type
  return 'other'
}

function inSentence(kind: 'number' | 'time' | 'reason'): RegExp {
  return new RegExp(
    inAnyLanguage(({ sentences }) => sentences[kind]),
    'iu',
  )
}

const FIGURE = /\p{N}+(?:[.,:]\p{N}+)*/gu
const numberWord = inSentence('number')
const timeWord = inSentence('time')
const reasonWord = inSentence('reason')
const CAPITALISED = /(?<=\p{Ll}[\p{L}]*[,;:]?\s(?:["“„(]\s?)?)\p{Lu}[\p{L}\p{M}'’-]+/gu
// German capitalises all nouns and some scripts have no capitals, so names cannot be recognised there.
export const namesByCapital = (language: string): boolean => !/^(?:de|lb|ar|he|fa|ur|zh|ja|ko|th|hi)/.test(language)

/** How likely a sentence holds the answer: 1 yes, 0 no, 0.5 unknown. */
export function containsType(type: AnswerType, sentence: string, question: string, language: string): number {
  switch (type) {
    case 'figure':
      return newFigure(sentence, question) || numberWord.test(sentence) ? 1 : 0
    case 'time':
      return newFigure(sentence, question) || timeWord.test(sentence) ? 1 : 0
    case 'person':
    case 'place':
      return !namesByCapital(language) ? 0.5 : newName(sentence, question) ? 1 : 0
    case 'reason':
      return reasonWord.test(sentence) ? 1 : 0.5
    default:
      return 0.5
  }
}

const duration = patternByLanguage(({ sentences }) => sentences.duration)

/** Whether a question asks how much or how long, and a text says neither a figure nor a time: "within a week". */
export function lacksFigure(
  { answerType, text: question, language }: { answerType: AnswerType; text: string; language: string },
  text: string,
): boolean {
  if (answerType !== 'figure' || containsType('figure', text, question, language) > 0) return false
  return !timeWord.test(text) && !duration(language)?.test(text)
}

function newFigure(sentence: string, question: string): boolean {
  const questionFigures = new Set(question.match(FIGURE))
  return (sentence.match(FIGURE) ?? []).some((figure) => !questionFigures.has(figure))
}

function newName(sentence: string, question: string): boolean {
  const foldedQuestion = fold(normalise(question))
  return (sentence.match(CAPITALISED) ?? []).some((name) => !foldedQuestion.includes(fold(normalise(name))))
}
