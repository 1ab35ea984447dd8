// Shopping vocabulary. Visitors use the shop's own terms, so names of properties apply in all languages, and other words
// in the language of the message.

import { DAY_MS } from '../../days.ts'
import { fold, foldLetters, normalise } from '../../language/fold.ts'
import {
  byLanguage,
  inAnyLanguage,
  type Language,
  languageData,
  languageOrEnglish,
  languages,
  wordSet,
  wordsInAnyLanguage,
} from '../../language/languages.ts'
import {
  PRODUCT_PHRASES,
  type ProductComparative,
  type ProductData,
  type ProductPhrase,
} from '../../language/schema.ts'
import { stem } from '../../language/stem.ts'

const anyOf = (pick: (data: ProductData) => string | undefined, among?: readonly Language[]) =>
  `(?:${inAnyLanguage((data) => pick(data.products), among)})`
/** For folded text. Data of unspaced languages is written with its voiced kana, "が", which folding makes "か". */
const wordsOf = (pick: (data: ProductData) => string | undefined, among?: readonly Language[]) =>
  wordsInAnyLanguage(({ products: data, isUnspaced }) => {
    const source = pick(data)
    return isUnspaced && source !== undefined ? foldKana(source) : source
  }, among)

/** The names of each colour in all languages, English first. Folded. */
export const colourFamilies = families(({ colours }) => colours, ' ').map((names) => names.map(foldName))

/** Different names for the same thing. */
export const synonyms = families((data) => data.synonyms, '|')

/** "Are you open on Sundays?": "sonntags" and "w środę" as well, but not "środek". */
function weekdayNames(among: readonly Language[]): string {
  const names = among.flatMap((code) => {
    const { format } = new Intl.DateTimeFormat(code, { weekday: 'long', timeZone: 'UTC' })
    const week = Array.from({ length: 7 }, (_, day) => foldLetters(format(day * DAY_MS).toLowerCase()))
    if (languageData[code].isUnspaced) return week
    return week.map((name) => String.raw`(?<!\p{L})(?:${name}\p{L}{0,3}|${name.slice(0, -1)}[aeiouyаеиоуыюя])(?!\p{L})`)
  })
  return names.join('|')
}

/** What visitors say in some languages: "men" is a word for a jacket in English, and "but" in Danish. */
function readShopWords(among: readonly Language[]) {
  const pattern = (pick: (data: ProductData) => string | undefined) => new RegExp(wordsOf(pick, among), 'u')
  const phrase = (name: ProductPhrase) => wordsOf(({ phrases }) => phrases?.[name], among)
  const fillers = new Set(
    among.flatMap((code) => [...wordSet(languageData[code].products.fillers)].flatMap((word) => [word, fold(word)])),
  )
  return {
    /** What a question says about products; matched against folded text. */
    phrases: {
      ...(Object.fromEntries(PRODUCT_PHRASES.map((name) => [name, new RegExp(phrase(name), 'u')])) as Record<
        ProductPhrase,
        RegExp
      >),
      // Two names with "oder" between them are too short to tell their language.
      either: new RegExp(
        wordsOf(({ phrases }) => phrases?.either),
        'u',
      ),
      // Something already owned is not wanted; "for my office" is.
      owned: new RegExp(`(?<!${wordsOf(({ ownUse }) => ownUse, among)} )${phrase('owned')}`, 'u'),
      // Pages explain how something is done or decided.
      howTo: howToPattern(among),
      policy: new RegExp(`${phrase('policy')}|${weekdayNames(among)}`, 'u'),
    },
    /** Words around a criterion that name no product. */
    isFiller: (word: string): boolean => fillers.has(word) || fillers.has(fold(word)),
    /** The names of each colour. Folded. */
    colours: families(({ colours }) => colours, ' ', among).map((names) => names.map(foldName)),
    /** Whom a product is made for. */
    audiences: families((data) => data.audiences, ' ', among).map((names) => [
      ...new Set(names.flatMap((name) => [name, foldName(name)])),
    ]),
    one: pattern(({ discussion }) => discussion?.one),
    several: pattern(({ discussion }) => discussion?.several),
    ordinals: (['first', 'second', 'third'] as const).map((name) => pattern(({ discussion }) => discussion?.[name])),
    goesOn: new RegExp(String.raw`^[^\p{L}\p{N}]*${wordsOf(({ discussion }) => discussion?.continues, among)}`, 'u'),
    or: new RegExp(`^${anyOf((data) => data.or, among)}$`),
    /** Unspecified products: "something for yoga". */
    something: withPurpose((data) => data.something, among, String.raw`\s+`),
    /** "A present for a climber": the present can be anything. */
    gift: withPurpose((data) => data.gift, among, '(?=\\s+', ')'),
    kindEnds: new RegExp(`^${anyOf((data) => data.kindEnds, among)}$`),
  }
}

/** Between two things that are compared. */
export const COMPARED_PATTERN = new RegExp(
  `^(?:${anyOf((data) => data.or)}|${anyOf(({ price }) => price?.and)}|vs|versus)$`,
)

export type ShopWords = ReturnType<typeof readShopWords>

export const everyShopWord = readShopWords(languages)
const shopWordsByLanguage = byLanguage((_, language) => readShopWords([...new Set([language, 'en' as const])]))

/** In the language of a message and in English, which visitors mix with it; in all, if that one has no such words. */
export const shopWords = (language: string): ShopWords => shopWordsByLanguage(language) ?? everyShopWord

type PriceName = keyof NonNullable<ProductData['price']>

export const pricePattern = (name: PriceName): string => wordsInAnyLanguage((data) => data.products.price?.[name])

/** Patterns whose place is fixed by what stands beside them, of the languages written with spaces or without. */
export const attachedPricePattern = (name: PriceName, isUnspaced: boolean): string =>
  inAnyLanguage((data) => ((data.isUnspaced ?? false) === isUnspaced ? data.products.price?.[name] : undefined))

export const measurePattern = (name: keyof NonNullable<ProductData['measures']>): string =>
  anyOf(({ measures }) => measures?.[name])

export const comparativePattern = (name: ProductComparative): RegExp =>
  new RegExp(
    wordsOf(({ comparatives }) => comparatives?.[name]),
    'u',
  )

/** Looked for where a comparative begins. */
export const SUPERLATIVE_PATTERN = new RegExp(`^${wordsOf(({ superlative }) => superlative)}`, 'u')

export const sizePattern = (name: 'name' | 'before' | 'behind'): string => wordsOf(({ sizes }) => sizes?.[name])
export const afterSizePattern = anyOf(({ sizes }) => sizes?.after)
/** Words for the sizes S, M and L. */
export const sizeNames = wordSet(languageData.en.products.sizes?.names)

/** Words with their purpose after them; alone in languages that put it before them and so have none. */
function withPurpose(
  pick: (data: ProductData) => string | undefined,
  among: readonly Language[],
  start: string,
  end = '',
): RegExp {
  const read = (one: typeof pick, hasPurpose: boolean) =>
    wordsInAnyLanguage(
      ({ products: data }) => ((data.purpose !== undefined) === hasPurpose ? one(data) : undefined),
      among,
    )
  return new RegExp(`${read(pick, true)}${start}${read((data) => data.purpose, true)}${end}|${read(pick, false)}`, 'iu')
}

/** Asked at the start; anywhere in unspaced languages, which ask at the end. */
function howToPattern(among: readonly Language[]): RegExp {
  const read = (isUnspaced: boolean) =>
    inAnyLanguage(
      (data) => ((data.isUnspaced ?? false) === isUnspaced ? data.products.phrases?.howTo : undefined),
      among,
    )
  const opening = wordsOf((data) => data.opening, among)
  return new RegExp(
    String.raw`^(?:[^\p{L}\p{N}]*${opening}[^\p{L}\p{N}]+)?(?:${read(false)})(?![\p{L}\p{N}_])|${foldKana(read(true)) || '(?!)'}`,
    'u',
  )
}

function foldKana(source: string): string {
  return source.normalize('NFKD').replace(/\p{M}+/gu, '')
}

function foldName(name: string): string {
  return fold(normalise(name))
}

/** The names of each item, in the order of the English list. */
function families(
  pick: (data: ProductData) => Record<string, string> | undefined,
  separator: string,
  among: readonly Language[] = languages,
): readonly (readonly string[])[] {
  const keys = Object.keys(pick(languageData.en.products) ?? {})
  return keys.map((key) => [
    ...new Set(among.flatMap((code) => pick(languageData[code].products)?.[key]?.split(separator) ?? [])),
  ])
}

// Words people use for one property, whatever the shop calls it. Compared by stem.
const topicsByStem = byLanguage(({ products }, language) => {
  const topics = new Map<string, ReadonlySet<string>>()
  for (const line of products.factTopics ?? []) {
    const stems = line.split(' ').map((one) => stem(one, language))
    for (const one of stems) topics.set(one, new Set([...(topics.get(one) ?? []), ...stems]))
  }
  return topics.size > 0 ? topics : undefined
})
const none: ReadonlySet<string> = new Set()

/** Stems that ask for the same property; English if the language has no topics. */
export function topicOf(word: string, language: string): ReadonlySet<string> {
  const topics = topicsByStem(languageOrEnglish(language)) ?? topicsByStem('en')
  return topics?.get(word) ?? none
}
