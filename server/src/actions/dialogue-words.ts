// What the bot says while it collects the inputs of an action, and the short answers it understands, per language.
import { foldPhrase } from '../language/fold.ts'
import { type Language, languageOrEnglish, phrasesOf } from '../language/languages.ts'
import { isSpaceless } from '../language/scripts.ts'
import words from './dialogue-words.json' with { type: 'json' }

type Words = (typeof words)['en']

const byLanguage: Record<Language, Words> = words

export function dialogueWords(language: string): Words {
  return byLanguage[languageOrEnglish(language)]
}

type Answer = 'yesWords' | 'noWords' | 'cancelWords'

/** Folded, of all languages: people often say "ok" or "stop" in another one. */
function foldedPhrases(kind: Answer): ReadonlySet<string> {
  return new Set(Object.values(words).flatMap((one) => phrasesOf(one[kind]).map(foldAnswer)))
}

const phrases: Record<Answer, ReadonlySet<string>> = {
  yesWords: foldedPhrases('yesWords'),
  noWords: foldedPhrases('noWords'),
  cancelWords: foldedPhrases('cancelWords'),
}

/** Whether a message is nothing but such an answer. */
export function isAnswer(kind: Answer, text: string): boolean {
  return phrases[kind].has(foldAnswer(text))
}

/** "はい、お願いします" with or without its comma. */
function foldAnswer(text: string): string {
  const foldedText = foldPhrase(text)
  return isSpaceless(foldedText) ? foldedText.replaceAll(' ', '') : foldedText
}
