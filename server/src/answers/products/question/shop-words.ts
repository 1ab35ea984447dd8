// The words in which people shop. Visitors mix languages and name things as the shop does, so all languages count.
import { type ProductData, type ProductWish, productWishes } from '../../../language/language-data.ts'
import { inAnyLanguage, languageData, wordSet } from '../../../language/languages.ts'

const products = Object.values(languageData).map((data) => data.products)

const anyOf = (read: (data: ProductData) => string | undefined) => `(?:${inAnyLanguage((data) => read(data.products))})`
const wish = (name: ProductWish) => anyOf(({ wishes }) => wishes?.[name])

/** What a question says about the products it asks for; compared with folded text. */
export const phrases: Record<ProductWish, RegExp> = {
  ...(Object.fromEntries(productWishes.map((name) => [name, new RegExp(`\\b${wish(name)}\\b`)])) as Record<
    ProductWish,
    RegExp
  >),
  // What somebody has already is not what they look for; "for my office" is.
  owned: new RegExp(`(?<!\\b${anyOf(({ ownUse }) => ownUse)} )\\b${wish('owned')}\\b`),
  // How something is done or decided is told by pages.
  howTo: new RegExp(`^(?:\\W*${anyOf(({ opening }) => opening)}\\W+)?${wish('howTo')}\\b`),
}

/** What is said around a wish and names nothing that is sold. */
export const wishFillers = new Set(products.flatMap(({ fillers }) => [...wordSet(fillers)]))

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

/** The names of each thing in all languages, in the order of the English list. */
function families(
  read: (data: ProductData) => Record<string, string> | undefined,
  separator: string,
): readonly (readonly string[])[] {
  const keys = Object.keys(read(languageData.en.products) ?? {})
  return keys.map((key) => [...new Set(products.flatMap((data) => read(data)?.[key]?.split(separator) ?? []))])
}
