import { patternByLanguage } from '../../../language/languages.ts'

const patterns = patternByLanguage(({ sentences }) => sentences.aboutPage)

/** Whether a sentence describes its page: "This page explains how to …" promises an answer but is not one. */
export const refersToPage = (sentence: string, language: string): boolean => patterns(language)?.test(sentence) ?? false
