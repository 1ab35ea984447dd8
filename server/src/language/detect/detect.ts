import { expandChatSpelling } from '../chat-spelling.ts'
import { languageByScript } from '../scripts.ts'
import { searchedLanguages, stopWords } from '../stop-words.ts'
import { words } from '../words.ts'
import { guessLanguage } from './guess-language.ts'

// With fewer letters, the bot's own language is the better guess.
const enoughLetters = 24
const fewLetters = 10
// Function words are everywhere, so the start is enough, and repeated characters cost no time.
const START = 400

/** The ISO 639-1 code of a text; the fallback (the bot's language) where the text is too short to tell. */
export async function detectLanguage(text: string, fallback: string): Promise<string> {
  const byScript = languageByScript(text)
  if (byScript) return byScript
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters < fewLetters) return fallback
  if (hasManyFunctionWords(text, fallback)) return fallback
  const byFunctionWords = letters < enoughLetters ? languageByFunctionWords(text) : null
  if (byFunctionWords) return byFunctionWords
  const found = await guessLanguage(text)
  if (!found || found.language === '' || found.language === fallback) return fallback
  if (letters >= enoughLetters) return found.isReliable ? found.language : fallback
  // For lengths in between, require a clear lead and at least one function word: "cheapest tent" is not Hungarian.
  const lead = (found.scores[found.language] ?? 0) - (found.scores[fallback] ?? 0)
  const hasFunctionWord = functionWords(text, found.language).length > 0
  return found.isReliable && lead > 0.25 && hasFunctionWord ? found.language : fallback
}

/** "Was kostet der Versand?": the language with at least two function words, if no other has as many. */
function languageByFunctionWords(text: string): string | null {
  // Digits and marks are no function words, and there may be many of them.
  const letters = (text.match(/\p{L}[\p{L}\p{M}'’-]*/gu) ?? []).join(' ').slice(0, START)
  const counts = searchedLanguages.map((language) => ({ language, count: functionWords(letters, language).length }))
  const [first, second] = counts.sort((a, b) => b.count - a.count)
  return first && second && first.count >= 2 && first.count > second.count ? first.language : null
}

/** Whether a language has enough function words in the text to skip further detection. */
function hasManyFunctionWords(text: string, language: string): boolean {
  const start = text.slice(0, START)
  const count = functionWords(start, language).length
  return count >= 3 && count >= words(start, language).length * 0.4
}

function functionWords(text: string, language: string): string[] {
  const known = stopWords(language)
  return words(expandChatSpelling(text, language), language).filter((word) => known.has(word))
}
