// One key for questions that differ only in spelling: case, accents, punctuation, spaces, a leading greeting.
import { hash } from 'node:crypto'
import { fold, foldPhrase, normalise } from '../../language/fold.ts'
import { languageData, phrasesOf } from '../../language/languages.ts'
import { smallTalk } from './small-talk.ts'

// The question comes first. Truncate before anything else, so that a question already truncated gets the same key.
const LONGEST = 500
const DIGITS = 24
// Most messages start with none of these, which skips the more expensive check.
const greetings = Object.values(languageData).flatMap(({ smallTalk: { phrases } }) => [
  ...phrasesOf(phrases.hello),
  ...phrasesOf(phrases.thanks),
])
const firstWords = new Set(greetings.map((phrase) => foldPhrase(firstWord(phrase))))
const SPACELESS = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Null for a text without letters or digits. */
export function questionKey(text: string): string | null {
  const plain = text.slice(0, LONGEST).replace(/\s+/g, ' ').trim()
  const foldedQuestion = foldQuestion(withoutGreeting(plain))
  if (foldedQuestion === '') return null
  return hash('sha256', foldedQuestion).slice(0, DIGITS)
}

function withoutGreeting(text: string): string {
  const mayGreet = SPACELESS.test(text) || firstWords.has(foldPhrase(firstWord(text)))
  return (mayGreet && smallTalk(text)?.rest) || text
}

function firstWord(text: string): string {
  return /[\p{L}\p{M}'’]+/u.exec(text)?.[0] ?? ''
}

function foldQuestion(text: string): string {
  return fold(normalise(text))
    .replace(/['`´]/g, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
}
