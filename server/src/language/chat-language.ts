// The language of a chat: what its visitor writes decides, message by message, and in doubt it stays. Product names and
// short messages say nothing about it.

import { detectLanguage, functionWords, guessLanguage } from './detect-language.ts'
import { languages, searchedLanguages } from './languages.ts'
import { languageByScript } from './scripts.ts'

interface Chat {
  /** The bot's. */
  language: string
  /** What the visitor's widget is shown in. */
  locale?: string | null | undefined
  /** What the bot last spoke, if it is known. */
  current?: string | null | undefined
}

// Languages without a list of function words are recognised by their letters alone, which takes more of them.
const LETTERS_WITHOUT_LIST = 60
const SHORT_CHARACTERS = 30

export async function chatLanguage(text: string, earlier: readonly string[], chat: Chat): Promise<string> {
  if (chat.current) return nextLanguage(text, chat.current)
  const [first = text, ...others] = earlier
  let language = await firstLanguage(first, chat)
  if (earlier.length === 0) return language
  for (const message of [...others, text]) language = await nextLanguage(message, language)
  return language
}

/** Between the bot's language and the visitor's, a word that clearly belongs to the bot's decides, else the visitor's. */
async function firstLanguage(text: string, { language, locale }: Chat): Promise<string> {
  const code = locale?.slice(0, 2).toLowerCase()
  const visitors = languages.find((one) => one === code) ?? language
  const detectedLanguage = await detectLanguage(text, visitors)
  if (
    detectedLanguage !== visitors &&
    !isName(text) &&
    isKnownWell(text, detectedLanguage) &&
    !(await mayBeIn(text, visitors, detectedLanguage))
  )
    return detectedLanguage
  if (visitors === language || isName(text)) return visitors
  const [ownCount, otherCount] = [functionWords(text, language).length, functionWords(text, visitors).length]
  if (ownCount !== otherCount) return ownCount > otherCount ? language : visitors
  const guess = await guessLanguage(text)
  return guess?.isReliable && guess.language === language ? language : visitors
}

async function nextLanguage(text: string, language: string): Promise<string> {
  const detectedLanguage = await detectLanguage(text, language)
  if (detectedLanguage === language) return language
  if (languageByScript(text)) return detectedLanguage
  if (isName(text) || !isKnownWell(text, detectedLanguage)) return language
  const isListed = searchedLanguages.includes(detectedLanguage)
  return !isListed || functionWords(text, detectedLanguage).length > functionWords(text, language).length
    ? detectedLanguage
    : language
}

function isKnownWell(text: string, language: string): boolean {
  if (searchedLanguages.includes(language)) return true
  return (text.match(/\p{L}/gu)?.length ?? 0) >= LETTERS_WITHOUT_LIST
}

/** Short texts of related languages share most function words: one more is no proof against the visitor's own. */
async function mayBeIn(text: string, language: string, detectedLanguage: string): Promise<boolean> {
  const ownCount = functionWords(text, language).length
  if (text.length >= SHORT_CHARACTERS || ownCount === 0 || functionWords(text, detectedLanguage).length - ownCount >= 2)
    return false
  const guess = await guessLanguage(text)
  return !guess?.isReliable || guess.language !== detectedLanguage
}

/** "Le Creuset Signature", "Playa del Carmen": all longer words have a capital. */
function isName(text: string): boolean {
  const longer = text.match(/\p{L}[\p{L}\p{M}\p{N}'’-]{3,}/gu) ?? []
  return longer.length > 1 && longer.every((word) => /^\p{Lu}/u.test(word)) && !/[?？؟]/.test(text)
}
