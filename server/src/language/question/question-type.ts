import { patternByLanguage } from '../languages.ts'

const figureQuestion = patternByLanguage(({ questions }) => questions.asksFigure)

/** Whether the answer is likely to be a number or a date. */
export const asksForFigure = (question: string, language: string): boolean =>
  figureQuestion(language)?.test(question) ?? false
