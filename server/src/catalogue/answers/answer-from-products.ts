// Answers questions about products from the shop's catalogue; null for other questions. Products of earlier answers
// stay under discussion: "is it waterproof?", "and in blue?", "compare the two".
import { questionParts } from '../../answers/compose/question-shape.ts'
import type { BotVoice, Knowledge, ProductAnswer, Turn } from '../../answers/types.ts'
import { foldLetters } from '../../language/fold.ts'
import { contentTerms } from '../index/product-terms.ts'
import type { Catalogue, ShopProduct } from '../product.ts'
import { earlierCriteria, findDiscussion, mergeCriteria } from '../question/discussion.ts'
import { type ProductQuestion, parseProductQuestion } from '../question/parse-product-question.ts'
import { phrases } from '../question/shop-words.ts'
import { compareProducts } from './compare-products.ts'
import { describeProduct, findComparedFact, findMatchingVariants } from './describe-product.ts'
import { findHalfNamed, findNamed, type NamedProduct } from './find-named.ts'
import {
  type FoundProducts,
  findAccessories,
  findProducts,
  MENTIONED,
  searchWords,
  withSimilarKinds,
} from './find-products.ts'
import { isOnlyName, type ProductRequest, questionSignals, toAnswer, toUnknownAnswer } from './product-answer.ts'
import {
  comparedMeasure,
  fillTemplate,
  formatPrice,
  type ProductTextOptions,
  productLine,
  productSentences,
  stockOf,
  stockText,
} from './product-text.ts'

const MAX_SUPERLATIVE = 3
// From this share of a name on, a product is meant, not a kind of thing.
const NAMED = 0.6
// A word is a name if this share of the products that have it use it in the title.
const NAME_SHARE = 0.5
const MAX_COMPARED = 3

export async function answerFromProducts(
  message: string,
  language: string,
  history: readonly Turn[],
  bot: BotVoice,
  catalogue: Catalogue,
  knowledge: Pick<Knowledge, 'judge'>,
): Promise<ProductAnswer | null> {
  if (catalogue.size === 0) return null
  const { text, rest } = withoutPolicies(message, language)
  const said = parseProductQuestion(text, language, catalogue)
  const hits = searchWords(said, catalogue)
  const read = await withSimilarKinds(said, hits, catalogue)
  const byWords = read === said ? hits : searchWords(read, catalogue)
  const own = findNamed(read, catalogue, byWords)
  // "Can I return the Drift 2, and how heavy is it?" names the product in the part meant for pages.
  const named = own.length > 0 || !rest ? own : findNamedIn(message, language, catalogue)
  const policy = read.says.policy && !own.some(({ hit }) => isAllTitle(read, hit.title))
  const question = { ...read, says: { ...read.says, policy } }
  const request: ProductRequest = {
    question,
    language,
    bot,
    catalogue,
    textOptions: { sentences: productSentences(language), language, currency: catalogue.currency },
    judge: (one, title, facts) => {
      // "How long does its battery last?" is clearer with the product's title.
      const earlier = named.length > 0 ? [] : [title]
      return knowledge.judge({ text: one, earlier }, [toPassage(title, facts)])
    },
    signals: questionSignals(question),
  }
  const answer = await answerRequest(request, named, history, byWords)
  return answer && rest ? { ...answer, rest } : answer
}

/** The products that a description fits, best first, for programs; those that miss a criterion only if none meets all. */
export async function searchCatalogue(text: string, language: string, catalogue: Catalogue, limit: number) {
  const said = parseProductQuestion(text, language, catalogue)
  const question = await withSimilarKinds(said, searchWords(said, catalogue), catalogue)
  const found = findProducts(question, catalogue, {}, undefined, limit)
  if (!found) return { products: [], meetsAll: false }
  return { products: await catalogue.read(found.hits.map(({ id }) => id)), meetsAll: found.missed.length === 0 }
}

/** "Field repair kit" is a product, although "repair" is a policy word. */
function isAllTitle({ terms }: ProductQuestion, title: readonly string[]): boolean {
  return terms.every(({ anyOf }) => anyOf[0]?.weight === 1 && title.includes(anyOf[0].key))
}

/** Splits a message that asks about both products and policies. */
function withoutPolicies(message: string, language: string): { text: string; rest?: string } {
  const parts = Map.groupBy(questionParts(message, language), (part) => phrases.policy.test(foldLetters(part)))
  const [text, rest] = [parts.get(false)?.join(' '), parts.get(true)?.join(' ')]
  return text && rest ? { text, rest } : { text: message }
}

function findNamedIn(message: string, language: string, catalogue: Catalogue): NamedProduct[] {
  const whole = parseProductQuestion(message, language, catalogue)
  return findNamed(whole, catalogue, searchWords(whole, catalogue))
}

async function answerRequest(
  request: ProductRequest,
  named: NamedProduct[],
  history: readonly Turn[],
  byWords: ReturnType<typeof searchWords>,
): Promise<ProductAnswer | null> {
  const { question, catalogue } = request
  const { says } = question
  const [first] = named
  const earlier = findDiscussion(question, history, named.length > 0)
  if (earlier.aboutPages && !says.shopping && !first) return null
  const ids = named.map(({ hit }) => hit.id)
  const areSeveral = named.filter(({ hasRivals }) => !hasRivals).length > 1
  if (says.compares || (areSeveral && (says.either || question.comparative))) {
    const said = ids.length > 1 ? ids : [...ids, ...earlier.ids]
    const compared =
      said.length > 1 ? said.slice(0, ids.length > 2 ? 3 : 2) : [...said, ...findComparedKinds(request, first)]
    if (compared.length > 1) return answerComparison(request, [...new Set(compared)])
  }
  const halves = areSeveral ? [] : findHalfNamed(question, request.language, catalogue)
  if (halves.length > 1) return answerComparison(request, halves)
  const subject = ids[0] ?? (earlier.refers ? earlier.ids[0] : undefined)
  if (says.accessories && subject) return answerAccessories(request, subject)
  if (earlier.refers && earlier.ids.length > 0) return answerFollowUp(request, earlier)
  const isSorted = question.sort !== 'relevance' && !says.affordable
  if (first && first.share >= NAMED && !first.hasRivals && !isSorted) return answerAbout(request, first)
  const list = await answerList(request, findProducts(question, catalogue, {}, byWords))
  if (!first || isSorted) return list
  // Part of a name may be an ordinary word, so use the likelier answer.
  const own = await answerAbout(request, first)
  const isLikelier = list?.answer.answered && list.answer.confidence > (own?.answer.confidence ?? 0)
  return isLikelier ? list : own
}

async function answerFollowUp(
  request: ProductRequest,
  earlier: ReturnType<typeof findDiscussion>,
): Promise<ProductAnswer | null> {
  const { question, catalogue, language } = request
  const [first] = earlier.ids
  if (!first) return null
  const asksVariant = question.facets.some(({ kind }) => kind === 'size' || kind === 'colour')
  if (earlier.pointsAtOne && asksVariant && question.terms.length === 0 && !question.says.cheaper)
    return answerVariant(request, first, earlier)
  const isNewCriterion = request.signals.criteria === 1 && question.says.shopping && question.terms.length === 0
  if (question.says.cheaper || (isNewCriterion && earlier.ids.length === 1)) {
    const [subject] = await catalogue.read([first])
    return subject ? answerAlternatives(request, subject) : null
  }
  if (question.sort !== 'relevance' && earlier.ids.length > 1 && question.terms.length === 0) {
    const only = new Set(earlier.ids)
    return answerList(request, findProducts(question, catalogue, { only }))
  }
  // A criterion added to a list starts a new search with the earlier ones.
  const isAdded = question.terms.length === 0 && !earlier.pointsAtOne && (earlier.ids.length > 1 || isLimit(question))
  const before = isAdded ? earlierCriteria(earlier.questions, language, catalogue) : null
  if (before) {
    const found = findProducts(mergeCriteria(before.question, question), catalogue)
    return answerList(request, found && before.isPrivate ? hideOthersCriteria(found, question) : found)
  }
  return answerAbout(request, first)
}

/** "Do you have it in blue?": yes or no, and if not, what else meets everything asked for so far. */
async function answerVariant(
  request: ProductRequest,
  id: string,
  earlier: ReturnType<typeof findDiscussion>,
): Promise<ProductAnswer | null> {
  const { question, catalogue, language, textOptions } = request
  const answer = await answerAbout(request, id)
  const [product] = await catalogue.read([id])
  const criteria = question.facets.filter(({ kind }) => kind === 'size' || kind === 'colour')
  if (!answer || !product || findMatchingVariants(product, criteria) !== null) return answer
  const before = earlierCriteria(earlier.questions, language, catalogue)
  const found =
    before && findProducts(mergeCriteria(before.question, question), catalogue, { except: new Set(earlier.ids) })
  if (!found || found.missed.length > 0) return answer
  const others = await catalogue.read(found.hits.slice(0, MAX_SUPERLATIVE).map((hit) => hit.id))
  const opening = fillTemplate(textOptions.sentences.alternatives, { title: product.title })
  const lines = [answer.answer.text, opening, ...others.map((one) => productLine(one, textOptions))]
  return toAnswer(request, lines.join('\n'), [product, ...others], answer.signals ?? {})
}

/** "Under 200" asks nothing about the one product that was shown. */
function isLimit({ minPrice, maxPrice, facets }: ProductQuestion): boolean {
  return minPrice !== undefined || maxPrice !== undefined || facets.some(({ kind }) => kind === 'measure')
}

/** Hides unmet criteria that others had asked for, which a reply would name. */
function hideOthersCriteria(found: FoundProducts, { facets }: ProductQuestion): FoundProducts {
  const isOwn = (one: FoundProducts['missed'][number]) =>
    typeof one === 'string' ? one === 'price' || one === 'inStock' : facets.includes(one)
  return { ...found, missed: found.missed.map((one) => (isOwn(one) ? one : '')) }
}

/** About a product that was named or is under discussion. */
async function answerAbout(request: ProductRequest, one: NamedProduct | string): Promise<ProductAnswer | null> {
  const { catalogue, question, language, textOptions, judge } = request
  const named = typeof one === 'string' ? null : one
  const [product] = await catalogue.read([typeof one === 'string' ? one : one.hit.id])
  if (!product) return null
  const said = await describeProduct(product, question, language, textOptions, judge)
  // A page may know; otherwise the reply says that it is unknown.
  if (!said.known) return toUnknownAnswer(request, said.text, [product])
  return toAnswer(request, said.text, [product], {
    about: 1,
    name: named?.share ?? 1,
    definite: Number(named?.isDefinite ?? true),
    rivals: Number(named?.hasRivals ?? false),
    coverage: named?.coverage ?? 1,
    criteria: 0,
    kind: 1,
    phrase: 1,
    fit: said.fit,
    reading: said.reading,
    ...(said.isCare ? { howTo: 0 } : {}),
  })
}

/** Products compared by their kind: "the two headlamps", "the Cloudlet and the foam mat". */
function findComparedKinds({ question, catalogue }: ProductRequest, first: NamedProduct | undefined): string[] {
  const name = new Set(first?.hit.title.filter((term) => catalogue.nameShare(term) >= NAME_SHARE))
  const terms = question.terms.filter(({ anyOf }) => !name.has(anyOf[0]?.key ?? ''))
  if (terms.length === 0) return []
  const scope = first ? { except: new Set([first.hit.id]) } : {}
  const found = findProducts({ ...question, terms, head: terms.length - 1 }, catalogue, scope)
  const ids = found?.missed.length === 0 ? found.hits.map(({ id }) => id) : []
  if (first) return ids.slice(0, 1)
  return ids.length <= MAX_COMPARED ? ids : []
}

async function answerComparison(request: ProductRequest, ids: string[]): Promise<ProductAnswer | null> {
  const { catalogue, question, language, textOptions } = request
  const products = await catalogue.read(ids)
  if (products.length < 2) return null
  const facts = products.map((product) => ({
    product,
    fact: findComparedFact(product, question, language, textOptions),
  }))
  return toAnswer(request, compareProducts(facts, question.comparative, textOptions), products, { compared: 1 })
}

async function answerAccessories(request: ProductRequest, id: string): Promise<ProductAnswer | null> {
  const { catalogue, textOptions } = request
  const [subject] = await catalogue.read([id])
  if (!subject) return null
  const products = await catalogue.read(findAccessories(subject, catalogue))
  if (products.length === 0) return null
  const opening = fillTemplate(textOptions.sentences.accessories, { title: subject.title })
  const lines = products.map((one) => productLine(one, textOptions))
  return toAnswer(request, [opening, ...lines].join('\n'), products, { companions: 1 })
}

/** The same kind of product with other criteria, or cheaper. */
async function answerAlternatives(request: ProductRequest, subject: ShopProduct): Promise<ProductAnswer | null> {
  const { catalogue, textOptions, language, question } = request
  const price = subject.salePrice ?? subject.price
  const kind = subject.categories[0]?.split(/[>/]/).at(-1) ?? subject.title
  const like = mergeCriteria(parseProductQuestion(kind, language, catalogue), question)
  const less = question.says.cheaper && price !== null ? { maxPrice: price - 0.01, sort: 'price_up' as const } : {}
  const found = findProducts({ ...like, ...less }, catalogue, { except: new Set([subject.id]) })
  const hits = found && found.missed.length === 0 ? found.hits.slice(0, MAX_SUPERLATIVE) : []
  const products = await catalogue.read(hits.map(({ id }) => id))
  const opening =
    hits.length > 0
      ? fillTemplate(textOptions.sentences.alternatives, { title: subject.title })
      : textOptions.sentences.noMatch
  const shown = hits.length > 0 ? products : [subject]
  const lines = shown.map((one) => productLine(one, textOptions))
  return toAnswer(request, [opening, ...lines].join('\n'), shown, { companions: 1 })
}

async function answerList(request: ProductRequest, found: FoundProducts | null): Promise<ProductAnswer | null> {
  const { question, catalogue, textOptions, signals, bot } = request
  if (question.terms.length === 0 && signals.criteria === 0) return null
  const isSuperlative = question.sort !== 'relevance' && !question.says.affordable
  const hits = found?.hits.slice(0, isSuperlative ? MAX_SUPERLATIVE : undefined) ?? []
  const products = await catalogue.read(hits.map(({ id }) => id))
  const asksSale = question.facets.some(({ kind }) => kind === 'sale')
  const hasReduced = found && !found.missed.some((one) => typeof one !== 'string' && one.kind === 'sale')
  const asksOnlySale = question.terms.length === 0 && question.facets.every(({ kind }) => kind === 'sale')
  if (asksSale && !hasReduced && asksOnlySale) return toUnknownAnswer(request, textOptions.sentences.nothingOnSale, [])
  if (!found || products.length === 0) return answerNotSold(request)
  if (isOnlyModifier(question, found, products, catalogue.language)) return answerNotSold(request)
  const missed = found.missed.filter((one) => typeof one !== 'string' || one === 'price' || one === 'inStock')
  const isEasy = (one: (typeof missed)[number]) => typeof one === 'string' || /size|colour|sale/.test(one.kind)
  const text = (await describeOnlyMatch(request, products)) ?? listText(question, found, products, textOptions)
  const list = toAnswer(request, text, products, {
    coverage: found.coverage,
    kind: found.kind,
    phrase: found.phrase,
    criteria: missed.length > 0 ? 0 : signals.criteria,
    missedEasily: Number(missed.some(isEasy)),
    missed: Number(missed.some((one) => !isEasy(one))),
  })
  // A dry bag "for canoes" is not a canoe.
  const least = found.kind <= MENTIONED ? bot.thresholds.answer : bot.thresholds.suggest
  return list.answer.confidence < least ? (answerNotSold(request) ?? list) : list
}

/** "Do you sell laptops?", where packs have a laptop sleeve: what only narrows the name of an attribute is not sold. */
function isOnlyModifier(
  { terms, head, says }: ProductQuestion,
  { kind }: FoundProducts,
  products: ShopProduct[],
  language: string,
): boolean {
  const term = terms[head]?.term
  if (!term || terms.length > 1 || !says.shopping || kind === 1) return false
  const has = (text: string) => contentTerms(text, language).includes(term)
  return products.every(({ title, brand, categories, attributes, variants }) => {
    const all = [attributes, ...variants.map((variant) => variant.attributes)].flatMap(
      Object.entries<string | string[]>,
    )
    const values = all.flatMap(([, value]) => value)
    const names = all.map(([key]) => contentTerms(key.replaceAll('_', ' '), language))
    const isNamed =
      [title, brand ?? '', ...categories, ...values].some(has) || names.some((name) => name.at(-1) === term)
    return !isNamed && names.some((name) => name.includes(term))
  })
}

/** "What colours does the merino hat come in?", if there is only one such hat. */
async function describeOnlyMatch(
  { question, language, textOptions, judge }: ProductRequest,
  [only, ...others]: ShopProduct[],
) {
  const { asksSizes, asksColours, asksRating } = question.says
  if (!only || others.length > 0 || !(asksSizes || asksColours || asksRating)) return null
  const said = await describeProduct(only, question, language, textOptions, judge)
  return said.known ? said.text : null
}

/** Only for visitors who want to buy something; other questions are left to the pages. */
function answerNotSold(request: ProductRequest): ProductAnswer | null {
  const { question, textOptions } = request
  const { says, terms, text } = question
  if (terms.length === 0 || says.policy || says.howTo || says.owned) return null
  if (!says.shopping && !isOnlyName(question)) return null
  const first = terms[0]?.surface ?? ''
  const last = terms.at(-1)?.surface ?? ''
  const lower = text.toLowerCase()
  const [from, to] = [lower.indexOf(first), lower.lastIndexOf(last) + last.length]
  const wanted = from >= 0 && to > from ? text.slice(from, to) : terms.map(({ surface }) => surface).join(' ')
  const lines = [fillTemplate(textOptions.sentences.notSold, { wanted }), request.bot.fallbackMessage]
  return toUnknownAnswer(request, lines.filter(Boolean).join('\n'), [])
}

function toPassage(title: string, text: string) {
  return { id: '', documentId: '', title, url: null, headings: [], anchor: null, text, language: 'en' }
}

// A list of products as text: an introduction and one line per product.
function listText(
  question: ProductQuestion,
  found: FoundProducts,
  products: ShopProduct[],
  textOptions: ProductTextOptions,
): string {
  const { sentences } = textOptions
  const variantCriteria = question.facets.filter(({ kind }) => kind === 'size' || kind === 'colour')
  const { comparative, sort } = question
  const sortedBy = (product: ShopProduct) =>
    comparative?.sort === sort ? comparedMeasure(product, comparative, textOptions)?.text : undefined
  const lines = products.map((product) => {
    const matching = variantCriteria.length > 0 ? findMatchingVariants(product, variantCriteria) : null
    if (!matching || matching.length === 0)
      return [productLine(product, textOptions), sortedBy(product)].filter(Boolean).join(', ')
    // Report the availability of the requested variants.
    const state = stockOf(product, matching)
    const named = variantCriteria.map(({ kind, value }) =>
      kind === 'size' ? fillTemplate(sentences.size, { value: value.toUpperCase() }) : value,
    )
    return `${productLine({ ...product, variants: [], availability: null }, textOptions)}, ${named.join(', ')}: ${stockText(state, textOptions)}`
  })
  return [opening(question, found, products, textOptions), ...lines].join('\n')
}

function opening(
  question: ProductQuestion,
  { missed }: FoundProducts,
  products: ShopProduct[],
  textOptions: ProductTextOptions,
): string {
  const { sentences } = textOptions
  const [only, ...more] = missed
  const isSale = (one: (typeof missed)[number] | undefined) => typeof one === 'object' && one.kind === 'sale'
  if (isSale(only) && more.length === 0) return sentences.notOnSale
  if (missed.length === 0 && question.facets.some(isSale)) return sentences.onSale
  if (missed.length > 0) {
    // The visitor's limit is in the currency of the prices below it, if they share one.
    const [currency = null, ...others] = new Set(products.map((product) => product.currency ?? textOptions.currency))
    const limits = { ...textOptions, currency: others.length > 0 ? null : currency }
    const named = missed.map((one) => missedText(one, question, limits)).filter(Boolean)
    return fillTemplate(named.length > 0 ? sentences.nearest : sentences.nearest.replace(' ({missed})', ''), {
      missed: named.join(', '),
    })
  }
  if (products.every((product) => stockOf(product) === 'out_of_stock')) return sentences.onlyOutOfStock
  const openings = {
    relevance: sentences.found,
    price_up: sentences.cheapest,
    price_down: sentences.mostExpensive,
    rating: sentences.bestRated,
    newest: sentences.newest,
    measure_up: sentences.found,
    measure_down: sentences.found,
  }
  return openings[question.sort]
}

function missedText(
  missed: FoundProducts['missed'][number],
  { minPrice, maxPrice }: ProductQuestion,
  textOptions: ProductTextOptions,
): string {
  const { sentences } = textOptions
  if (missed === 'inStock') return sentences.stockCriterion
  if (missed === 'price') {
    const price = (value: number) => formatPrice(value, null, textOptions)
    return [
      minPrice === undefined ? '' : fillTemplate(sentences.from, { price: price(minPrice) }),
      maxPrice === undefined ? '' : fillTemplate(sentences.upTo, { price: price(maxPrice) }),
    ]
      .filter(Boolean)
      .join(' ')
  }
  if (typeof missed === 'string') return missed
  if (missed.kind === 'size') return fillTemplate(sentences.size, { value: missed.value.toUpperCase() })
  return missed.kind === 'colour' ? fillTemplate(sentences.colour, { value: missed.value }) : missed.value
}
