// A question that is about products, answered from the shop's catalogue; null where it is not. What an earlier answer
// was about stays under discussion: "is it waterproof?", "and in blue?", "compare the two".
import type { Answer, BotVoice, Turn } from '../types.ts'
import { aboutProduct } from './about-product.ts'
import { compareProducts } from './compare-products.ts'
import { type Manner, productLine, toCard } from './describe-product.ts'
import { findCompanions } from './find-companions.ts'
import { findNamed } from './find-named.ts'
import { type FoundProducts, findProducts, searchWords } from './find-products.ts'
import { listText } from './list-text.ts'
import { fill, productSentences } from './product-sentences.ts'
import { type ProductQuestion, readProductQuestion } from './read-product-question.ts'
import type { Catalogue, ShopProduct } from './types.ts'
import { underDiscussion } from './under-discussion.ts'

export interface ProductAnswer {
  answer: Answer
  /** No page needs to be asked. */
  certain: boolean
}

interface Asked {
  question: ProductQuestion
  language: string
  bot: BotVoice
  catalogue: Catalogue
  manner: Manner
}

// Set by hand, and held against the questions of bench/src/shop-questions.ts: see docs/decisions/0011.
const confidences = { named: 0.9, fact: 0.85, compared: 0.85, companions: 0.6, unknown: 0.15 }
const MOST_SUPERLATIVE = 3
const MOST_UNTOLD = 2

export async function answerFromProducts(
  text: string,
  language: string,
  history: readonly Turn[],
  bot: BotVoice,
  catalogue: Catalogue,
): Promise<ProductAnswer | null> {
  if (catalogue.size === 0) return null
  const question = readProductQuestion(text, language, catalogue)
  const manner = { say: productSentences(language), language, currency: catalogue.currency }
  const asked = { question, language, bot, catalogue, manner }
  const byWords = searchWords(question, catalogue)
  const named = findNamed(question, catalogue, byWords)
  const { says } = question
  // "Field repair kit" is a product, although repairs are a matter of policy.
  if (says.policy && !named.some(({ title }) => says.policy && title.length > 1 && isAllTitle(question, title)))
    return null
  // "My Basalt boots are worn down, can they get new soles?" is about what happened, not about what is sold.
  if (says.owned && untold(question, named[0]?.title ?? []) > MOST_UNTOLD) return null
  const earlier = underDiscussion(question, history, named.length > 0)
  if (earlier.aboutPages && !says.shopping && named.length === 0) return null

  if (says.compares) {
    const ids =
      named.length > 1 ? named.slice(0, 3).map(({ id }) => id) : [...named.map(({ id }) => id), ...earlier.ids]
    if (ids.length > 1) return compared(asked, [...new Set(ids)].slice(0, named.length > 2 ? 3 : 2))
  }
  const subject = named[0]?.id ?? (earlier.refers ? earlier.ids[0] : undefined)
  if (says.accessories && subject) return companions(asked, subject)
  if (earlier.refers && earlier.ids.length > 0) return followUp(asked, earlier)
  if (named[0] && !says.cheapest && !says.dearest) return about(asked, named[0].id, confidences.named)
  return listed(asked, findProducts(question, catalogue, {}, byWords))
}

function untold({ terms }: ProductQuestion, title: readonly string[]): number {
  return terms.filter(({ anyOf }) => !anyOf.some(({ key }) => title.includes(key))).length
}

/** Nothing is said besides the name that could be the matter. */
function isAllTitle({ terms }: ProductQuestion, title: readonly string[]): boolean {
  return terms.every(({ term }) => title.includes(term))
}

async function followUp(asked: Asked, earlier: ReturnType<typeof underDiscussion>): Promise<ProductAnswer | null> {
  const { question, catalogue, language } = asked
  const [first] = earlier.ids
  if (!first) return null
  if (question.says.cheaper) {
    const [subject] = await catalogue.read([first])
    return subject ? alternatives(asked, subject) : null
  }
  if (question.sort !== 'relevance' && earlier.ids.length > 1 && question.terms.length === 0) {
    const only = new Set(earlier.ids)
    return listed(asked, findProducts(question, catalogue, { only }))
  }
  // A wish that is added to a list is a new look at what was looked for.
  if (earlier.ids.length > 1 && !earlier.pointsAtOne && question.terms.length === 0 && earlier.question !== '') {
    const before = readProductQuestion(earlier.question, language, catalogue)
    if (before.terms.length > 0) return listed(asked, findProducts(merged(before, question), catalogue))
  }
  return about(asked, first, confidences.fact)
}

function merged(before: ProductQuestion, now: ProductQuestion): ProductQuestion {
  const kinds = new Set(now.facets.map(({ kind }) => kind))
  return {
    ...now,
    terms: before.terms,
    head: before.head,
    facets: [...before.facets.filter(({ kind }) => !kinds.has(kind)), ...now.facets],
    ...(now.minPrice === undefined && now.maxPrice === undefined
      ? { minPrice: before.minPrice, maxPrice: before.maxPrice }
      : {}),
    sort: now.sort === 'relevance' ? before.sort : now.sort,
    inStock: now.inStock || before.inStock,
  }
}

async function about(asked: Asked, id: string, confidence: number): Promise<ProductAnswer | null> {
  const [product] = await asked.catalogue.read([id])
  if (!product) return null
  const said = aboutProduct(product, asked.question, asked.language, asked.manner)
  if (!said.known) {
    const answer = toAnswer(asked, said.text, [product], confidences.unknown)
    // A page may know; if none does, it is said that it is not known.
    return { answer: { ...answer, answered: false }, certain: false }
  }
  return {
    answer: toAnswer(
      asked,
      said.text,
      [product],
      confidence * (0.7 + 0.3 * said.fit) * (asked.question.says.owned ? 0.5 : 1),
    ),
    certain: !asked.question.says.howTo && !asked.question.says.owned,
  }
}

async function compared(asked: Asked, ids: string[]): Promise<ProductAnswer | null> {
  const products = await asked.catalogue.read(ids)
  if (products.length < 2) return null
  return {
    answer: toAnswer(asked, compareProducts(products, asked.manner), products, confidences.compared),
    certain: true,
  }
}

async function companions(asked: Asked, id: string): Promise<ProductAnswer | null> {
  const { catalogue, manner } = asked
  const [subject] = await catalogue.read([id])
  if (!subject) return null
  const products = await catalogue.read(findCompanions(subject, catalogue))
  if (products.length === 0) return null
  const text = [
    fill(manner.say.accessories, { title: subject.title }),
    ...products.map((one) => productLine(one, manner)),
  ]
  return { answer: toAnswer(asked, text.join('\n'), products, confidences.companions), certain: true }
}

/** The same kind of thing for less. */
async function alternatives(asked: Asked, subject: ShopProduct): Promise<ProductAnswer | null> {
  const { catalogue, manner, language, question } = asked
  const price = subject.salePrice ?? subject.price
  const kind = subject.categories[0]?.split(/[>/]/).at(-1) ?? subject.title
  const like = readProductQuestion(kind, language, catalogue)
  const maxPrice = price === null ? question.maxPrice : price - 0.01
  const wanted: ProductQuestion = { ...merged(like, question), maxPrice, sort: 'price_up' }
  const found = findProducts(wanted, catalogue, { except: new Set([subject.id]) })
  if (!found || found.missed.length > 0) {
    const text = `${manner.say.noMatch}\n${productLine(subject, manner)}`
    return { answer: toAnswer(asked, text, [subject], confidences.companions), certain: true }
  }
  const products = await catalogue.read(found.hits.slice(0, MOST_SUPERLATIVE).map(({ id }) => id))
  const lines = [
    fill(manner.say.alternatives, { title: subject.title }),
    ...products.map((one) => productLine(one, manner)),
  ]
  return { answer: toAnswer(asked, lines.join('\n'), products, confidences.fact), certain: true }
}

async function listed(asked: Asked, found: FoundProducts | null): Promise<ProductAnswer | null> {
  const { question, catalogue } = asked
  const { says, facets, sort, minPrice, maxPrice } = question
  if (!found) return null
  const wishes =
    facets.length > 0 || sort !== 'relevance' || minPrice !== undefined || maxPrice !== undefined || says.inStock
  if (question.terms.length === 0 && !wishes) return null
  const superlative = sort !== 'relevance' && !says.affordable
  const most = superlative ? MOST_SUPERLATIVE : found.hits.length
  const products = await catalogue.read(found.hits.slice(0, most).map(({ id }) => id))
  if (products.length === 0) return null
  const sure = found.isKind && found.coverage >= 0.7
  const confidence = (sure ? 0.6 + 0.3 * found.coverage : 0.5 * found.coverage) - (found.missed.length > 0 ? 0.15 : 0)
  const asksToShop = isBareName(question) || wishes || says.shopping || says.asksPrice || says.asksAvailability
  return {
    answer: toAnswer(
      asked,
      listText(question, found, products, asked.manner),
      products,
      says.howTo || says.owned ? confidence / 2 : confidence,
    ),
    certain: sure && asksToShop && !says.howTo && !says.owned,
  }
}

/** "gas stove", typed into a chat as into a search box. */
function isBareName({ text, terms }: ProductQuestion): boolean {
  return !text.includes('?') && text.trim().split(/\s+/).length <= terms.length + 2
}

function toAnswer({ bot, language, manner }: Asked, text: string, products: ShopProduct[], confidence: number): Answer {
  return {
    text,
    sources: products.slice(0, 5).map(({ title, url }) => ({ title, url: url ?? bot.siteUrl })),
    documentIds: [],
    products: products.map((product) => toCard(product, manner)),
    confidence: Math.round(Math.min(1, Math.max(0, confidence)) * 1000) / 1000,
    answered: true,
    language,
    buttons: [],
    wantsPerson: false,
  }
}
