import { expandChatSpelling } from '../chat-spelling.ts'
import { languageByAlphabet, languageByScript } from '../scripts.ts'
import { searchedLanguages, stopWords } from '../stop-words.ts'
import { words } from '../words.ts'
import { guessLanguage } from './guess-language.ts'

// With fewer letters, the bot's own language is the better guess.
const ENOUGH_LETTERS = 24
const FEW_LETTERS = 10
// Function words are everywhere, so the start is enough, and repeated characters cost no time.
const START = 400

/** The ISO 639-1 code of a text; the fallback (the bot's language) where the text is too short to tell. */
export async function detectLanguage(text: string, fallback: string): Promise<string> {
  const byScript = languageByScript(text)
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  // Japanese words are often written in Chinese characters alone.
  if (byScript) return byScript === 'zh' && fallback === 'ja' && letters < FEW_LETTERS ? fallback : byScript
  if (letters < FEW_LETTERS) return languageByAlphabet(text, fallback)
  if (hasManyFunctionWords(text, fallback)) return fallback
  const byFunctionWords = letters < ENOUGH_LETTERS ? languageByFunctionWords(text) : null
  if (byFunctionWords) return byFunctionWords
  const guess = await guessLanguage(text)
  if (!guess || guess.language === '' || guess.language === fallback) return fallback
  if (letters >= ENOUGH_LETTERS) return guess.isReliable ? guess.language : fallback
  // For lengths in between, require a clear lead and at least one function word: "cheapest tent" is not Hungarian.
  const lead = (guess.scores[guess.language] ?? 0) - (guess.scores[fallback] ?? 0)
  const hasFunctionWord = functionWords(text, guess.language).length > 0
  return guess.isReliable && lead > 0.25 && hasFunctionWord ? guess.language : fallback
}

/** Whether a text is certainly in another language: by its script, or by function words that the language lacks. */
export function isClearlyOther(text: string, language: string): boolean {
  const byScript = languageByScript(text)
  if (byScript) return byScript !== language
  const other = languageByFunctionWords(text)
  if (other === null || other === language) return false
  const start = text.slice(0, START)
  return functionWords(start, other).length >= functionWords(start, language).length * 2
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

export function functionWords(text: string, language: string): string[] {
  const stopWordSet = stopWords(language)
  return words(expandChatSpelling(text, language), language).filter((word) => stopWordSet.has(word))
}
