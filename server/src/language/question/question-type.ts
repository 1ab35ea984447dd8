import { patternByLanguage } from '../languages.ts'

const figureQuestion = patternByLanguage(({ questions }) => questions.asksFigure)

/** True when the answer is likely to be a number or a date: sentences with figures in them answer it. */
export const asksForFigure = (question: string, language: string): boolean =>
  figureQuestion(language)?.test(question) ?? false
