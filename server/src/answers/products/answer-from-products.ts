// A question that is about products, answered from the shop's catalogue; null where it is not. What an earlier answer
// was about stays under discussion: "is it waterproof?", "and in blue?", "compare the two".
import { questionParts } from '../compose/question-parts.ts'
import { type ProductSignals, productConfidence } from '../confidence/product-confidence.ts'
import type { Answer, BotVoice, Knowledge, Turn } from '../types.ts'
import { foldLetters } from '../understand/fold.ts'
import { aboutProduct, comparedFact } from './about-product.ts'
import { compareProducts } from './compare-products.ts'
import { type Manner, productLine, toCard } from './describe-product.ts'
import { findCompanions } from './find-companions.ts'
import type { Judge } from './find-facts.ts'
import { findNamed, type NamedProduct } from './find-named.ts'
import { coverageOf, type FoundProducts, findProducts, searchWords } from './find-products.ts'
import { listText } from './list-text.ts'
import { fill, productSentences } from './product-sentences.ts'
import { type ProductQuestion, readProductQuestion } from './read-product-question.ts'
import { phrases } from './shop-words.ts'
import { withSimilarKinds } from './similar-kinds.ts'
import type { Catalogue, ShopProduct } from './types.ts'
import { underDiscussion } from './under-discussion.ts'

export interface ProductAnswer {
  answer: Answer
  /** What its confidence comes from; absent where it says that nothing is known. */
  signals?: ProductSignals
  /** What else was asked, for the pages to answer: "… and can I return it?" */
  rest?: string
}

interface Asked {
  question: ProductQuestion
  language: string
  bot: BotVoice
  catalogue: Catalogue
  manner: Manner
  judge: Judge
  /** Signals of the question alone. */
  signals: ProductSignals
}

const MOST_SUPERLATIVE = 3
// That nothing is known or sold is never what was hoped for.
const UNKNOWN = 0.15
// From so much of a name on, a product is meant and not a kind of thing.
const NAMED = 0.6

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
  const question = await withSimilarKinds(readProductQuestion(text, language, catalogue), catalogue)
  const byWords = searchWords(question, catalogue)
  const named = findNamed(question, catalogue, byWords)
  const asked: Asked = {
    question,
    language,
    bot,
    catalogue,
    manner: { say: productSentences(language), language, currency: catalogue.currency },
    judge: (one, title, facts) => knowledge.judge({ text: one, earlier: [] }, language, [passage(title, facts)]),
    signals: questionSignals(question, named[0]),
  }
  const answer = await answerAsked(asked, named, history, byWords)
  return answer && rest ? { ...answer, rest } : answer
}

/** What is asked of products, and what of the pages, where a message asks both. */
function withoutPolicies(message: string, language: string): { text: string; rest?: string } {
  const parts = Map.groupBy(questionParts(message, language), (part) => phrases.policy.test(foldLetters(part)))
  const [text, rest] = [parts.get(false)?.join(' '), parts.get(true)?.join(' ')]
  return text && rest ? { text, rest } : { text: message }
}

async function answerAsked(
  asked: Asked,
  named: NamedProduct[],
  history: readonly Turn[],
  byWords: ReturnType<typeof searchWords>,
): Promise<ProductAnswer | null> {
  const { question, catalogue } = asked
  const { says } = question
  const [first] = named
  const earlier = underDiscussion(question, history, named.length > 0)
  if (earlier.aboutPages && !says.shopping && !first) return null
  const ids = named.map(({ hit }) => hit.id)
  const areSeveral = named.filter(({ hasRivals }) => !hasRivals).length > 1
  if (says.compares || (areSeveral && (says.either || question.comparative))) {
    const compared = [...new Set(ids.length > 1 ? ids : [...ids, ...earlier.ids])]
    if (compared.length > 1) return sideBySide(asked, compared.slice(0, ids.length > 2 ? 3 : 2))
  }
  const subject = ids[0] ?? (earlier.refers ? earlier.ids[0] : undefined)
  if (says.accessories && subject) return companions(asked, subject)
  if (earlier.refers && earlier.ids.length > 0) return followUp(asked, earlier)
  const isSorted = question.sort !== 'relevance' && !says.affordable
  if (first && first.share >= NAMED && !first.hasRivals && !isSorted) return about(asked, first)
  const list = await listed(asked, findProducts(question, catalogue, {}, byWords))
  if (!first || isSorted) return list
  // Part of a name may only be a word: the likelier one answers.
  const own = await about(asked, first)
  const isLikelier = list?.answer.answered && list.answer.confidence > (own?.answer.confidence ?? 0)
  return isLikelier ? list : own
}

function questionSignals(question: ProductQuestion, named: NamedProduct | undefined): ProductSignals {
  const { says, facets, sort, minPrice, maxPrice } = question
  const wishes = facets.length > 0 || sort !== 'relevance' || minPrice !== undefined || maxPrice !== undefined
  return {
    ...{ about: 0, compared: 0, companions: 0, name: 0, definite: 0, rivals: 0, fit: 0, reading: 0 },
    ...{ coverage: 0, kind: 0, phrase: 0, missedEasily: 0, missed: 0 },
    wishes: Number(wishes || says.inStock),
    shopping: Number(says.shopping || says.asksPrice || says.asksAvailability),
    bare: Number(isBareName(question)),
    policy: Number(says.policy && !(named && isAllTitle(question, named.hit.title))),
    howTo: Number(says.howTo),
    owned: Number(says.owned),
  }
}

/** "Field repair kit" is a product, although repairs are a matter of policy. */
function isAllTitle({ terms }: ProductQuestion, title: readonly string[]): boolean {
  return terms.every(({ term }) => title.includes(term))
}

/** "gas stove", typed into a chat as into a search box. */
function isBareName({ text, terms }: ProductQuestion): boolean {
  return !text.includes('?') && text.trim().split(/\s+/).length <= terms.length + 2
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
  return about(asked, first)
}

function merged(before: ProductQuestion, now: ProductQuestion): ProductQuestion {
  const kinds = new Set(now.facets.map(({ kind }) => kind))
  const { minPrice, maxPrice } = now.minPrice === undefined && now.maxPrice === undefined ? before : now
  const { sort, sortedBy } = now.sort === 'relevance' ? before : now
  return {
    ...now,
    terms: before.terms,
    head: before.head,
    facets: [...before.facets.filter(({ kind }) => !kinds.has(kind)), ...now.facets],
    ...{ minPrice, maxPrice, sort, sortedBy },
    inStock: now.inStock || before.inStock,
  }
}

/** Of a product that was named, or that is under discussion. */
async function about(asked: Asked, one: NamedProduct | string): Promise<ProductAnswer | null> {
  const { catalogue, question, language, manner, judge } = asked
  const named = typeof one === 'string' ? null : one
  const [product] = await catalogue.read([typeof one === 'string' ? one : one.hit.id])
  if (!product) return null
  const said = await aboutProduct(product, question, language, manner, judge)
  // A page may know; if none does, it is said that it is not known.
  if (!said.known) return notKnown(asked, said.text, [product])
  return toAnswer(asked, said.text, [product], {
    about: 1,
    name: named?.share ?? 1,
    definite: Number(named?.isDefinite ?? true),
    rivals: Number(named?.hasRivals ?? false),
    coverage: named ? coverageOf(named.hit, question) : 1,
    kind: 1,
    phrase: 1,
    fit: said.fit,
    reading: said.reading,
  })
}

async function sideBySide(asked: Asked, ids: string[]): Promise<ProductAnswer | null> {
  const { catalogue, question, language, manner } = asked
  const products = await catalogue.read(ids)
  if (products.length < 2) return null
  const facts = products.map((product) => ({ product, fact: comparedFact(product, question, language, manner) }))
  return toAnswer(asked, compareProducts(facts, question.comparative, manner), products, { compared: 1 })
}

async function companions(asked: Asked, id: string): Promise<ProductAnswer | null> {
  const { catalogue, manner } = asked
  const [subject] = await catalogue.read([id])
  if (!subject) return null
  const products = await catalogue.read(findCompanions(subject, catalogue))
  if (products.length === 0) return null
  const opening = fill(manner.say.accessories, { title: subject.title })
  const lines = products.map((one) => productLine(one, manner))
  return toAnswer(asked, [opening, ...lines].join('\n'), products, { companions: 1 })
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
    return toAnswer(asked, text, [subject], { companions: 1 })
  }
  const products = await catalogue.read(found.hits.slice(0, MOST_SUPERLATIVE).map(({ id }) => id))
  const opening = fill(manner.say.alternatives, { title: subject.title })
  const lines = products.map((one) => productLine(one, manner))
  return toAnswer(asked, [opening, ...lines].join('\n'), products, { companions: 1 })
}

async function listed(asked: Asked, found: FoundProducts | null): Promise<ProductAnswer | null> {
  const { question, catalogue, manner, signals, bot } = asked
  if (question.terms.length === 0 && signals.wishes === 0) return null
  const isSuperlative = question.sort !== 'relevance' && !question.says.affordable
  const hits = found?.hits.slice(0, isSuperlative ? MOST_SUPERLATIVE : undefined) ?? []
  const products = await catalogue.read(hits.map(({ id }) => id))
  if (!found || products.length === 0) return notSold(asked)
  const missed = found.missed.filter((one) => typeof one !== 'string' || one === 'price' || one === 'inStock')
  const isEasy = (one: (typeof missed)[number]) => typeof one === 'string' || /size|colour/.test(one.kind)
  const list = toAnswer(asked, listText(question, found, products, manner), products, {
    coverage: found.coverage,
    kind: found.kind,
    phrase: found.phrase,
    missedEasily: Number(missed.some(isEasy)),
    missed: Number(missed.some((one) => !isEasy(one))),
  })
  return list.answer.confidence < bot.thresholds.suggest ? (notSold(asked) ?? list) : list
}

/** Said only to who asks for something to buy; whoever asks something else is told what the pages know, or nothing. */
function notSold(asked: Asked): ProductAnswer | null {
  const { question, manner, signals } = asked
  const { says, terms, text } = question
  if (terms.length === 0 || says.policy || says.howTo || says.owned) return null
  if (!says.shopping && signals.bare === 0) return null
  const first = terms[0]?.surface ?? ''
  const last = terms.at(-1)?.surface ?? ''
  const lower = text.toLowerCase()
  const [from, to] = [lower.indexOf(first), lower.lastIndexOf(last) + last.length]
  const wanted = from >= 0 && to > from ? text.slice(from, to) : terms.map(({ surface }) => surface).join(' ')
  return notKnown(asked, fill(manner.say.notSold, { wanted }), [])
}

function notKnown(asked: Asked, text: string, products: ShopProduct[]): ProductAnswer {
  const { answer } = toAnswer(asked, text, products, {})
  return { answer: { ...answer, confidence: UNKNOWN, answered: false } }
}

function toAnswer(
  { bot, language, manner, signals: ofQuestion }: Asked,
  text: string,
  products: ShopProduct[],
  ofAnswer: Partial<ProductSignals>,
): Required<Pick<ProductAnswer, 'answer' | 'signals'>> {
  const signals = { ...ofQuestion, ...ofAnswer }
  const answer: Answer = {
    text,
    sources: products.slice(0, 5).map(({ title, url }) => ({ title, url: url ?? bot.siteUrl })),
    documentIds: [],
    products: products.map((product) => toCard(product, manner)),
    confidence: Math.round(productConfidence(signals) * 1000) / 1000,
    answered: true,
    language,
    buttons: [],
    wantsPerson: false,
  }
  return { answer, signals }
}

function passage(title: string, text: string) {
  return { id: '', documentId: '', title, url: null, headings: [], anchor: null, text, language: 'en' }
}
