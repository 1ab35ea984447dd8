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
  /** At the beginning or the end. */
  polite: RegExp | undefined
  direct: string[]
}

// "I want a present for someone" asks for a present, and "a travel agent" is a profession.
const OTHER_WISH = `(?:${inAnyLanguage(({ person }) => person.notFor)})`
const POLITE_END = `(?:${alternatives(inAnyLanguage(({ person }) => person.politeEnd))})`

const tables = new Map<Language, Compiled>(languages.map((language) => [language, compile(language)]))

// Too short to tell its language: "un humano".
const SHORT_CHARACTERS = 30

export function asksForPerson(text: string, language?: Language): boolean {
  return personRequestLanguage(text, language) !== undefined
}

/** The language in which a message asks for a person: its own or English; if it is short or that is not known, any. */
export function personRequestLanguage(text: string, language?: Language): Language | undefined {
  const ownLanguages: Language[] = language ? [language, 'en'] : []
  const others = language === undefined || text.length <= SHORT_CHARACTERS ? languages : []
  const foldedPhrase = foldPhrase(text)
  return [...ownLanguages, ...others].find((one) => asksIn(foldedPhrase, one))
}

function asksIn(foldedPhrase: string, language: Language): boolean {
  const table = tables.get(language)
  if (!table) return false
  const foldedText = table.spaced ? foldedPhrase : foldedPhrase.replaceAll(' ', '')
  if (table.whole.has(foldedText) || table.whole.has(withoutPolite(foldedText, table.polite))) return true
  const paddedText = table.spaced ? ` ${foldedText} ` : foldedText
  if (table.direct.some((phrase) => paddedText.includes(phrase))) return true
  if (table.speak?.test(paddedText) && (!table.needs || table.needs.test(paddedText))) return true
  return table.want?.test(paddedText) === true
}

function compile(language: Language): Compiled {
  const { person: phrases, isUnspaced, attachesEndings } = languageData[language]
  const { speak, needs, want, person, direct, otherwise, politeEnd: polite } = phrases
  const isSpaced = !isUnspaced
  const entries = phrasesOf(direct).map((entry) =>
    entry.startsWith('=') ? `=${foldPhrase(entry)}` : foldPhrase(entry),
  )
  const pad = (phrase: string) => (isSpaced ? ` ${phrase} ` : phrase.replaceAll(' ', ''))
  const gap = isSpaced ? ' ' : ''
  const people = `(?:${alternatives(person)})`
  const notOther = otherwise ? `(?!(?:${alternatives(otherwise)}) )` : ''
  return {
    spaced: isSpaced,
    whole: new Set(entries.filter((entry) => entry.startsWith('=')).map((entry) => pad(entry.slice(1)).trim())),
    polite: polite
      ? new RegExp(`^(?:${alternatives(polite)})${gap}|${gap}(?:${alternatives(polite)})$`, 'gu')
      : undefined,
    direct: entries
      .filter((entry) => !entry.startsWith('='))
      .map((entry) => (attachesEndings ? pad(entry).trimEnd() : pad(entry))),
    speak: speak ? new RegExp(` (?:${alternatives(speak)}) (?:\\S+ ){0,3}?${people} ${notOther}`, 'u') : undefined,
    needs: needs ? new RegExp(` (?:${alternatives(needs)}) `, 'u') : undefined,
    want: want
      ? new RegExp(
          `(?<! do| dont| should) (?:${alternatives(want)}) (?:(?!${OTHER_WISH} )\\S+ ){0,3}?${people} (?:${POLITE_END} )?$`,
          'u',
        )
      : undefined,
  }
}

/** "Bitte einen Menschen", "einen Menschen, bitte". */
function withoutPolite(foldedText: string, polite: RegExp | undefined): string {
  return polite ? foldedText.replace(polite, '') : foldedText
}

// Longest first, so that "real person" is not matched as "real".
function alternatives(list: string): string {
  return phrasesOf(list)
    .map(foldPhrase)
    .sort((a, b) => b.length - a.length)
    .join('|')
}
