// Words that say how a question asks, not about what.
import { byLanguage, patternByLanguage, wordSet } from './languages.ts'
import { words } from './words.ts'

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

const yesNoQuestion = patternByLanguage(({ questions }) => questions.expects?.yesNoQuestion)
const openQuestions = [
  patternByLanguage(({ questions }) => questions.expects?.oneThing),
  patternByLanguage(({ questions }) => questions.expects?.severalThings),
  patternByLanguage(({ questions }) => questions.answerTypes?.manner),
]
// Chinese and Japanese have a word for the question mark among them.
const questionWords = byLanguage(({ questions, isUnspaced }) => wordSet(isUnspaced ? '' : questions.words))

const limits = patternByLanguage(({ questions }) => questions.expects?.limits)

/** "Isn't it waterproof?" and "is it only for one person?", where a plain yes or no could mean either. */
export const deniesOrLimits = (text: string, language: string): boolean => limits(language)?.test(text) ?? false

/** Whether the answer is yes or no: "do you have it in blue?", "in blue?", and "and in blue" where that is known to ask. */
export function asksYesOrNo(question: string, language: string, { isKnownToAsk = false } = {}): boolean {
  if (yesNoQuestion(language)?.test(question)) return true
  if (!isKnownToAsk && !/[?？؟]\s*$/.test(question)) return false
  const opening = questionWords(language)
  return (
    !openQuestions.some((pattern) => pattern(language)?.test(question)) &&
    !asksForFigure(question, language) &&
    !words(question, language).some((word) => opening?.has(word))
  )
}
