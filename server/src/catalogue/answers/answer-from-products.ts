// Answers questions about products from the shop's catalogue; null for other questions. Products of earlier answers
// stay under discussion: "is it waterproof?", "and in blue?", "compare the two".

import { questionParts } from '../../answers/compose/question-shape.ts'
import type { BotVoice, Knowledge, ProductAnswer, Turn } from '../../answers/types.ts'
import { foldLetters } from '../../language/fold.ts'
import { languageOrEnglish } from '../../language/languages.ts'
import { punctuationOf } from '../../language/punctuation.ts'
import { asksYesOrNo } from '../../language/question-words.ts'
import { contentTerms } from '../index/product-terms.ts'
import type { Catalogue, ShopProduct } from '../product.ts'
import { earlierCriteria, findDiscussion, mergeCriteria } from '../question/discussion.ts'
import { type ProductQuestion, parseProductQuestion } from '../question/parse-product-question.ts'
import { shopWords } from '../question/shop-words.ts'
import { compareProducts } from './compare-products.ts'
import { describeProduct, findComparedFact, findMatchingVariants, findSpokenSize } from './describe-product.ts'
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
  chooseForm,
  colourText,
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
/** Where no missed criterion has a name. */
const UNNAMED = / ?[(（]\{missed\}[)）]/

export async function answerFromProducts(
  message: string,
  language: string,
  history: readonly Turn[],
  bot: BotVoice,
  catalogue: Catalogue,
  knowledge: Pick<Knowledge, 'read'>,
): Promise<ProductAnswer | null> {
  if (catalogue.size === 0) return null
  const { text, rest } = withoutPolicies(message, language)
  const parsedQuestion = parseProductQuestion(text, language, catalogue)
  const hits = searchWords(parsedQuestion, catalogue)
  const widenedQuestion = await withSimilarKinds(parsedQuestion, hits, catalogue)
  const byWords = widenedQuestion === parsedQuestion ? hits : searchWords(widenedQuestion, catalogue)
  const ownNamed = findNamed(widenedQuestion, catalogue, byWords)
  // "Can I return the Drift 2, and how heavy is it?" names the product in the part meant for pages.
  const namedProducts = ownNamed.length > 0 || !rest ? ownNamed : findNamedIn(message, language, catalogue)
  const policy = widenedQuestion.says.policy && !ownNamed.some(({ hit }) => isAllTitle(widenedQuestion, hit.title))
  const question = { ...widenedQuestion, says: { ...widenedQuestion.says, policy } }
  const request: ProductRequest = {
    question,
    language,
    bot,
    catalogue,
    textOptions: { sentences: productSentences(language), language, currency: catalogue.currency },
    readProduct: (one, title, facts) => {
      // "How long does its battery last?" is clearer with the product's title.
      const earlier = namedProducts.length > 0 ? [] : [title]
      return knowledge.read({ text: one, earlier }, [toPassage(title, facts)])
    },
    signals: questionSignals(question),
  }
  const answer = await answerRequest(request, namedProducts, history, byWords)
  return answer && rest ? { ...answer, rest } : answer
}

/** The products that a description fits, best first, for programs; those that miss a criterion only if none meets all. */
export async function searchCatalogue(text: string, language: string, catalogue: Catalogue, limit: number) {
  const parsedQuestion = parseProductQuestion(text, language, catalogue)
  const question = await withSimilarKinds(parsedQuestion, searchWords(parsedQuestion, catalogue), catalogue)
  const foundProducts = findProducts(question, catalogue, {}, undefined, limit)
  if (!foundProducts) return { products: [], meetsAll: false }
  return {
    products: await catalogue.load(foundProducts.hits.map(({ id }) => id)),
    meetsAll: foundProducts.missed.length === 0,
  }
}

/** "Field repair kit" is a product, although "repair" is a policy word. */
function isAllTitle({ terms }: ProductQuestion, title: readonly string[]): boolean {
  return terms.every(({ anyOf }) => anyOf[0]?.weight === 1 && title.includes(anyOf[0].key))
}

/** Splits a message that asks about both products and policies. */
function withoutPolicies(message: string, language: string): { text: string; rest?: string } {
  const { policy } = shopWords(language).phrases
  const parts = Map.groupBy(questionParts(message, language), (part) => policy.test(foldLetters(part)))
  const [text, rest] = [parts.get(false)?.join(' '), parts.get(true)?.join(' ')]
  return text && rest ? { text, rest } : { text: message }
}

function findNamedIn(message: string, language: string, catalogue: Catalogue): NamedProduct[] {
  const whole = parseProductQuestion(message, language, catalogue)
  return findNamed(whole, catalogue, searchWords(whole, catalogue))
}

async function answerRequest(
  request: ProductRequest,
  namedProducts: NamedProduct[],
  history: readonly Turn[],
  byWords: ReturnType<typeof searchWords>,
): Promise<ProductAnswer | null> {
  const { question, catalogue } = request
  const { says } = question
  const [first] = namedProducts
  const earlier = findDiscussion(question, history, namedProducts.length > 0)
  if (earlier.aboutPages && !says.shopping && !first) return null
  const ids = namedProducts.map(({ hit }) => hit.id)
  const areSeveral = namedProducts.filter(({ hasRivals }) => !hasRivals).length > 1
  if (says.compares || (areSeveral && (says.either || question.comparative))) {
    const candidateIds = ids.length > 1 ? ids : [...ids, ...earlier.ids]
    const comparedIds =
      candidateIds.length > 1
        ? candidateIds.slice(0, ids.length > 2 ? 3 : 2)
        : [...candidateIds, ...findComparedKinds(request, first)]
    if (comparedIds.length > 1) return answerComparison(request, [...new Set(comparedIds)])
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
  const ownAnswer = await answerAbout(request, first)
  const isLikelier = list?.answer.answered && list.answer.confidence > (ownAnswer?.answer.confidence ?? 0)
  return isLikelier ? list : ownAnswer
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
    const [subject] = await catalogue.load([first])
    return subject ? answerAlternatives(request, subject) : null
  }
  const [firstProduct] = await catalogue.load([first])
  if (firstProduct && findSpokenSize(firstProduct, question)) return answerAbout(request, first)
  // "And the most expensive?" after the cheapest ones is not among those that were shown.
  const isAmong = !earlier.goesOn || earlier.pointsAtOne || question.says.among
  if (question.sort !== 'relevance' && earlier.ids.length > 1 && question.terms.length === 0 && isAmong) {
    const only = new Set(earlier.ids)
    return answerList(request, findProducts(question, catalogue, { only }))
  }
  // A criterion added to a list starts a new search with the earlier ones.
  const isAdded = question.terms.length === 0 && !earlier.pointsAtOne && (earlier.ids.length > 1 || isLimit(question))
  const before = isAdded ? earlierCriteria(earlier.questions, language, catalogue) : null
  if (before) {
    const foundProducts = findProducts(mergeCriteria(before.question, question), catalogue)
    return answerList(
      request,
      foundProducts && before.isPrivate ? hideOthersCriteria(foundProducts, question) : foundProducts,
    )
  }
  const other = earlier.goesOn && !earlier.pointsAtOne ? findOtherKind(request, earlier.ids) : null
  return other ? answerList(request, other) : answerAbout(request, first)
}

/** "And kettles?" asks for another kind of thing, not about the one that was shown. */
function findOtherKind({ question, catalogue }: ProductRequest, shownIds: string[]): FoundProducts | null {
  if (question.terms.length === 0) return null
  const foundProducts = findProducts(question, catalogue)
  const isOther =
    foundProducts &&
    foundProducts.kind > MENTIONED &&
    foundProducts.missed.length === 0 &&
    !foundProducts.hits.some(({ id }) => shownIds.includes(id))
  return isOther ? foundProducts : null
}

/** "Do you have it in blue?": yes or no, and if not, what else meets everything asked for so far. */
async function answerVariant(
  request: ProductRequest,
  id: string,
  earlier: ReturnType<typeof findDiscussion>,
): Promise<ProductAnswer | null> {
  const { question, catalogue, language, textOptions } = request
  const answer = await answerAbout(request, id)
  const [product] = await catalogue.load([id])
  const criteria = question.facets.filter(({ kind }) => kind === 'size' || kind === 'colour')
  if (!answer || !product || findMatchingVariants(product, criteria) !== null) return answer
  const before = earlierCriteria(earlier.questions, language, catalogue)
  const foundProducts =
    before && findProducts(mergeCriteria(before.question, question), catalogue, { except: new Set(earlier.ids) })
  if (!foundProducts || foundProducts.missed.length > 0) return answer
  const others = await catalogue.load(foundProducts.hits.slice(0, MAX_SUPERLATIVE).map((hit) => hit.id))
  const opening = fillTemplate(textOptions.sentences.alternatives, { title: product.title })
  const lines = [answer.answer.text, opening, ...others.map((one) => productLine(one, textOptions))]
  return toAnswer(request, lines.join('\n'), [product, ...others], answer.signals ?? {})
}

/** "Under 200" asks nothing about the one product that was shown. */
function isLimit({ minPrice, maxPrice, facets }: ProductQuestion): boolean {
  return minPrice !== undefined || maxPrice !== undefined || facets.some(({ kind }) => kind === 'measure')
}

/** Hides unmet criteria that others had asked for, which a reply would name. */
function hideOthersCriteria(foundProducts: FoundProducts, { facets }: ProductQuestion): FoundProducts {
  const isOwn = (one: FoundProducts['missed'][number]) =>
    typeof one === 'string' ? one === 'price' || one === 'inStock' : facets.includes(one)
  return { ...foundProducts, missed: foundProducts.missed.map((one) => (isOwn(one) ? one : '')) }
}

/** About a product that was named or is under discussion. */
async function answerAbout(request: ProductRequest, one: NamedProduct | string): Promise<ProductAnswer | null> {
  const { catalogue, question, language, textOptions, readProduct } = request
  const namedProduct = typeof one === 'string' ? null : one
  const [product] = await catalogue.load([typeof one === 'string' ? one : one.hit.id])
  if (!product) return null
  const description = await describeProduct(product, question, language, textOptions, readProduct)
  // A page may know; otherwise the reply says that it is unknown.
  if (!description.known) return toUnknownAnswer(request, description.text, [product])
  return toAnswer(request, description.text, [product], {
    about: 1,
    name: namedProduct?.share ?? 1,
    definite: Number(namedProduct?.isDefinite ?? true),
    rivals: Number(namedProduct?.hasRivals ?? false),
    coverage: namedProduct?.coverage ?? 1,
    criteria: 0,
    kind: 1,
    phrase: 1,
    fit: description.fit,
    reading: description.reading,
    ...(description.isCare ? { howTo: 0 } : {}),
  })
}

/** Products compared by their kind: "the two headlamps", "the Cloudlet and the foam mat". */
function findComparedKinds({ question, catalogue }: ProductRequest, first: NamedProduct | undefined): string[] {
  const name = new Set(first?.hit.title.filter((term) => catalogue.nameShare(term) >= NAME_SHARE))
  const terms = question.terms.filter(({ anyOf }) => !name.has(anyOf[0]?.key ?? ''))
  if (terms.length === 0) return []
  const scope = first ? { except: new Set([first.hit.id]) } : {}
  const foundProducts = findProducts({ ...question, terms, head: terms.length - 1 }, catalogue, scope)
  const ids = foundProducts?.missed.length === 0 ? foundProducts.hits.map(({ id }) => id) : []
  if (first) return ids.slice(0, 1)
  if (ids.length > 1) return ids.length <= MAX_COMPARED ? ids : []
  // "The loppers with the secateurs": one product of each kind.
  const each = terms.flatMap((term) => {
    const one = findProducts({ ...question, terms: [term], head: 0 }, catalogue)
    return one && one.kind === 1 && one.missed.length === 0 && one.hits.length === 1 ? one.hits.map(({ id }) => id) : []
  })
  return [...new Set(each)].slice(0, MAX_COMPARED)
}

async function answerComparison(request: ProductRequest, ids: string[]): Promise<ProductAnswer | null> {
  const { catalogue, question, language, textOptions } = request
  const products = await catalogue.load(ids)
  if (products.length < 2) return null
  const facts = products.map((product) => ({
    product,
    fact: findComparedFact(product, question, language, textOptions),
  }))
  return toAnswer(request, compareProducts(facts, question.comparative, textOptions), products, { compared: 1 })
}

async function answerAccessories(request: ProductRequest, id: string): Promise<ProductAnswer | null> {
  const { catalogue, textOptions } = request
  const [subject] = await catalogue.load([id])
  if (!subject) return null
  const products = await catalogue.load(findAccessories(subject, catalogue))
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
  const foundProducts = findProducts({ ...like, ...less }, catalogue, { except: new Set([subject.id]) })
  const hits = foundProducts && foundProducts.missed.length === 0 ? foundProducts.hits.slice(0, MAX_SUPERLATIVE) : []
  const products = await catalogue.load(hits.map(({ id }) => id))
  const opening =
    hits.length > 0
      ? fillTemplate(textOptions.sentences.alternatives, { title: subject.title })
      : textOptions.sentences.noMatch
  const shownProducts = hits.length > 0 ? products : [subject]
  const lines = shownProducts.map((one) => productLine(one, textOptions))
  return toAnswer(request, [opening, ...lines].join('\n'), shownProducts, { companions: 1 })
}

async function answerList(request: ProductRequest, foundProducts: FoundProducts | null): Promise<ProductAnswer | null> {
  const { question, catalogue, textOptions, signals, bot } = request
  if (question.terms.length === 0 && signals.criteria === 0) return null
  const isSuperlative = question.sort !== 'relevance' && !question.says.affordable
  const hits = foundProducts?.hits.slice(0, isSuperlative ? MAX_SUPERLATIVE : undefined) ?? []
  const products = await catalogue.load(hits.map(({ id }) => id))
  const asksSale = question.facets.some(({ kind }) => kind === 'sale')
  const hasReduced =
    foundProducts && !foundProducts.missed.some((one) => typeof one !== 'string' && one.kind === 'sale')
  const asksOnlySale = question.terms.length === 0 && question.facets.every(({ kind }) => kind === 'sale')
  if (asksSale && !hasReduced && asksOnlySale) return toUnknownAnswer(request, textOptions.sentences.nothingOnSale, [])
  // That a word of another language is not in the catalogue says nothing about what is sold.
  const isForeign = languageOrEnglish(request.language) !== languageOrEnglish(catalogue.language)
  if (!foundProducts || products.length === 0) return isForeign ? null : answerNotSold(request)
  if (isOnlyModifier(question, foundProducts, products, catalogue.language)) return answerNotSold(request)
  const missedCriteria = foundProducts.missed.filter(
    (one) => typeof one !== 'string' || one === 'price' || one === 'inStock',
  )
  const isEasy = (one: (typeof missedCriteria)[number]) => typeof one === 'string' || /size|colour|sale/.test(one.kind)
  const text = (await describeOnlyMatch(request, products)) ?? listText(question, foundProducts, products, textOptions)
  const list = toAnswer(request, text, products, {
    coverage: foundProducts.coverage,
    kind: foundProducts.kind,
    phrase: foundProducts.phrase,
    criteria: missedCriteria.length > 0 ? 0 : signals.criteria,
    missedEasily: Number(missedCriteria.some(isEasy)),
    missed: Number(missedCriteria.some((one) => !isEasy(one))),
  })
  // A dry bag "for canoes" is not a canoe.
  const least = foundProducts.kind <= MENTIONED ? bot.thresholds.answer : bot.thresholds.suggest
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
  { question, language, textOptions, readProduct }: ProductRequest,
  [only, ...others]: ShopProduct[],
) {
  const { asksSizes, asksColours, asksRating } = question.says
  if (!only || others.length > 0 || !(asksSizes || asksColours || asksRating)) return null
  const description = await describeProduct(only, question, language, textOptions, readProduct)
  return description.known ? description.text : null
}

/** Only for visitors who want to buy something; other questions are left to the pages. */
function answerNotSold(request: ProductRequest): ProductAnswer | null {
  const { question, textOptions, language, bot } = request
  const { says, terms, text } = question
  if (terms.length === 0 || says.policy || says.howTo || says.owned) return null
  if (!says.shopping && !isOnlyName(question)) return null
  const first = terms[0]?.surface ?? ''
  const last = terms.at(-1)?.surface ?? ''
  const lower = text.toLowerCase()
  const [from, to] = [lower.indexOf(first), lower.lastIndexOf(last) + last.length]
  const wantedText = from >= 0 && to > from ? text.slice(from, to) : terms.map(({ surface }) => surface).join(' ')
  const sentence = chooseForm(textOptions.sentences.notSold, asksYesOrNo(text, language))
  const lines = [fillTemplate(sentence, { wanted: wantedText }), bot.fallbackMessage(language)]
  return toUnknownAnswer(request, lines.filter(Boolean).join('\n'), [])
}

function toPassage(title: string, text: string) {
  return { id: '', documentId: '', title, url: null, headings: [], anchor: null, text, language: 'en' }
}

// A list of products as text: an introduction and one line per product.
function listText(
  question: ProductQuestion,
  foundProducts: FoundProducts,
  products: ShopProduct[],
  textOptions: ProductTextOptions,
): string {
  const { sentences } = textOptions
  const { colon, comma, listComma } = punctuationOf(textOptions.language)
  const variantCriteria = question.facets.filter(({ kind }) => kind === 'size' || kind === 'colour')
  const { comparative, sort } = question
  const sortedBy = (product: ShopProduct) =>
    comparative?.sort === sort ? comparedMeasure(product, comparative, textOptions)?.text : undefined
  const lines = products.map((product) => {
    const matchingVariants = variantCriteria.length > 0 ? findMatchingVariants(product, variantCriteria) : null
    if (!matchingVariants || matchingVariants.length === 0)
      return [productLine(product, textOptions), sortedBy(product)].filter(Boolean).join(comma)
    // Report the availability of the requested variants.
    const state = stockOf(product, matchingVariants)
    const variantNames = variantCriteria.map(({ kind, value }) =>
      kind === 'size' ? fillTemplate(sentences.size, { value: value.toUpperCase() }) : colourText(value, textOptions),
    )
    const line = productLine({ ...product, variants: [], availability: null }, textOptions)
    return `${line}${comma}${variantNames.join(listComma)}${colon}${stockText(state, textOptions)}`
  })
  return [opening(question, foundProducts, products, textOptions), ...lines].join('\n')
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
  const saysYesOrNo = asksYesOrNo(question.text, textOptions.language)
  if (isSale(only) && more.length === 0) return chooseForm(sentences.notOnSale, saysYesOrNo)
  if (missed.length === 0 && question.facets.some(isSale)) return chooseForm(sentences.onSale, saysYesOrNo)
  if (missed.length > 0) {
    // The visitor's limit is in the currency of the prices below it, if they share one.
    const [currency = null, ...others] = new Set(products.map((product) => product.currency ?? textOptions.currency))
    const limits = { ...textOptions, currency: others.length > 0 ? null : currency }
    const missedTexts = missed.map((one) => missedText(one, question, limits)).filter(Boolean)
    return fillTemplate(missedTexts.length > 0 ? sentences.nearest : sentences.nearest.replace(UNNAMED, ''), {
      missed: missedTexts.join(punctuationOf(textOptions.language).listComma),
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
  criterion: FoundProducts['missed'][number],
  { minPrice, maxPrice }: ProductQuestion,
  textOptions: ProductTextOptions,
): string {
  const { sentences } = textOptions
  if (criterion === 'inStock') return sentences.stockCriterion
  if (criterion === 'price') {
    const price = (value: number) => formatPrice(value, null, textOptions)
    return [
      minPrice === undefined ? '' : fillTemplate(sentences.from, { price: price(minPrice) }),
      maxPrice === undefined ? '' : fillTemplate(sentences.upTo, { price: price(maxPrice) }),
    ]
      .filter(Boolean)
      .join(' ')
  }
  if (typeof criterion === 'string') return criterion
  if (criterion.kind === 'size') return fillTemplate(sentences.size, { value: criterion.value.toUpperCase() })
  if (criterion.kind !== 'colour') return criterion.value
  return fillTemplate(sentences.colour, { value: colourText(criterion.value, textOptions) })
}
