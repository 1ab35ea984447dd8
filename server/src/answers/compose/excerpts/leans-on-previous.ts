import { patternByLanguage } from '../../../language/languages.ts'

const openings = patternByLanguage(({ sentences }) => sentences.dependentStart)

/** Whether a sentence opens with "It", "This", "However": without the one before it a reader is left puzzled. */
export const leansOnPrevious = (sentence: string, language: string): boolean =>
  openings(language)?.test(sentence.replace(/^["“„«(¿¡]+/, '')) ?? false
