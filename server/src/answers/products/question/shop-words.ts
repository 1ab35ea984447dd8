// The words in which people shop. Visitors mix languages and name things as the shop does, so all languages count.

import { inAnyLanguage, languageData, wordSet } from '../../../language/languages.ts'
import {
  type ProductComparative,
  type ProductData,
  type ProductPhrase,
  productPhrases,
} from '../../../language/schema/product-data.ts'

const products = Object.values(languageData).map((data) => data.products)

const anyOf = (read: (data: ProductData) => string | undefined) => `(?:${inAnyLanguage((data) => read(data.products))})`
const phrase = (name: ProductPhrase) => anyOf(({ phrases: all }) => all?.[name])

/** What a question says about the products it asks for; compared with folded text. */
export const phrases: Record<ProductPhrase, RegExp> = {
  ...(Object.fromEntries(productPhrases.map((name) => [name, new RegExp(`\\b${phrase(name)}\\b`)])) as Record<
    ProductPhrase,
    RegExp
  >),
  // What somebody has already is not what they look for; "for my office" is.
  owned: new RegExp(`(?<!\\b${anyOf(({ ownUse }) => ownUse)} )\\b${phrase('owned')}\\b`),
  // How something is done or decided is told by pages.
  howTo: new RegExp(`^(?:\\W*${anyOf(({ opening }) => opening)}\\W+)?${phrase('howTo')}\\b`),
}

/** What is said around a criterion and names nothing that is sold. */
export const fillerWords = new Set(products.flatMap(({ fillers }) => [...wordSet(fillers)]))

/** Names of one colour, English first. */
export const colourFamilies = families(({ colours }) => colours, ' ')

/** For whom a product is made. */
export const audiences = families((data) => data.audiences, ' ')

/** Things that shops and visitors call differently. */
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
/** What the sizes S, M and L are called. */
export const sizeNames = wordSet(languageData.en.products.sizes?.names)

export const either = new RegExp(`^${anyOf((data) => data.or)}$`)
/** "Something for yoga" does not say what. */
export const saysSomething = new RegExp(
  String.raw`\b${anyOf(({ something }) => something)}\s+${anyOf(({ purpose }) => purpose)}\b`,
  'i',
)
export const kindEnds = new RegExp(`^${anyOf((data) => data.kindEnds)}$`)

/** The names of each thing in all languages, in the order of the English list. */
function families(
  read: (data: ProductData) => Record<string, string> | undefined,
  separator: string,
): readonly (readonly string[])[] {
  const keys = Object.keys(read(languageData.en.products) ?? {})
  return keys.map((key) => [...new Set(products.flatMap((data) => read(data)?.[key]?.split(separator) ?? []))])
}
