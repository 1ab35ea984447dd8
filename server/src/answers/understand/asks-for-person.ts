// Whether the visitor wants a human: a person near a verb of talking or wanting, or a sufficient phrase ("call me
// back"), in the message's language or, if unknown, in all of them.

import { foldPhrase } from '../../language/fold.ts'
import { inAnyLanguage, type Language, languageData, languages, phrasesOf } from '../../language/languages.ts'

interface Compiled {
  spaced: boolean
  speak: RegExp | undefined
  needs: RegExp | undefined
  want: RegExp | undefined
  whole: Set<string>
  direct: string[]
}

// "I want a present for someone" asks for a present, and "a travel agent" is a profession.
const otherWish = `(?:${inAnyLanguage(({ person }) => person.notFor)})`
const politeEnd = `(?:${inAnyLanguage(({ person }) => person.politeEnd)})`

const compiled = new Map<Language, Compiled>(languages.map((language) => [language, compile(language)]))

export function asksForPerson(text: string, language?: Language): boolean {
  return (language ? [language, 'en' as const] : languages).some((one) => asksIn(text, one))
}

function asksIn(text: string, language: Language): boolean {
  const table = compiled.get(language)
  if (!table) return false
  const folded = table.spaced ? foldPhrase(text) : foldPhrase(text).replaceAll(' ', '')
  if (table.whole.has(folded)) return true
  const padded = table.spaced ? ` ${folded} ` : folded
  if (table.direct.some((phrase) => padded.includes(phrase))) return true
  if (table.speak?.test(padded) && (!table.needs || table.needs.test(padded))) return true
  return table.want?.test(padded) === true
}

function compile(language: Language): Compiled {
  const { person: phrases, isUnspaced, attachesEndings } = languageData[language]
  const { speak, needs, want, person, direct, otherwise } = phrases
  const spaced = !isUnspaced
  const entries = phrasesOf(direct).map((entry) =>
    entry.startsWith('=') ? `=${foldPhrase(entry)}` : foldPhrase(entry),
  )
  const pad = (phrase: string) => (spaced ? ` ${phrase} ` : phrase.replaceAll(' ', ''))
  const people = `(?:${alternatives(person)})`
  const notOther = otherwise ? `(?!(?:${alternatives(otherwise)}) )` : ''
  return {
    spaced,
    whole: new Set(entries.filter((entry) => entry.startsWith('=')).map((entry) => pad(entry.slice(1)).trim())),
    direct: entries
      .filter((entry) => !entry.startsWith('='))
      .map((entry) => (attachesEndings ? pad(entry).trimEnd() : pad(entry))),
    speak: speak ? new RegExp(` (?:${alternatives(speak)}) (?:\\S+ ){0,3}?${people} ${notOther}`, 'u') : undefined,
    needs: needs ? new RegExp(` (?:${alternatives(needs)}) `, 'u') : undefined,
    want: want
      ? new RegExp(
          `(?<! do| dont| should) (?:${alternatives(want)}) (?:(?!${otherWish} )\\S+ ){0,3}?${people} (?:${politeEnd} )?$`,
          'u',
        )
      : undefined,
  }
}

// Longest first, so that "real person" is not matched as "real".
function alternatives(list: string): string {
  return phrasesOf(list)
    .map(foldPhrase)
    .sort((a, b) => b.length - a.length)
    .join('|')
}
