import { searchData, wordSet } from './languages.ts'

export const searchedLanguages = Object.keys(searchData)

const none: ReadonlySet<string> = new Set()
const sets = new Map<string, ReadonlySet<string>>()

/** The function words of a language, normalised; empty for a language without a list. */
export function stopWords(language: string): ReadonlySet<string> {
  const code = language.slice(0, 2)
  let set = sets.get(code)
  if (!set) {
    const data = searchData[code]
    set = data === undefined ? none : wordSet(data.stopWords)
    sets.set(code, set)
  }
  return set
}
