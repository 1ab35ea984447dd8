import { byLanguage, wordSet } from '../languages.ts'

const frameWords = byLanguage(({ questions }) => wordSet(questions.frameWords))

/**
 * Whether a word frames a question without saying what it is about: "return policy" asks about returns. Where the
 * content has it ("Privacy policy") it counts like any other; where it has not, its absence says nothing against it.
 */
export function isFrameWord(word: string, language: string): boolean {
  return frameWords(language)?.has(word) ?? false
}
