import { languageByScript } from './scripts.ts'
import { stopWords } from './stop-words.ts'
import { words } from './words.ts'

// Below this many letters the guess is worth less than knowing what language the bot speaks.
const enoughLetters = 24
const fewLetters = 10

/** The ISO 639-1 code of a text; the fallback (the bot's language) where the text is too short to tell. */
export async function detectLanguage(text: string, fallback: string): Promise<string> {
  const byScript = languageByScript(text)
  if (byScript) return byScript
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters < fewLetters) return fallback
  if (speaks(text, fallback)) return fallback
  // Loaded when first needed: its tables take 60 MB, and most questions never need them.
  const { eld } = await import('eld/extrasmall')
  const found = eld.detect(text)
  if (found.language === '' || found.language === fallback) return fallback
  if (letters >= enoughLetters) return found.isReliable() ? found.language : fallback
  // In between, only a clear win over the fallback counts.
  const scores = found.getScores()
  const lead = (scores[found.language] ?? 0) - (scores[fallback] ?? 0)
  return found.isReliable() && lead > 0.25 ? found.language : fallback
}

/** Whether the function words of a language are so many that there is no need to ask further. */
function speaks(text: string, language: string): boolean {
  const known = stopWords(language)
  const found = words(text.slice(0, 400), language)
  const held = found.filter((word) => known.has(word)).length
  return held >= 3 && held >= found.length * 0.4
}
