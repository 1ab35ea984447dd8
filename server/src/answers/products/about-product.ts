// Answers a question about one product: a variant, its price, stock, rating, or a fact from its data.

import { foldPhrase } from '../../language/fold.ts'
import { asksForFigure } from '../../language/question/question-type.ts'
import { stem } from '../../language/stem.ts'
import { stopWords } from '../../language/stop-words.ts'
import { words } from '../../language/words.ts'
import { askingText } from '../compose/question-parts.ts'
import { factText, findFacts, type Judge, readFacts } from './find-facts.ts'
import { topicOf } from './question/fact-topics.ts'
import type { FacetCriterion, ProductQuestion } from './question/parse-product-question.ts'
import { colourFamilies, fillerWords } from './question/shop-words.ts'
import {
  formatPrice,
  type Manner,
  priceText,
  productLine,
  ratingText,
  shorten,
  stockOf,
  stockText,
  valuesOf,
} from './text/describe-product.ts'
import { fill } from './text/product-sentences.ts'
import type { ShopProduct, ShopVariant } from './types.ts'

export interface AboutProduct {
  text: string
  known: boolean
  /** 0 to 1: how well the text matches what was asked, by words and by the reader. */
  fit: number
  reading: number
}

// Minimum match of a fact by words alone, and combined with the reader's log-odds.
const MIN_FIT = 0.5
const FIT_WEIGHT = 2
const SECOND_FACT = 0.85
const AHEAD = 0.2
// Usually fillers around a criterion, but they ask for something when there is a product to ask about.
const factWords = new Set(
  'made fit fits long size sizes colour colours color colors brand per accessories piece pieces'.split(' '),
)

export async function aboutProduct(
  product: ShopProduct,
  question: ProductQuestion,
  language: string,
  manner: Manner,
  judge: Judge,
): Promise<AboutProduct> {
  const { says, facets } = question
  const variantCriteria = facets.filter(({ kind }) => kind === 'size' || kind === 'colour')
  if (variantCriteria.length > 0) return aboutVariant(product, variantCriteria, manner)
  if (says.asksSizes) return listed(product, 'size', manner)
  if (says.asksColours) return listed(product, 'colour', manner)
  if (says.asksRating) return told(product, ratingText(product, manner), manner)
  const asked = askedStems(product, question, language)
  const asksMore = asked.length > 0 || (asksForFigure(question.text, language) && !says.asksPrice)
  const fact = asksMore ? await bestFact(product, asked, question, language, manner, judge) : null
  if (fact) return fact
  const asksElse = asked.some((one) => topicOf(one, language).size > 0)
  // A repair's price is not the product's price.
  if (says.asksPrice && !asksElse && !says.policy) {
    const stock = stockOf(product)
    const price = priceText(product, manner)
    return told(product, price && [price, stock && stockText(stock, manner)].filter(Boolean).join(', '), manner)
  }
  if (says.asksAvailability && stockOf(product)) return sure(productLine(product, manner).slice(2))
  if (asksMore && !says.shopping) return unknown(product, manner)
  return { ...sure(overview(product, manner)), ...(asksMore ? { fit: 0.4, reading: 0.4 } : {}) }
}

const sure = (text: string): AboutProduct => ({ text, known: true, fit: 1, reading: 1 })

function told(product: ShopProduct, value: string | undefined, manner: Manner): AboutProduct {
  return value ? sure(`${product.title}: ${value}.`) : unknown(product, manner)
}

async function bestFact(
  product: ShopProduct,
  asked: readonly string[],
  question: ProductQuestion,
  language: string,
  manner: Manner,
  judge: Judge,
): Promise<AboutProduct | null> {
  const text = withCorrectName(askingText(question.text, language), question, product.title, language)
  const facts = findFacts(product, asked, text, language, manner)
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
export function comparedFact(product: ShopProduct, question: ProductQuestion, language: string, manner: Manner) {
  const asked = askedStems(product, question, language)
  const [best] = findFacts(product, asked, question.text, language, manner)
  return best && best.fit >= MIN_FIT ? best : undefined
}

function overview(product: ShopProduct, manner: Manner): string {
  const opening = /^[\s\S]{20,300}?[.!?](?=\s|$)/.exec(product.description)?.[0]
  return [productLine(product, manner).slice(2), opening, ratingText(product, manner)].filter(Boolean).join('\n')
}

function unknown(product: ShopProduct, manner: Manner): AboutProduct {
  const text = `${fill(manner.say.unknownFact, { title: product.title })}\n${productLine(product, manner)}`
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

function aboutVariant(product: ShopProduct, criteria: FacetCriterion[], manner: Manner): AboutProduct {
  const { say } = manner
  const { title } = product
  const variant = criteria
    .map(({ value, kind }) => (kind === 'size' ? fill(say.size, { value: value.toUpperCase() }) : value))
    .join(', ')
  const matching = matchingVariants(product, criteria)
  const kinds = [...new Set(criteria.map(({ kind }) => kind))].filter((kind) => kind === 'size' || kind === 'colour')
  const offered = kinds.flatMap((kind) => valuesOf(product, kind))
  if (offered.length === 0) return unknown(product, manner)
  const offer = fill(say.offeredIn, { values: shorten(offered) })
  if (matching === null) {
    return sure(`${fill(say.unknownVariant, { title, variant })} ${offer}`)
  }
  const state = stockOf(product, matching.length > 0 ? matching : product.variants)
  const sentence = state === 'out_of_stock' ? say.notInVariant : say.yesInVariant
  const price = variantPrice(matching) ?? product.salePrice ?? product.price
  const priced = price === null ? '' : ` ${say.price}: ${formatPrice(price, product.currency, manner)}.`
  const said = fill(sentence, { title, variant, availability: stockText(state, manner) })
  return sure(`${said}${priced}`)
}

function variantPrice([first]: ShopVariant[]): number | null {
  return first ? (first.salePrice ?? first.price) : null
}

/** Variants that meet all criteria; empty if only the product as a whole does; null if nothing does. */
export function matchingVariants(product: ShopProduct, criteria: FacetCriterion[]): ShopVariant[] | null {
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

function listed(product: ShopProduct, kind: 'size' | 'colour', manner: Manner): AboutProduct {
  const values = valuesOf(product, kind)
  if (values.length === 0) return unknown(product, manner)
  const { say } = manner
  const inStock = valuesOf(product, kind, true)
  const text = `${product.title}: ${fill(kind === 'size' ? say.sizes : say.colours, { values: values.join(', ') })}.`
  const missing = values.filter((value) => !inStock.includes(value))
  return sure(
    missing.length > 0 ? `${text} ${capitalised(say.availability.out_of_stock)}: ${missing.join(', ')}.` : text,
  )
}
