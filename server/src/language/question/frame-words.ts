import { byLanguage, wordSet } from '../languages.ts'

const frameWords = byLanguage(({ questions }) => wordSet(questions.frameWords))

/**
 * Whether a word frames a question without being its subject: "return policy" asks about returns. It counts when the
 * content has it ("Privacy policy"); its absence does not lower the score.
 */
export function isFrameWord(word: string, language: string): boolean {
  return frameWords(language)?.has(word) ?? false
}
