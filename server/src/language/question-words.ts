// Words that say how a question asks, not about what.
import { byLanguage, patternByLanguage, wordSet } from './languages.ts'

const frameWords = byLanguage(({ questions }) => wordSet(questions.frameWords))

/**
 * Whether a word frames a question without being its subject: "return policy" asks about returns. It counts when the
 * content has it ("Privacy policy"); its absence does not lower the score.
 */
export function isFrameWord(word: string, language: string): boolean {
  return frameWords(language)?.has(word) ?? false
}

const figureQuestion = patternByLanguage(({ questions }) => questions.asksFigure)

/** Whether the answer is likely to be a number or a date. */
export const asksForFigure = (question: string, language: string): boolean =>
  figureQuestion(language)?.test(question) ?? false
