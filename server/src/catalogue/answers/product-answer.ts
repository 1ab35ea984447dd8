// An answer from the catalogue, with its confidence.

import { roundConfidence } from '../../answers/confidence/logistic.ts'
import { type ProductSignals, productConfidence } from '../../answers/confidence/product-confidence.ts'
import { fallBack } from '../../answers/fall-back.ts'
import type { Answer, BotVoice, ProductAnswer } from '../../answers/types.ts'
import { isSpaceless } from '../../language/scripts.ts'
import { words } from '../../language/words.ts'
import type { Catalogue, ShopProduct } from '../product.ts'
import type { ProductQuestion } from '../question/parse-product-question.ts'
import type { ReadProduct } from './find-facts.ts'
import { type ProductTextOptions, toCard } from './product-text.ts'

export interface ProductRequest {
  question: ProductQuestion
  language: string
  bot: BotVoice
  catalogue: Catalogue
  textOptions: ProductTextOptions
  readProduct: ReadProduct
  /** Signals of the question alone. */
  signals: ProductSignals
}

export function questionSignals(question: ProductQuestion): ProductSignals {
  const { says, facets, sort, minPrice, maxPrice } = question
  const criteria = facets.length > 0 || sort !== 'relevance' || minPrice !== undefined || maxPrice !== undefined
  return {
    about: 0,
    compared: 0,
    companions: 0,
    name: 0,
    definite: 0,
    rivals: 0,
    fit: 0,
    reading: 0,
    coverage: 0,
    kind: 0,
    phrase: 0,
    missedEasily: 0,
    missed: 0,
    criteria: Number(criteria || says.inStock),
    shopping: Number(says.shopping || says.onSale || says.asksPrice || says.asksAvailability),
    bare: Number(isBareName(question)),
    policy: Number(says.policy),
    howTo: Number(says.howTo),
    owned: Number(says.owned),
  }
}

/** "kids bikes": only words for a product, unlike "write me a poem". */
export function isOnlyName({ text, terms, facets }: ProductQuestion): boolean {
  return wordCount(text) <= terms.length + facets.length
}

/** "gas stove", typed as into a search box. */
function isBareName({ text, terms }: ProductQuestion): boolean {
  return !text.includes('?') && wordCount(text) <= terms.length + 2
}

function wordCount(text: string): number {
  return isSpaceless(text) ? words(text).length : text.trim().split(/\s+/).length
}

export function toUnknownAnswer(request: ProductRequest, text: string, products: ShopProduct[]): ProductAnswer {
  const { answer } = toAnswer(request, text, products, {})
  // Offer a person, who may know.
  const { buttons } = fallBack(request.bot, request.language, 0)
  return { answer: { ...answer, buttons, confidence: 0, answered: false, decision: 'product' } }
}

export function toAnswer(
  { bot, language, textOptions, signals: ofQuestion }: ProductRequest,
  text: string,
  products: ShopProduct[],
  ofAnswer: Partial<ProductSignals>,
): Required<Pick<ProductAnswer, 'answer' | 'signals'>> {
  const signals = { ...ofQuestion, ...ofAnswer }
  const confidence = roundConfidence(productConfidence(signals))
  const answer: Answer = {
    text,
    sources: products.slice(0, 5).map(({ title, url }) => ({ title, url: url ?? bot.siteUrl })),
    documentIds: [],
    products: products.map((product) => toCard(product, textOptions)),
    confidence,
    answered: true,
    language,
    buttons: [],
    decision: confidence >= bot.thresholds.answer ? 'product' : 'suggest',
  }
  return { answer, signals }
}
