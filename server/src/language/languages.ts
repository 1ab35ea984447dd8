// The supported languages, read from data/. To add one, see "Add a language" in CONTRIBUTING.md.
import ar from './data/ar.json' with { type: 'json' }
import cs from './data/cs.json' with { type: 'json' }
import da from './data/da.json' with { type: 'json' }
import de from './data/de.json' with { type: 'json' }
import el from './data/el.json' with { type: 'json' }
import en from './data/en.json' with { type: 'json' }
import es from './data/es.json' with { type: 'json' }
import fi from './data/fi.json' with { type: 'json' }
import fr from './data/fr.json' with { type: 'json' }
import hi from './data/hi.json' with { type: 'json' }
import hu from './data/hu.json' with { type: 'json' }
import id from './data/id.json' with { type: 'json' }
import it from './data/it.json' with { type: 'json' }
import ja from './data/ja.json' with { type: 'json' }
import ko from './data/ko.json' with { type: 'json' }
import nl from './data/nl.json' with { type: 'json' }
import no from './data/no.json' with { type: 'json' }
import pl from './data/pl.json' with { type: 'json' }
import pt from './data/pt.json' with { type: 'json' }
import ro from './data/ro.json' with { type: 'json' }
import ru from './data/ru.json' with { type: 'json' }
import sv from './data/sv.json' with { type: 'json' }
import th from './data/th.json' with { type: 'json' }
import tr from './data/tr.json' with { type: 'json' }
import uk from './data/uk.json' with { type: 'json' }
import vi from './data/vi.json' with { type: 'json' }
import zh from './data/zh.json' with { type: 'json' }
import type { LanguageData, PhraseList, SearchData, WordList } from './schema.ts'

// A phrase shared by several languages counts as the first of them.
const spoken = { en, de, fr, es, it, pt, nl, pl, sv, da, tr, ar, ru, zh, ja } satisfies Record<string, LanguageData>
const searched = { no, fi, cs, ro, uk, el, hu, hi, ko, th, id, vi } satisfies Record<string, SearchData>

/** Languages a bot can converse in; it answers all others in English. */
export type Language = keyof typeof spoken
export const languages = Object.keys(spoken) as Language[]
export const languageData: Record<Language, LanguageData> = spoken
/** All languages whose texts can be searched. */
export const searchData: Record<string, SearchData> = { ...spoken, ...searched }
export const searchedLanguages = Object.keys(searchData)

export function languageOrEnglish(code: string | undefined): Language {
  return findLanguage(code) ?? 'en'
}

function findLanguage(code: string | undefined): Language | undefined {
  const short = code?.slice(0, 2).toLowerCase() ?? ''
  return Object.hasOwn(spoken, short) ? (short as Language) : undefined
}

export function wordSet(list: WordList | undefined): ReadonlySet<string> {
  return new Set(list?.split(' ').filter(Boolean))
}

export function phrasesOf(list: PhraseList | undefined): string[] {
  return list?.split('|').filter(Boolean) ?? []
}

/** A language's pattern, compiled on first use; undefined if it has none. */
export function patternByLanguage(
  pick: (data: LanguageData) => string | undefined,
): (code: string) => RegExp | undefined {
  return byLanguage((data) => {
    const source = pick(data)
    return source === undefined ? undefined : new RegExp(source, 'iu')
  })
}

/** A value derived from a language's data on first use; undefined for languages without data. */
export function byLanguage<T>(make: (data: LanguageData, language: Language) => T): (code: string) => T | undefined {
  const valuesByLanguage = new Map<Language, T>()
  return (code) => {
    const language = findLanguage(code)
    if (language === undefined) return undefined
    if (!valuesByLanguage.has(language)) valuesByLanguage.set(language, make(languageData[language], language))
    return valuesByLanguage.get(language)
  }
}

/** The alternatives of all or some languages joined, for matching regardless of language: "cheapest|…|billigste|…". */
export function inAnyLanguage(
  pick: (data: LanguageData) => string | undefined,
  among: readonly Language[] = languages,
): string {
  return among
    .map((code) => pick(languageData[code]))
    .filter((source) => source !== undefined && source !== '')
    .join('|')
}

/** The same as whole words, and anywhere in languages written without spaces. */
export function wordsInAnyLanguage(
  pick: (data: LanguageData) => string | undefined,
  among: readonly Language[] = languages,
): string {
  const spaced = inAnyLanguage((data) => (data.isUnspaced ? undefined : pick(data)), among)
  const unspaced = inAnyLanguage((data) => (data.isUnspaced ? pick(data) : undefined), among)
  const wholeWords = String.raw`(?<![\p{L}\p{N}_])(?:${spaced || '(?!)'})(?![\p{L}\p{N}_])`
  return unspaced === '' ? `(?:${wholeWords})` : `(?:${wholeWords}|${unspaced})`
}

const none: ReadonlySet<string> = new Set()
const stopWordSets = new Map<string, ReadonlySet<string>>()

/** The function words of a language, normalised; empty for a language without a list. */
export function stopWords(language: string): ReadonlySet<string> {
  const code = language.slice(0, 2)
  let set = stopWordSets.get(code)
  if (!set) {
    const data = searchData[code]
    set = data === undefined ? none : wordSet(data.stopWords)
    stopWordSets.set(code, set)
  }
  return set
}
