// The marks between parts of a sentence, and between sentences, as a language writes them.
import { type Language, languageOrEnglish } from './languages.ts'

interface Punctuation {
  stop: string
  colon: string
  semicolon: string
  /** Between clauses. */
  comma: string
  /** Between listed words. */
  listComma: string
  /** Between sentences. */
  space: string
  /** Around what is added to a phrase. */
  brackets: readonly [opening: string, closing: string]
  quotes: readonly [opening: string, closing: string]
}

const western: Punctuation = {
  stop: '.',
  colon: ': ',
  semicolon: '; ',
  comma: ', ',
  listComma: ', ',
  space: ' ',
  brackets: [' (', ')'],
  quotes: ['“', '”'],
}
const chinese: Punctuation = {
  stop: '。',
  colon: '：',
  semicolon: '；',
  comma: '，',
  listComma: '、',
  space: '',
  brackets: ['（', '）'],
  quotes: ['“', '”'],
}

const guillemets: Punctuation = { ...western, quotes: ['«', '»'] }
const nordic: Punctuation = { ...western, quotes: ['”', '”'] }

const byLanguage: Partial<Record<Language, Punctuation>> = {
  de: { ...western, quotes: ['„', '“'] },
  // No line begins with a mark that a space sets off.
  fr: { ...western, colon: '\u00a0: ', semicolon: '\u202f; ', quotes: ['«\u00a0', '\u00a0»'] },
  es: guillemets,
  it: guillemets,
  nl: { ...western, quotes: ['‘', '’'] },
  pl: { ...western, quotes: ['„', '”'] },
  sv: nordic,
  da: nordic,
  ar: { ...guillemets, semicolon: '؛ ', comma: '، ', listComma: '، ' },
  ru: guillemets,
  zh: chinese,
  ja: { ...chinese, semicolon: '、', comma: '、', quotes: ['「', '」'] },
}

export function punctuationOf(language: string): Punctuation {
  return byLanguage[languageOrEnglish(language)] ?? western
}
