// Answers a question about one product: a variant, its price, stock, rating, or a fact from its data.

import { askingText } from '../../answers/compose/question-shape.ts'
import { foldLetters, foldPhrase } from '../../language/fold.ts'
import { languageData, languageOrEnglish, stopWords } from '../../language/languages.ts'
import { punctuationOf } from '../../language/punctuation.ts'
import { asksForFigure, asksYesOrNo, deniesOrLimits } from '../../language/question-words.ts'
import { stem } from '../../language/stem.ts'
import { words } from '../../language/words.ts'
import { isReduced, type ShopProduct, type ShopVariant } from '../product.ts'
import type { FacetCriterion, ProductQuestion } from '../question/parse-product-question.ts'
import { colourFamilies, everyShopWord, topicOf } from '../question/shop-words.ts'
import { type Fact, factText, findFacts, type ReadProduct, readFacts } from './find-facts.ts'
import {
  chooseForm,
  colourText,
  fillTemplate,
  formatPrice,
  labelled,
  type ProductTextOptions,
  priceText,
  productLine,
  ratingText,
  shorten,
  stockOf,
  stockText,
  valuesOf,
} from './product-text.ts'

interface ProductDescription {
  text: string
  known: boolean
  /** 0 to 1: how well the text matches what was asked, by words and by the reader. */
  fit: number
  reading: number
  /** The care instructions of the product answer it, so the pages need not. */
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
  readProduct: ReadProduct,
): Promise<ProductDescription> {
  const { says, facets } = question
  const { comma } = punctuationOf(textOptions.language)
  const spokenSize = findSpokenSize(product, question)
  const variantCriteria = [
    ...facets.filter(({ kind }) => kind === 'size' || kind === 'colour'),
    ...(spokenSize ? [spokenSize] : []),
  ]
  if (variantCriteria.length > 0) return describeVariant(product, variantCriteria, question, textOptions)
  // "What size is the tent?" may be stated as its dimensions.
  if (says.asksSizes && valuesOf(product, 'size').length > 0) return describeValues(product, 'size', textOptions)
  if (says.asksColours && valuesOf(product, 'colour').length > 0) return describeValues(product, 'colour', textOptions)
  if (says.asksRating) return describeValue(product, ratingText(product, textOptions), textOptions)
  if (facets.some(({ kind }) => kind === 'sale')) {
    const { onSale, notOnSale } = textOptions.sentences
    const opening = chooseForm(isReduced(product) ? onSale : notOnSale, asksYesOrNo(question.text, language))
    return knownDescription(`${opening}\n${productLine(product, textOptions)}`)
  }
  const stems = askedStems(product, question, language)
  const care = findCare(product, stems, question, language, textOptions)
  if (care.length > 0) return { ...knownDescription(factsText(product, care, textOptions)), isCare: true }
  const decision = decideFromFact(product, stems, question, language, textOptions)
  if (decision) return decision
  const asksMore = stems.length > 0 || (asksForFigure(question.text, language) && !says.asksPrice)
  const fact = asksMore ? await describeBestFact(product, stems, question, language, textOptions, readProduct) : null
  if (fact) return fact
  // Never "the data does not say" above a line that lists the sizes.
  const isSize = (one: string) => one === sizeStem || topicOf(one, language).has(sizeStem)
  const sizeStem = stem('size', language)
  if (stems.some(isSize) && valuesOf(product, 'size').length > 0) return describeValues(product, 'size', textOptions)
  const asksElse = stems.some((one) => topicOf(one, language).size > 0)
  // A repair's price is not the product's price.
  if (says.asksPrice && !asksElse && !says.policy) {
    const stock = stockOf(product)
    const price = priceText(product, textOptions)
    return describeValue(
      product,
      price && [price, stock && stockText(stock, textOptions)].filter(Boolean).join(comma),
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
  const { colon, stop } = punctuationOf(textOptions.language)
  return value ? knownDescription(`${product.title}${colon}${value}${stop}`) : unknownDescription(product, textOptions)
}

/** "Yes. Drift 2 tent – Waterproof: 3,000 mm" */
function decideFromFact(
  product: ShopProduct,
  stems: readonly string[],
  { text }: ProductQuestion,
  language: string,
  textOptions: ProductTextOptions,
): ProductDescription | null {
  if (!asksYesOrNo(text, language) || deniesOrLimits(text, language)) return null
  // "Is it waterproof to 10,000 mm?"
  const name = words(product.title, language)
  if (words(text, language).some((word) => /\d/.test(word) && !name.includes(word))) return null
  const facts = findFacts(product, stems, text, language, textOptions)
  const fact = facts.find(({ isNamed, holds }) => isNamed && holds !== undefined)
  if (!fact) return null
  const { yes, no } = languageData[languageOrEnglish(textOptions.language)].sentences
  const { space } = punctuationOf(textOptions.language)
  return knownDescription(`${fact.holds ? yes : no}${space}${factsText(product, [fact], textOptions)}`)
}

async function describeBestFact(
  product: ShopProduct,
  stems: readonly string[],
  question: ProductQuestion,
  language: string,
  textOptions: ProductTextOptions,
  readProduct: ReadProduct,
): Promise<ProductDescription | null> {
  const text = withCorrectName(askingText(question.text, language), question, product.title, language)
  const facts = findFacts(product, stems, text, language, textOptions)
  const bestFact = await readFacts(facts, text, product.title, readProduct)
  const [first, second] = facts
  const best = bestFact?.fact ?? first
  if (!best || (bestFact ? bestFact.relevance + FIT_WEIGHT * best.fit < 0 : best.fit < MIN_FIT)) return null
  // Also include a fact that matches about as well by the other measure.
  const other = best === first ? second : first
  const least = best === first ? Math.max(MIN_FIT, best.fit * SECOND_FACT) : Math.min(MIN_FIT, best.fit + AHEAD)
  const isClose = other && other.fit >= least && (!bestFact || best !== first) && !repeats(other.text, best.text)
  // "For heavy packs" adds nothing to what it weighs.
  const isComplete = best.isNamed || (best.isWeight && asksForFigure(question.text, language))
  return {
    text: factsText(product, isClose && !isComplete ? [best, other] : [best], textOptions),
    known: true,
    fit: best.fit,
    reading: bestFact ? 1 / (1 + Math.exp(-bestFact.relevance)) : best.fit,
  }
}

/** What the product's data say about washing and cleaning, in any language; empty if that was not asked. */
function findCare(
  product: ShopProduct,
  stems: readonly string[],
  question: ProductQuestion,
  language: string,
  textOptions: ProductTextOptions,
): Fact[] {
  // "Wash and proof set" only names a product.
  const name = new Set(words(product.title, language))
  const rest = words(question.text, language).filter((word) => !name.has(word))
  if (!question.says.asksCare || !question.vocabulary.phrases.asksCare.test(foldLetters(rest.join(' ')))) return []
  const isCare = (fact: Fact) => everyShopWord.phrases.asksCare.test(foldLetters(factText(fact, textOptions)))
  return findFacts(product, stems, question.text, language, textOptions).filter(isCare).slice(0, MAX_CARE)
}

function factsText({ title }: ShopProduct, facts: readonly Fact[], textOptions: ProductTextOptions): string {
  const { sentences } = textOptions
  const [first, ...more] = facts
  if (first?.isWeight && more.length === 0) return fillTemplate(sentences.weight, { title, value: first.text })
  const opening = first?.label
    ? fillTemplate(sentences.fact, { title, label: first.label, value: first.text })
    : labelled(title, first?.text ?? '', textOptions)
  return [opening, ...more.map((fact) => factText(fact, textOptions))].join('\n')
}

/** "Weighing 1,150 g" repeats "Weight: 1,150 g". */
function repeats(one: string, other: string): boolean {
  const figures = one.match(/\d[\d.,]*\d|\d/g) ?? []
  return figures.length > 0 && figures.every((figure) => other.includes(figure))
}

/** Corrects a misspelt product name, which the reader would not recognise. */
function withCorrectName(text: string, { terms }: ProductQuestion, title: string, language: string): string {
  const names = words(title, language)
  return terms.reduce((phrase, { surface, anyOf }) => {
    const name = names.find((word) => stem(word, language) === anyOf[0]?.key)
    return name && name !== surface && stem(surface, language) !== anyOf[0]?.key
      ? phrase.replace(new RegExp(surface, 'i'), name)
      : phrase
  }, text)
}

/** The fact a comparison asks about. */
export function findComparedFact(
  product: ShopProduct,
  question: ProductQuestion,
  language: string,
  textOptions: ProductTextOptions,
) {
  const stems = askedStems(product, question, language)
  const [best] = findFacts(product, stems, question.text, language, textOptions)
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
function askedStems(
  product: ShopProduct,
  { text, terms, says, vocabulary }: ProductQuestion,
  language: string,
): string[] {
  const { title, brand, attributes, description } = product
  const stop = stopWords(language)
  const name = new Set(words(`${title} ${brand ?? ''}`, language).map((word) => stem(word, language)))
  // Misspelt words of the name belong to the name too.
  const naming = new Set(
    terms.filter(({ anyOf }) => anyOf.some(({ key }) => name.has(key))).map(({ surface }) => surface),
  )
  const termBySurface = new Map(terms.map(({ surface, term }) => [surface, term]))
  const questionWords = words(askingText(text, language), language).filter(
    (word) => !stop.has(word) && !naming.has(word) && (!vocabulary.isFiller(word) || factWords.has(word)),
  )
  if (says.asksContents) questionWords.push('includes')
  // What the product says itself counts before what other products call it.
  const data = `${Object.entries(attributes).flat(2).join(' ')} ${description}`.replaceAll('_', ' ')
  const ownStems = new Set(words(data, language).map((word) => stem(word, language)))
  const stemOf = (word: string) => {
    const ownStem = stem(word, language)
    return ownStems.has(ownStem) || name.has(ownStem) ? ownStem : (termBySurface.get(word) ?? ownStem)
  }
  return [...new Set(questionWords.map(stemOf))].filter((one) => !name.has(one) && one.length > 1)
}

/** One of the product's sizes that are measures: "the 30 m one", or "the 24" where price or stock is asked. */
export function findSpokenSize(product: ShopProduct, { folded, facets, says }: ProductQuestion): FacetCriterion | null {
  if (facets.some(({ kind }) => kind === 'size')) return null
  const figures: string[] = folded.match(/\d+(?:[.,]\d+)?/g) ?? []
  const asksOfOne = figures.length === 1 && (says.asksPrice || says.asksAvailability || says.inStock)
  const sizes = [...new Set(valuesOf(product, 'size'))]
  const matchingSizes = sizes.filter((size) => {
    const [, figure = '', unit = ''] = /^(\d+(?:[.,]\d+)?)\s*(\p{L}+)$/u.exec(foldLetters(size)) ?? []
    if (figure === '' || !figures.includes(figure)) return false
    return asksOfOne || new RegExp(`(?<!\\d)${RegExp.escape(figure)}\\s*${unit}\\b`).test(folded)
  })
  const [value, ...more] = matchingSizes
  return value && more.length === 0 ? { kind: 'size', value, anyOf: [], ofVariant: true } : null
}

/** "XL", but "24 cm". */
function sizeText(value: string): string {
  return /^\d/.test(value) ? value : value.toUpperCase()
}

function describeVariant(
  product: ShopProduct,
  criteria: FacetCriterion[],
  { text, says }: ProductQuestion,
  textOptions: ProductTextOptions,
): ProductDescription {
  const { sentences } = textOptions
  const { stop, colon, listComma, space } = punctuationOf(textOptions.language)
  const { title } = product
  // "And in XXL" asks yes or no, too; "the price of the 24" does not.
  const saysYesOrNo = asksYesOrNo(text, textOptions.language, { isKnownToAsk: !says.asksPrice })
  const variant = criteria
    .map(({ value, kind }) =>
      kind === 'size' ? fillTemplate(sentences.size, { value: sizeText(value) }) : colourText(value, textOptions),
    )
    .join(listComma)
  const matchingVariants = findMatchingVariants(product, criteria)
  const kinds = [...new Set(criteria.map(({ kind }) => kind))].filter((kind) => kind === 'size' || kind === 'colour')
  const offeredValues = kinds.flatMap((kind) => valuesOf(product, kind))
  if (offeredValues.length === 0) return unknownDescription(product, textOptions)
  const offer = fillTemplate(sentences.offeredIn, { values: shorten(offeredValues, textOptions) })
  if (matchingVariants === null) {
    const sentence = chooseForm(sentences.unknownVariant, saysYesOrNo)
    return knownDescription(`${fillTemplate(sentence, { title, variant })}${space}${offer}`)
  }
  const state = stockOf(product, matchingVariants.length > 0 ? matchingVariants : product.variants)
  const sentence = chooseForm(state === 'out_of_stock' ? sentences.notInVariant : sentences.yesInVariant, saysYesOrNo)
  const price = variantPrice(matchingVariants) ?? product.salePrice ?? product.price
  const amount = price === null ? null : formatPrice(price, product.currency, textOptions)
  const priceSentence = amount === null ? '' : `${space}${sentences.price}${colon}${amount}${stop}`
  const stockSentence = fillTemplate(sentence, { title, variant, availability: stockText(state, textOptions) })
  return knownDescription(`${stockSentence}${priceSentence}`)
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
  const matchingVariants = product.variants.filter(({ attributes }) =>
    criteria.every((criterion) => meets(attributes, criterion) || wholeMeets(criterion)),
  )
  function wholeMeets(criterion: FacetCriterion) {
    const isInVariants = product.variants.some(
      ({ attributes }) =>
        valuesOf({ ...product, attributes, variants: [] }, criterion.kind === 'size' ? 'size' : 'colour').length > 0,
    )
    return !isInVariants && meets(product.attributes, criterion)
  }
  if (matchingVariants.length > 0) return matchingVariants
  return product.variants.length === 0 && criteria.every((criterion) => meets(product.attributes, criterion))
    ? []
    : null
}

function isSame(offeredValue: string, askedValue: string, kind: FacetCriterion['kind']): boolean {
  const [offeredPhrase, askedPhrase] = [foldPhrase(offeredValue), foldPhrase(askedValue)]
  if (offeredPhrase === askedPhrase) return true
  // "L/XL" is an L, too.
  if (kind === 'size' && offeredValue.split('/').some((one) => foldPhrase(one) === askedPhrase)) return true
  const [, low, high] = /^(\d+) (\d+)$/.exec(offeredPhrase) ?? []
  if (kind === 'size' && low && high && Number(askedPhrase) >= Number(low) && Number(askedPhrase) <= Number(high))
    return true
  if (kind === 'size') return offeredPhrase === ({ small: 's', medium: 'm', large: 'l' }[askedPhrase] ?? askedPhrase)
  const family = colourFamilies.find((names) => names.includes(askedPhrase)) ?? [askedPhrase]
  return offeredPhrase.split(' ').some((word) => family.includes(word))
}

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function describeValues(
  product: ShopProduct,
  kind: 'size' | 'colour',
  textOptions: ProductTextOptions,
): ProductDescription {
  const values = valuesOf(product, kind)
  if (values.length === 0) return unknownDescription(product, textOptions)
  const { sentences } = textOptions
  const { stop, colon, listComma, space } = punctuationOf(textOptions.language)
  const inStock = valuesOf(product, kind, true)
  const slots = { values: values.join(listComma) }
  const text = `${product.title}${colon}${fillTemplate(kind === 'size' ? sentences.sizes : sentences.colours, slots)}${stop}`
  const soldOutValues = values.filter((value) => !inStock.includes(value))
  const soldOutSentence = `${space}${capitalise(sentences.availability.out_of_stock)}${colon}${soldOutValues.join(listComma)}${stop}`
  return knownDescription(soldOutValues.length > 0 ? text + soldOutSentence : text)
}
