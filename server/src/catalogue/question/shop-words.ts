// Shopping vocabulary. Visitors mix languages and use the shop's own terms, so all languages apply.
import { fold, normalise } from '../../language/fold.ts'
import {
  byLanguage,
  inAnyLanguage,
  languageData,
  languageOrEnglish,
  wordSet,
  wordsInAnyLanguage,
} from '../../language/languages.ts'
import {
  PRODUCT_PHRASES,
  type ProductComparative,
  type ProductData,
  type ProductPhrase,
} from '../../language/schema/product-data.ts'
import { stem } from '../../language/stem.ts'

const products = Object.values(languageData).map((data) => data.products)

const anyOf = (pick: (data: ProductData) => string | undefined) => `(?:${inAnyLanguage((data) => pick(data.products))})`
/** For folded text. Data of unspaced languages is written with its voiced kana, "が", which folding makes "か". */
const wordsOf = (pick: (data: ProductData) => string | undefined) =>
  wordsInAnyLanguage(({ products: data, isUnspaced }) => {
    const source = pick(data)
    return isUnspaced && source !== undefined ? foldKana(source) : source
  })
const phrase = (name: ProductPhrase) => wordsOf(({ phrases: all }) => all?.[name])

/** What a question says about products; matched against folded text. */
export const phrases: Record<ProductPhrase, RegExp> = {
  ...(Object.fromEntries(PRODUCT_PHRASES.map((name) => [name, new RegExp(phrase(name), 'u')])) as Record<
    ProductPhrase,
    RegExp
  >),
  // Something already owned is not wanted; "for my office" is.
  owned: new RegExp(`(?<!${wordsOf(({ ownUse }) => ownUse)} )${phrase('owned')}`, 'u'),
  // Pages explain how something is done or decided.
  howTo: howToPattern(),
}

/** Words around a criterion that name no product. */
const fillers = new Set(products.flatMap((data) => [...wordSet(data.fillers)].flatMap((word) => [word, fold(word)])))
export const isFiller = (word: string): boolean => fillers.has(word) || fillers.has(fold(word))

/** Names of each colour, English first. Folded. */
export const colourFamilies = families(({ colours }) => colours, ' ').map((names) => names.map(foldName))

/** Whom a product is made for. */
export const audiences = families((data) => data.audiences, ' ').map((names) => [
  ...new Set(names.flatMap((name) => [name, foldName(name)])),
])

/** Different names for the same thing. */
export const synonyms = families((data) => data.synonyms, '|')

export const discussionPattern = (name: keyof NonNullable<ProductData['discussion']>): string =>
  wordsOf(({ discussion }) => discussion?.[name])

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

export const OR_PATTERN = new RegExp(`^${anyOf((data) => data.or)}$`)
/** Between two things that are compared. */
export const COMPARED_PATTERN = new RegExp(
  `^(?:${anyOf((data) => data.or)}|${anyOf(({ price }) => price?.and)}|vs|versus)$`,
)
/** Unspecified products: "something for yoga". */
export const SOMETHING_PATTERN = withPurpose((data) => data.something, String.raw`\s+`)
/** "A present for a climber": the present can be anything. */
export const GIFT_PATTERN = withPurpose((data) => data.gift, '(?=\\s+', ')')
export const KIND_END_PATTERN = new RegExp(`^${anyOf((data) => data.kindEnds)}$`)

/** Words with their purpose after them; alone in languages that put it before them and so have none. */
function withPurpose(pick: (data: ProductData) => string | undefined, start: string, end = ''): RegExp {
  const before = wordsInAnyLanguage(({ products: data }) => (data.purpose === undefined ? undefined : pick(data)))
  const alone = wordsInAnyLanguage(({ products: data }) => (data.purpose === undefined ? pick(data) : undefined))
  const purpose = wordsInAnyLanguage(({ products: data }) => data.purpose)
  return new RegExp(`${before}${start}${purpose}${end}|${alone}`, 'iu')
}

/** Asked at the start; anywhere in unspaced languages, which ask at the end. */
function howToPattern(): RegExp {
  const atStart = inAnyLanguage((data) => (data.isUnspaced ? undefined : data.products.phrases?.howTo))
  const anywhere = inAnyLanguage((data) => (data.isUnspaced ? data.products.phrases?.howTo : undefined))
  const opening = wordsOf((data) => data.opening)
  return new RegExp(
    String.raw`^(?:[^\p{L}\p{N}]*${opening}[^\p{L}\p{N}]+)?(?:${atStart})(?![\p{L}\p{N}_])|${foldKana(anywhere)}`,
    'u',
  )
}

function foldKana(source: string): string {
  return source.normalize('NFKD').replace(/\p{M}+/gu, '')
}

function foldName(name: string): string {
  return fold(normalise(name))
}

/** The names of each item in all languages, in the order of the English list. */
function families(
  pick: (data: ProductData) => Record<string, string> | undefined,
  separator: string,
): readonly (readonly string[])[] {
  const keys = Object.keys(pick(languageData.en.products) ?? {})
  return keys.map((key) => [...new Set(products.flatMap((data) => pick(data)?.[key]?.split(separator) ?? []))])
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
