// Shopping vocabulary. Visitors mix languages and use the shop's own terms, so all languages apply.
import { byLanguage, inAnyLanguage, languageData, languageOrEnglish, wordSet } from '../../language/languages.ts'
import {
  PRODUCT_PHRASES,
  type ProductComparative,
  type ProductData,
  type ProductPhrase,
} from '../../language/schema/product-data.ts'
import { stem } from '../../language/stem.ts'

const products = Object.values(languageData).map((data) => data.products)

const anyOf = (pick: (data: ProductData) => string | undefined) => `(?:${inAnyLanguage((data) => pick(data.products))})`
const phrase = (name: ProductPhrase) => anyOf(({ phrases: all }) => all?.[name])

/** What a question says about products; matched against folded text. */
export const phrases: Record<ProductPhrase, RegExp> = {
  ...(Object.fromEntries(PRODUCT_PHRASES.map((name) => [name, new RegExp(`\\b${phrase(name)}\\b`)])) as Record<
    ProductPhrase,
    RegExp
  >),
  // Something already owned is not wanted; "for my office" is.
  owned: new RegExp(`(?<!\\b${anyOf(({ ownUse }) => ownUse)} )\\b${phrase('owned')}\\b`),
  // Pages explain how something is done or decided.
  howTo: new RegExp(`^(?:\\W*${anyOf(({ opening }) => opening)}\\W+)?${phrase('howTo')}\\b`),
}

/** Words around a criterion that name no product. */
export const fillerWords = new Set(products.flatMap(({ fillers }) => [...wordSet(fillers)]))

/** Names of each colour, English first. */
export const colourFamilies = families(({ colours }) => colours, ' ')

/** Whom a product is made for. */
export const audiences = families((data) => data.audiences, ' ')

/** Different names for the same thing. */
export const synonyms = families((data) => data.synonyms, '|')

export const discussionPattern = (name: keyof NonNullable<ProductData['discussion']>): string =>
  anyOf(({ discussion }) => discussion?.[name])

export const pricePattern = (name: keyof NonNullable<ProductData['price']>): string =>
  anyOf(({ price }) => price?.[name])

export const measurePattern = (name: keyof NonNullable<ProductData['measures']>): string =>
  anyOf(({ measures }) => measures?.[name])

export const comparativePattern = (name: ProductComparative): RegExp =>
  new RegExp(String.raw`\b${anyOf(({ comparatives }) => comparatives?.[name])}\b`)

export const sizePattern = (name: 'name' | 'before' | 'after'): string => anyOf(({ sizes }) => sizes?.[name])
/** Words for the sizes S, M and L. */
export const sizeNames = wordSet(languageData.en.products.sizes?.names)

export const OR_PATTERN = new RegExp(`^${anyOf((data) => data.or)}$`)
/** Between two things that are compared. */
export const COMPARED_PATTERN = new RegExp(
  `^(?:${anyOf((data) => data.or)}|${anyOf(({ price }) => price?.and)}|vs|versus)$`,
)
/** Unspecified products: "something for yoga". */
export const SOMETHING_PATTERN = new RegExp(
  String.raw`\b${anyOf(({ something }) => something)}\s+${anyOf(({ purpose }) => purpose)}\b`,
  'i',
)
/** "A present for a climber": the present can be anything. */
export const GIFT_PATTERN = new RegExp(
  String.raw`\b${anyOf(({ gift }) => gift)}(?=\s+${anyOf(({ purpose }) => purpose)}\b)`,
  'iu',
)
export const KIND_END_PATTERN = new RegExp(`^${anyOf((data) => data.kindEnds)}$`)

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
