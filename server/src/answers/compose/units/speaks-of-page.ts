import { patternByLanguage } from '../../../language/languages.ts'

const patterns = patternByLanguage(({ sentences }) => sentences.aboutPage)

/** Whether a sentence speaks of its page: "This page explains how to …" promises an answer and is none. */
export const speaksOfPage = (sentence: string, language: string): boolean => patterns(language)?.test(sentence) ?? false
