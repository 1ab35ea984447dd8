import { byLanguage } from './languages.ts'

// In lower case, or with a capital first letter: "R" and "IM" may be names.
const PLAIN_WORD = /(?<![\p{L}\p{N}]['’.-]?)\p{L}[\p{Ll}\p{Lo}]*(?!['’.-]?[\p{L}\p{N}])/gu
const spellings = byLanguage(({ chatSpellings }) => new Map(Object.entries(chatSpellings ?? {})))

/** Writes out "u" and "whats", so that patterns, search and the models see ordinary words. */
export function expandChatSpelling(text: string, language: string): string {
  const knownSpellings = spellings(language)
  if (!knownSpellings || knownSpellings.size === 0) return text
  return text.replace(
    PLAIN_WORD,
    (word) => knownSpellings.get(word) ?? capitalised(knownSpellings.get(lowerFirst(word))) ?? word,
  )
}

/** A single capital stays: "R". */
function lowerFirst(word: string): string {
  return word.length > 1 ? word.charAt(0).toLowerCase() + word.slice(1) : word
}

function capitalised(word: string | undefined): string | undefined {
  return word && word.charAt(0).toUpperCase() + word.slice(1)
}
