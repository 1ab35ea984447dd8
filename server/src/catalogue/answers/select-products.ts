// Products that a language model may choose from: those of the built-in answer, named ones, those under discussion, and
// what a visitor who wants to buy something may mean. None for other questions, so that prompts stay short.
import type { ProductAnswer, SelectedProduct, Turn } from '../../answers/types.ts'
import { collapseSpaces } from '../../language/fold.ts'
import type { Catalogue, ShopProduct } from '../product.ts'
import { findDiscussion } from '../question/discussion.ts'
import { type ProductQuestion, parseProductQuestion } from '../question/parse-product-question.ts'
import { findNamed } from './find-named.ts'
import { findProducts, searchWords, withSimilarKinds } from './find-products.ts'
import { questionSignals } from './product-answer.ts'
import {
  attributeText,
  formatPrice,
  type ProductTextOptions,
  priceText,
  productSentences,
  ratingText,
  stockOf,
  stockText,
  toCard,
} from './product-text.ts'

const MAX_PRODUCTS = 8
const MAX_ATTRIBUTES = 14
const MAX_VARIANTS = 12
const MAX_CHARACTERS = 300

export async function selectProducts(
  text: string,
  language: string,
  history: readonly Turn[],
  catalogue: Catalogue,
  productAnswer: ProductAnswer | null,
): Promise<SelectedProduct[]> {
  if (catalogue.size === 0) return []
  const parsedQuestion = parseProductQuestion(text, language, catalogue)
  const question = await withSimilarKinds(parsedQuestion, searchWords(parsedQuestion, catalogue), catalogue)
  const namedIds = findNamed(question, catalogue, searchWords(question, catalogue)).map(({ hit }) => hit.id)
  const discussion = findDiscussion(question, history, namedIds.length > 0)
  const ids = [
    ...(productAnswer?.answer.products ?? []).map(({ id }) => id),
    ...namedIds,
    ...(discussion.refers ? discussion.ids : []),
    ...(wantsProducts(question) ? findWanted(question, catalogue) : []),
  ]
  const products = await catalogue.load([...new Set(ids)].slice(0, MAX_PRODUCTS))
  const textOptions = { sentences: productSentences('en'), language, currency: catalogue.currency }
  return products.map((product) => ({
    title: product.title,
    facts: factsOf(product, textOptions),
    url: product.url,
    card: toCard(product, textOptions),
  }))
}

/** A policy or an owned product is a matter for the pages. */
function wantsProducts(question: ProductQuestion): boolean {
  const { says } = question
  if (says.policy || says.howTo || says.owned) return false
  const { shopping, criteria, bare } = questionSignals(question)
  return shopping + criteria + bare > 0
}

/** Those that meet everything, then those that match any word, then, for a gift, whatever is within the limits. */
function findWanted(question: ProductQuestion, catalogue: Catalogue): string[] {
  const { terms, facets, minPrice, maxPrice, inStock, sort, sortedBy } = question
  const limits = { minPrice, maxPrice, inStock, sort, sortedBy, limit: MAX_PRODUCTS }
  const exact = findProducts(question, catalogue)?.hits ?? []
  const loose = catalogue.search({ ...limits, criteria: [...terms, ...facets] })
  const hasLimit = minPrice !== undefined || maxPrice !== undefined
  const any = hasLimit && exact.length + loose.length === 0 ? catalogue.search({ ...limits, criteria: [] }) : []
  return [...exact, ...loose, ...any].map(({ id }) => id)
}

function factsOf(product: ShopProduct, textOptions: ProductTextOptions): string {
  const { brand, categories, attributes, variants, description, url } = product
  const stock = stockOf(product)
  const lines = [
    fact('Price', priceText(product, textOptions)),
    fact('Availability', stock ? stockText(stock, textOptions) : undefined),
    fact('Brand', brand ?? undefined),
    fact('Category', categories[0]),
    fact('Rating', ratingText(product, textOptions)),
    ...Object.entries(attributes)
      .slice(0, MAX_ATTRIBUTES)
      .map(([key, value]) => {
        const { label, text } = attributeText(key, value, textOptions)
        return fact(label, text)
      }),
    ...(variants.length > 1 ? [fact('Variants', variantsText(product, textOptions))] : []),
    fact('Description', shorten(collapseSpaces(description))),
    fact('Link', url ?? undefined),
  ]
  return lines.filter(Boolean).join('\n')
}

/** Sizes and colours with their stock, as far as they differ. */
function variantsText({ variants, currency }: ShopProduct, textOptions: ProductTextOptions): string {
  const all = variants.map(({ attributes, availability, price, salePrice }) => {
    const name = Object.values(attributes).flat().join(' ')
    const cost = salePrice ?? price
    const parts = [
      cost === null ? '' : formatPrice(cost, currency, textOptions),
      availability ? stockText(availability, textOptions) : '',
    ].filter(Boolean)
    return name && parts.length > 0 ? `${name} (${parts.join(', ')})` : name
  })
  return [...new Set(all.filter(Boolean))].slice(0, MAX_VARIANTS).join('; ')
}

function fact(label: string, value: string | undefined): string {
  return value ? `${label}: ${shorten(value)}` : ''
}

function shorten(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text
  const excerpt = text.slice(0, MAX_CHARACTERS)
  return `${excerpt.slice(0, excerpt.lastIndexOf(' ') > 0 ? excerpt.lastIndexOf(' ') : MAX_CHARACTERS)} …`
}
