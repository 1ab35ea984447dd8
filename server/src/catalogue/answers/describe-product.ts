// Answers a question about one product: a variant, its price, stock, rating, or a fact from its data.

import { askingText } from '../../answers/compose/question-shape.ts'
import { foldLetters, foldPhrase } from '../../language/fold.ts'
import { asksForFigure } from '../../language/question/question-type.ts'
import { stem } from '../../language/stem.ts'
import { stopWords } from '../../language/stop-words.ts'
import { words } from '../../language/words.ts'
import { isReduced, type ShopProduct, type ShopVariant } from '../product.ts'
import type { FacetCriterion, ProductQuestion } from '../question/parse-product-question.ts'
import { colourFamilies, fillerWords, phrases, topicOf } from '../question/shop-words.ts'
import { type Fact, factText, findFacts, type Judge, readFacts } from './find-facts.ts'
import {
  fillTemplate,
  formatPrice,
  type ProductTextOptions,
  priceText,
  productLine,
  ratingText,
  shorten,
  stockOf,
  stockText,
  valuesOf,
} from './product-text.ts'

export interface ProductDescription {
  text: string
  known: boolean
  /** 0 to 1: how well the text matches what was asked, by words and by the reader. */
  fit: number
  reading: number
  /** How to look after the product, which is no question for the pages then. */
  isCare?: boolean
}

// Minimum match of a fact by words alone, and combined with the reader's log-odds.
const MIN_FIT = 0.5
const FIT_WEIGHT = 2
const SECOND_FACT = 0.85
const AHEAD = 0.2
const MAX_CARE = 3
// Usually fillers around a criterion, but they ask for something when there is a product to ask about.
const factWords = new Set(
  'made fit fits long size sizes colour colours color colors brand per accessories piece pieces'.split(' '),
)

export async function describeProduct(
  product: ShopProduct,
  question: ProductQuestion,
  language: string,
  textOptions: ProductTextOptions,
  judge: Judge,
): Promise<ProductDescription> {
  const { says, facets } = question
  const variantCriteria = facets.filter(({ kind }) => kind === 'size' || kind === 'colour')
  if (variantCriteria.length > 0) return describeVariant(product, variantCriteria, textOptions)
  // "What size is the tent?" may be stated as its dimensions.
  if (says.asksSizes && valuesOf(product, 'size').length > 0) return describeValues(product, 'size', textOptions)
  if (says.asksColours && valuesOf(product, 'colour').length > 0) return describeValues(product, 'colour', textOptions)
  if (says.asksRating) return describeValue(product, ratingText(product, textOptions), textOptions)
  if (facets.some(({ kind }) => kind === 'sale')) {
    const { onSale, notOnSale } = textOptions.sentences
    return knownDescription(`${isReduced(product) ? onSale : notOnSale}\n${productLine(product, textOptions)}`)
  }
  const asked = askedStems(product, question, language)
  const care = findCare(product, asked, question, language, textOptions)
  if (care.length > 0)
    return { ...knownDescription(`${product.title}: ${care.map(factText).join('\n')}`), isCare: true }
  const asksMore = asked.length > 0 || (asksForFigure(question.text, language) && !says.asksPrice)
  const fact = asksMore ? await describeBestFact(product, asked, question, language, textOptions, judge) : null
  if (fact) return fact
  // Never "the data does not say" above a line that lists the sizes.
  const isSize = (one: string) => one === sizeStem || topicOf(one, language).has(sizeStem)
  const sizeStem = stem('size', language)
  if (asked.some(isSize) && valuesOf(product, 'size').length > 0) return describeValues(product, 'size', textOptions)
  const asksElse = asked.some((one) => topicOf(one, language).size > 0)
  // A repair's price is not the product's price.
  if (says.asksPrice && !asksElse && !says.policy) {
    const stock = stockOf(product)
    const price = priceText(product, textOptions)
    return describeValue(
      product,
      price && [price, stock && stockText(stock, textOptions)].filter(Boolean).join(', '),
      textOptions,
    )
  }
  if (says.asksAvailability && stockOf(product)) return knownDescription(productLine(product, textOptions).slice(2))
  if (asksMore && !says.shopping) return unknownDescription(product, textOptions)
  return { ...knownDescription(overviewText(product, textOptions)), ...(asksMore ? { fit: 0.4, reading: 0.4 } : {}) }
}

const knownDescription = (text: string): ProductDescription => ({ text, known: true, fit: 1, reading: 1 })

function describeValue(
  product: ShopProduct,
  value: string | undefined,
  textOptions: ProductTextOptions,
): ProductDescription {
  return value ? knownDescription(`${product.title}: ${value}.`) : unknownDescription(product, textOptions)
}

async function describeBestFact(
  product: ShopProduct,
  asked: readonly string[],
  question: ProductQuestion,
  language: string,
  textOptions: ProductTextOptions,
  judge: Judge,
): Promise<ProductDescription | null> {
  const text = withCorrectName(askingText(question.text, language), question, product.title, language)
  const facts = findFacts(product, asked, text, language, textOptions)
  const read = await readFacts(facts, text, product.title, judge)
  const [first, second] = facts
  const best = read?.fact ?? first
  if (!best || (read ? read.relevance + FIT_WEIGHT * best.fit < 0 : best.fit < MIN_FIT)) return null
  // Also include a fact that matches about as well by the other measure.
  const other = best === first ? second : first
  const least = best === first ? Math.max(MIN_FIT, best.fit * SECOND_FACT) : Math.min(MIN_FIT, best.fit + AHEAD)
  const isClose = other && other.fit >= least && (!read || best !== first) && !repeats(other.text, best.text)
  return {
    text: `${product.title}: ${(isClose ? [best, other] : [best]).map(factText).join('\n')}`,
    known: true,
    fit: best.fit,
    reading: read ? 1 / (1 + Math.exp(-read.relevance)) : best.fit,
  }
}

/** What the product's data say about washing and cleaning, in any language; empty if that was not asked. */
function findCare(
  product: ShopProduct,
  asked: readonly string[],
  question: ProductQuestion,
  language: string,
  textOptions: ProductTextOptions,
): Fact[] {
  // "Wash and proof set" only names a product.
  const name = new Set(words(product.title, language))
  const rest = words(question.text, language).filter((word) => !name.has(word))
  if (!question.says.asksCare || !phrases.asksCare.test(foldLetters(rest.join(' ')))) return []
  const isCare = (fact: Fact) => phrases.asksCare.test(foldLetters(factText(fact)))
  return findFacts(product, asked, question.text, language, textOptions).filter(isCare).slice(0, MAX_CARE)
}

/** "Weighing 1,150 g" repeats "Weight: 1,150 g". */
function repeats(one: string, other: string): boolean {
  const figures = one.match(/\d[\d.,]*\d|\d/g) ?? []
  return figures.length > 0 && figures.every((figure) => other.includes(figure))
}

/** Corrects a misspelt product name, which the reader would not recognise. */
function withCorrectName(text: string, { terms }: ProductQuestion, title: string, language: string): string {
  const names = words(title, language)
  return terms.reduce((said, { surface, anyOf }) => {
    const name = names.find((word) => stem(word, language) === anyOf[0]?.key)
    return name && name !== surface && stem(surface, language) !== anyOf[0]?.key
      ? said.replace(new RegExp(surface, 'i'), name)
      : said
  }, text)
}

/** The fact a comparison asks about. */
export function findComparedFact(
  product: ShopProduct,
  question: ProductQuestion,
  language: string,
  textOptions: ProductTextOptions,
) {
  const asked = askedStems(product, question, language)
  const [best] = findFacts(product, asked, question.text, language, textOptions)
  return best && best.fit >= MIN_FIT ? best : undefined
}

function overviewText(product: ShopProduct, textOptions: ProductTextOptions): string {
  const opening = /^[\s\S]{20,300}?[.!?](?=\s|$)/.exec(product.description)?.[0]
  return [productLine(product, textOptions).slice(2), opening, ratingText(product, textOptions)]
    .filter(Boolean)
    .join('\n')
}

function unknownDescription(product: ShopProduct, textOptions: ProductTextOptions): ProductDescription {
  const text = `${fillTemplate(textOptions.sentences.unknownFact, { title: product.title })}\n${productLine(product, textOptions)}`
  return { text, known: false, fit: 0, reading: 0 }
}

/** Stems asked about the product, without its name and fillers. */
function askedStems({ title, brand }: ShopProduct, { text, terms, says }: ProductQuestion, language: string): string[] {
  const stop = stopWords(language)
  const name = new Set(words(`${title} ${brand ?? ''}`, language).map((word) => stem(word, language)))
  // Misspelt words of the name belong to the name too.
  const naming = new Set(
    terms.filter(({ anyOf }) => anyOf.some(({ key }) => name.has(key))).map(({ surface }) => surface),
  )
  const meant = new Map(terms.map(({ surface, term }) => [surface, term]))
  const asked = words(askingText(text, language), language).filter(
    (word) => !stop.has(word) && !naming.has(word) && (!fillerWords.has(word) || factWords.has(word)),
  )
  if (says.asksContents) asked.push('includes')
  return [...new Set(asked.map((word) => meant.get(word) ?? stem(word, language)))].filter(
    (one) => !name.has(one) && one.length > 1,
  )
}

function describeVariant(
  product: ShopProduct,
  criteria: FacetCriterion[],
  textOptions: ProductTextOptions,
): ProductDescription {
  const { sentences } = textOptions
  const { title } = product
  const variant = criteria
    .map(({ value, kind }) => (kind === 'size' ? fillTemplate(sentences.size, { value: value.toUpperCase() }) : value))
    .join(', ')
  const matching = findMatchingVariants(product, criteria)
  const kinds = [...new Set(criteria.map(({ kind }) => kind))].filter((kind) => kind === 'size' || kind === 'colour')
  const offered = kinds.flatMap((kind) => valuesOf(product, kind))
  if (offered.length === 0) return unknownDescription(product, textOptions)
  const offer = fillTemplate(sentences.offeredIn, { values: shorten(offered) })
  if (matching === null) {
    return knownDescription(`${fillTemplate(sentences.unknownVariant, { title, variant })} ${offer}`)
  }
  const state = stockOf(product, matching.length > 0 ? matching : product.variants)
  const sentence = state === 'out_of_stock' ? sentences.notInVariant : sentences.yesInVariant
  const price = variantPrice(matching) ?? product.salePrice ?? product.price
  const priced = price === null ? '' : ` ${sentences.price}: ${formatPrice(price, product.currency, textOptions)}.`
  const said = fillTemplate(sentence, { title, variant, availability: stockText(state, textOptions) })
  return knownDescription(`${said}${priced}`)
}

function variantPrice([first]: ShopVariant[]): number | null {
  return first ? (first.salePrice ?? first.price) : null
}

/** Variants that meet all criteria; empty if only the product as a whole does; null if nothing does. */
export function findMatchingVariants(product: ShopProduct, criteria: FacetCriterion[]): ShopVariant[] | null {
  const meets = (attributes: ShopProduct['attributes'], { kind, value }: FacetCriterion) => {
    const bare = { ...product, attributes, variants: [] }
    return valuesOf(bare, kind === 'size' ? 'size' : 'colour').some((one) => isSame(one, value, kind))
  }
  const matching = product.variants.filter(({ attributes }) =>
    criteria.every((criterion) => meets(attributes, criterion) || wholeMeets(criterion)),
  )
  function wholeMeets(criterion: FacetCriterion) {
    const named = product.variants.some(
      ({ attributes }) =>
        valuesOf({ ...product, attributes, variants: [] }, criterion.kind === 'size' ? 'size' : 'colour').length > 0,
    )
    return !named && meets(product.attributes, criterion)
  }
  if (matching.length > 0) return matching
  return product.variants.length === 0 && criteria.every((criterion) => meets(product.attributes, criterion))
    ? []
    : null
}

function isSame(offered: string, asked: string, kind: FacetCriterion['kind']): boolean {
  const [own, wanted] = [foldPhrase(offered), foldPhrase(asked)]
  if (own === wanted) return true
  const [, low, high] = /^(\d+) (\d+)$/.exec(own) ?? []
  if (kind === 'size' && low && high && Number(wanted) >= Number(low) && Number(wanted) <= Number(high)) return true
  if (kind === 'size') return own === ({ small: 's', medium: 'm', large: 'l' }[wanted] ?? wanted)
  const family = colourFamilies.find((names) => names.includes(wanted)) ?? [wanted]
  return own.split(' ').some((word) => family.includes(word))
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function describeValues(
  product: ShopProduct,
  kind: 'size' | 'colour',
  textOptions: ProductTextOptions,
): ProductDescription {
  const values = valuesOf(product, kind)
  if (values.length === 0) return unknownDescription(product, textOptions)
  const { sentences } = textOptions
  const inStock = valuesOf(product, kind, true)
  const text = `${product.title}: ${fillTemplate(kind === 'size' ? sentences.sizes : sentences.colours, { values: values.join(', ') })}.`
  const missing = values.filter((value) => !inStock.includes(value))
  return knownDescription(
    missing.length > 0 ? `${text} ${capitalised(sentences.availability.out_of_stock)}: ${missing.join(', ')}.` : text,
  )
}
