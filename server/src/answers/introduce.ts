// An answer in another language than the visitor's is introduced as such.
import { functionWords } from '../language/detect-language.ts'
import { languageOrEnglish } from '../language/languages.ts'
import { joinSentences, sentencesFor } from './fall-back.ts'
import type { BotVoice } from './types.ts'

interface Quote {
  text: string
  language: string
  /** The passage that it comes from, if it does. */
  around?: string
  /** "Yes.", in the visitor's language. */
  opening?: string | undefined
}

export function introduce(quote: Quote, language: string, bot: Pick<BotVoice, 'tone'>): string {
  const { text, opening = '' } = quote
  const ownLanguage = primary(quote.language)
  const ownText = text.slice(opening.length).trimStart()
  if (ownLanguage === primary(language) || !isIn(ownLanguage, { ...quote, text: ownText }, language)) return text
  const name = new Intl.DisplayNames([languageOrEnglish(language)], { type: 'language' }).of(ownLanguage) ?? ownLanguage
  const introduction = sentencesFor(bot, language).foundIn.replace('{language}', name)
  return `${joinSentences([opening, introduction], language)}\n\n${ownText}`
}

/** The language of a short document is a guess, so a quote must have more function words of it than of the other. */
function isIn(language: string, { text, around }: Quote, other: string): boolean {
  const lead = (words: string) => functionWords(words, language).length - functionWords(words, other).length
  if (lead(text) !== 0 || around === undefined) return lead(text) > 0
  // "Standard: £3.95" has none, so its page decides.
  return lead(around) >= 0
}

const primary = (language: string): string => language.slice(0, 2)
