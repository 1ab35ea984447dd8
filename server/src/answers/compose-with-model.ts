// Answers with a language model from passages and products; what the model reports decides whether it was an answer.
// Null if the model failed, so that the built-in engine takes over.
import { collectSources, composeAnswer, MAX_SOURCES } from './compose/compose-answer.ts'
import { nextQuestions } from './compose/suggestions.ts'
import { confidenceOf } from './confidence/page-confidence.ts'
import { fallBack, replyButtons, withSuggestions } from './fall-back.ts'
import { findContact } from './find-contact.ts'
import { findHits, type SearchResult } from './find-hits.ts'
import type { ModelAnswer } from './language-model/types.ts'
import { collectPassages } from './model-context.ts'
import { closestPage, isCertainProduct } from './page-or-product.ts'
import { policy } from './policy.ts'
import type {
  Answer,
  AnswerModel,
  BotVoice,
  Hit,
  Knowledge,
  ProductAnswer,
  SelectedProduct,
  Source,
  Turn,
} from './types.ts'

interface Asked {
  question: string
  language: string
  history: Turn[]
  bot: BotVoice
  knowledge: Knowledge
  model: AnswerModel
  /** Found with the visitor's own words. */
  found: SearchResult
  product: ProductAnswer | null
}

interface Material {
  hits: Hit[]
  products: SelectedProduct[]
  /** The composer's confidence in the best passage. */
  confidence: number
}

export async function composeWithModel(asked: Asked): Promise<Answer | null> {
  const { language, history, bot, knowledge, model, found, product } = asked
  const material = await collectMaterial(asked)
  const { hits, products, confidence } = material
  // At 0 the passages share nothing with the question, so a model call would be wasted.
  if (confidence === 0 && products.length === 0) return null
  const passages = await collectPassages(confidence === 0 ? [] : hits, found.curated, knowledge)
  const said = await model.generateAnswer({
    // The history is sent along, so the visitor's own words suffice.
    question: found.followUp.text,
    language,
    history: publicTurns(history),
    passages,
    products,
    bot: { name: bot.name, tone: bot.tone },
  })
  if ('failed' in said) return null
  if (said.outcome === 'not_found') {
    if (product && isCertainProduct(product)) return product.answer
    const contact = await findContact(knowledge, language, bot.siteUrl)
    const closest = closestPage(hits, confidence, bot)
    return fallBack(bot, language, Math.min(confidence, policy.modelNotFound), { closest, contact })
  }
  const used = said.usedPassages.flatMap((number) => passages[number - 1] ?? [])
  const shown = said.usedProducts.flatMap((number) => products[number - 1] ?? [])
  const cited = used.flatMap(({ passage }) => (passage ? [toHit(passage, hits)] : []))
  const sources = [
    ...used.flatMap(({ source }) => source ?? []),
    ...collectSources(cited, bot.siteUrl),
    ...shown.map(({ card }) => ({ title: card.title, url: card.url ?? bot.siteUrl })),
  ]
  const answer: Answer = {
    text: said.text,
    sources: distinct(sources),
    documentIds: [...new Set(cited.map(({ passage }) => passage.documentId))],
    ...(shown.length > 0 ? { products: shown.map(({ card }) => card) } : {}),
    confidence: modelConfidence(said, confidence),
    answered: true,
    language,
    buttons: [],
    decision: said.outcome === 'partly' ? 'suggest' : used.length === 0 && shown.length > 0 ? 'product' : 'answer',
    isGenerated: true,
  }
  if (said.outcome === 'partly') return withSuggestions(answer, [])
  const before = history.filter(({ role }) => role === 'user').map(({ text }) => text)
  const next = nextQuestions({ question: found.question, used: cited, hits, asked: before })
  return { ...answer, buttons: replyButtons(next) }
}

/**
 * Passages and products for the question. If it depends on the history, or nothing fits it, the model restates it once
 * and the results of both searches are joined.
 */
async function collectMaterial(asked: Asked): Promise<Material> {
  const { question, found, bot, knowledge, model, language, history } = asked
  const own = await gather(asked, question, found)
  const { dependence, standalone } = found.followUp
  const turns = publicTurns(history)
  const isDependent = turns.length > 0 && !standalone && dependence >= policy.restateDependence
  const isEmpty = own.confidence < bot.thresholds.suggest && own.products.length === 0
  // Without anything in common with the content, other words would not help either.
  if (!isDependent && !(isEmpty && own.confidence > 0)) return own
  const wants = isDependent ? 'complete' : 'other_words'
  const restated = await model.restateQuestion({ question, history: turns, wants })
  if (!restated || restated.toLowerCase() === question.toLowerCase()) return own
  const again = await gather(asked, restated, await findHits(restated, language, [], knowledge))
  if (!isDependent && again.confidence < own.confidence && again.products.length === 0) return own
  return {
    hits: interleave(again.hits, own.hits),
    products: joined(again.products, own.products),
    confidence: Math.max(again.confidence, own.confidence),
  }
}

async function gather(
  { language, history, bot, knowledge, product }: Asked,
  searched: string,
  { question, hits }: SearchResult,
): Promise<Material> {
  const catalogue = await knowledge.openProducts?.()
  const turns = history.filter(({ isPrivate }) => !isPrivate)
  const products = (await catalogue?.select(searched, language, turns, product)) ?? []
  const composed = composeAnswer(question, hits, bot.siteUrl)
  return { hits, products, confidence: confidenceOf(question, hits, composed, knowledge.scope) }
}

/** The best of each in turn, since scores of two searches cannot be compared. */
function interleave(first: Hit[], second: Hit[]): Hit[] {
  const longest = Math.max(first.length, second.length)
  const all = Array.from({ length: longest }, (_, place) => [first[place], second[place]]).flat()
  return [...new Map(all.flatMap((hit) => (hit ? [[hit.passage.id, hit] as const] : []))).values()]
}

function joined(first: SelectedProduct[], second: SelectedProduct[]): SelectedProduct[] {
  return [...new Map([...first, ...second].map((one) => [one.card.id, one])).values()]
}

/** What the model says of itself counts most; a little depends on how well the content fits. */
function modelConfidence({ outcome, isReported, finish }: ModelAnswer, composer: number): number {
  const isWhole = isReported && finish !== 'length'
  const base = outcome === 'partly' ? policy.modelPartly : isWhole ? policy.modelAnswered : policy.modelUnreported
  return Math.round((base + policy.modelAdds * composer) * 1000) / 1000
}

/** Turns that others may not learn of stay out of prompts. */
function publicTurns(history: readonly Turn[]) {
  return history.flatMap(({ role, text, isPrivate }) => (isPrivate ? [] : [{ role, text }]))
}

/** A neighbour was not found by itself, so it has no score. */
function toHit(passage: Hit['passage'], hits: readonly Hit[]): Hit {
  const none = { words: 0, grams: 0, sentence: 0, vector: 0, title: 0, coverage: 0, pairs: 0, answerType: 0 }
  return hits.find((hit) => hit.passage.id === passage.id) ?? { passage, score: 0, signals: none }
}

function distinct(sources: Source[]): Source[] {
  return [...new Map(sources.map((source) => [`${source.url} ${source.title}`, source])).values()].slice(0, MAX_SOURCES)
}
