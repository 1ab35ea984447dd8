// A question is cut into words and stems once; what is made of it is handed on.
import { stem } from '../../language/stem.ts'
import { stopWords } from '../../language/stop-words.ts'
import { words } from '../../language/words.ts'

export interface AnalysedQuestion {
  text: string
  language: string
  words: readonly string[]
  /** Of the words that are no stop words, as the index stores them, in the order of the text. */
  stems: readonly string[]
}

export function analyseQuestion(text: string, language: string): AnalysedQuestion {
  const all = words(text, language)
  return { text, language, words: all, stems: stemsOf(all, language) }
}

export function contentStems(text: string, language: string): string[] {
  return stemsOf(words(text, language), language)
}

function stemsOf(all: readonly string[], language: string): string[] {
  const ignored = stopWords(language)
  return all.filter((word) => !ignored.has(word)).map((word) => stem(word, language))
}
