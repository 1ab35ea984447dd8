import { patternByLanguage } from '../../../language/languages.ts'

const openings = patternByLanguage(({ sentences }) => sentences.dependentStart)

/** Whether a sentence opens with "It", "This", "However" and is unclear without the previous one. */
export const dependsOnPrevious = (sentence: string, language: string): boolean =>
  openings(language)?.test(sentence.replace(/^["“„«(¿¡]+/, '')) ?? false
