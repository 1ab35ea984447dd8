// Answers with a language model from passages and products; what the model reports decides whether it was an answer.
// Null if the model failed, so that the built-in engine takes over.
import { citedPassages, collectSources, composeAnswer, MAX_SOURCES } from './compose/compose-answer.ts'
import { nextQuestions } from './compose/suggestions.ts'
import { modelConfidence } from './confidence/model-confidence.ts'
import { confidenceOf } from './confidence/page-confidence.ts'
import { fallBack, replyButtons, withSuggestions } from './fall-back.ts'
import { findContact } from './find-contact.ts'
import { findHits, type SearchResult } from './find-hits.ts'
import type { ModelPassage, ModelTool, ModelToolCall } from './language-model/types.ts'
import { closestPage, isCertainProduct } from './page-or-product.ts'
import { policy } from './policy.ts'
import type {
  Answer,
  AnswerModel,
  BotVoice,
  CuratedMatch,
  Hit,
  Knowledge,
  Passage,
  ProductAnswer,
  SelectedProduct,
  Source,
  Turn,
} from './types.ts'

interface ModelRequest {
  question: string
  language: string
  history: Turn[]
  bot: BotVoice
  knowledge: Knowledge
  model: AnswerModel
  /** Found with the visitor's own words. */
  found: SearchResult
  product: ProductAnswer | null
  /** What the model may have done instead of answering. */
  tools: readonly ModelTool[]
  startChosen: (call: ModelToolCall) => Promise<Answer | null>
  /** Nothing may be streamed. */
  isHeld: boolean
}

interface Material {
  hits: Hit[]
  products: SelectedProduct[]
  /** The composer's confidence in the best passage. */
  confidence: number
}

export async function composeWithModel(request: ModelRequest): Promise<Answer | null> {
  const { language, history, bot, knowledge, model, found, product, tools, startChosen, isHeld } = request
  const material = await collectMaterial(request)
  const { hits, products, confidence } = material
  // At 0 the passages share nothing with the question, so a model call would be wasted, unless it can do something.
  if (confidence === 0 && products.length === 0 && tools.length === 0) return null
  const passages = await collectPassages(confidence === 0 ? [] : hits, found.curated, knowledge)
  const generatedAnswer = await model.generateAnswer(
    {
      // The history is sent along, so the visitor's own words suffice.
      question: found.followUp.text,
      language,
      history: publicTurns(history),
      passages,
      products,
      tools,
      bot: { name: bot.name, tone: bot.tone },
    },
    { isHeld },
  )
  if ('failed' in generatedAnswer) return null
  const usedPassages = generatedAnswer.usedPassages.flatMap((number) => passages[number - 1] ?? [])
  const usedProducts = generatedAnswer.usedProducts.flatMap((number) => products[number - 1] ?? [])
  const citedHits = usedPassages.flatMap(({ passage }) => (passage ? [toHit(passage, hits)] : []))
  const sources = [
    ...usedPassages.flatMap(({ source }) => source ?? []),
    ...collectSources(citedHits, bot.siteUrl),
    ...usedProducts.map(({ card }) => ({ title: card.title, url: card.url ?? bot.siteUrl })),
  ]
  if (generatedAnswer.call) {
    const reply = await startChosen(generatedAnswer.call)
    const before = { text: `${generatedAnswer.text}\n\n${reply?.text}`, sources: distinct(sources) }
    return reply && generatedAnswer.text !== '' ? { ...reply, ...before } : reply
  }
  if (generatedAnswer.outcome === 'not_found') {
    if (generatedAnswer.text === '' && product && isCertainProduct(product)) return product.answer
    const contact = await findContact(knowledge, language, bot.siteUrl)
    const closest = closestPage(hits, confidence, bot)
    const generatedText = generatedAnswer.text === '' ? {} : { generatedText: generatedAnswer.text }
    return fallBack(bot, language, modelConfidence(generatedAnswer, confidence), { closest, contact, ...generatedText })
  }
  const answer: Answer = {
    text: generatedAnswer.text,
    sources: distinct(sources),
    ...citedPassages(citedHits),
    ...(usedProducts.length > 0 ? { products: usedProducts.map(({ card }) => card) } : {}),
    confidence: modelConfidence(generatedAnswer, confidence),
    answered: true,
    language,
    buttons: [],
    decision:
      generatedAnswer.outcome === 'partly'
        ? 'suggest'
        : usedPassages.length === 0 && usedProducts.length > 0
          ? 'product'
          : 'answer',
    isGenerated: true,
  }
  if (generatedAnswer.outcome === 'partly') return withSuggestions(answer, [])
  const before = history.filter(({ role }) => role === 'user').map(({ text }) => text)
  const next = nextQuestions({ question: found.question, used: citedHits, hits, asked: before })
  return { ...answer, buttons: replyButtons(next) }
}

/**
 * Passages and products for the question. If it depends on the history, or nothing fits it, the model restates it once
 * and the results of both searches are joined.
 */
async function collectMaterial(request: ModelRequest): Promise<Material> {
  const { question, found, bot, knowledge, model, language, history } = request
  const material = await gather(request, question, found)
  const { dependence, standalone } = found.followUp
  const turns = publicTurns(history)
  const isDependent = turns.length > 0 && !standalone && dependence >= policy.restateDependence
  const isEmpty = material.confidence < bot.thresholds.suggest && material.products.length === 0
  // Without anything in common with the content, other words would not help either.
  if (!isDependent && !(isEmpty && material.confidence > 0)) return material
  const wants = isDependent ? 'complete' : 'other_words'
  const restatedQuestion = await model.restateQuestion({ question, history: turns, wants })
  if (!restatedQuestion || restatedQuestion.toLowerCase() === question.toLowerCase()) return material
  const again = await gather(request, restatedQuestion, await findHits(restatedQuestion, language, [], knowledge))
  if (!isDependent && again.confidence < material.confidence && again.products.length === 0) return material
  return {
    hits: interleave(again.hits, material.hits),
    products: joinProducts(again.products, material.products),
    confidence: Math.max(again.confidence, material.confidence),
  }
}

async function gather(
  { language, history, bot, knowledge, product }: ModelRequest,
  query: string,
  { question, hits }: SearchResult,
): Promise<Material> {
  const catalogue = await knowledge.openProducts?.()
  const turns = history.filter(({ isPrivate }) => !isPrivate)
  const products = (await catalogue?.select(query, language, turns, product)) ?? []
  const composedAnswer = composeAnswer(question, hits, bot.siteUrl)
  return { hits, products, confidence: confidenceOf(question, hits, composedAnswer, knowledge.scope) }
}

/** The best of each in turn, since scores of two searches cannot be compared. */
function interleave(first: Hit[], second: Hit[]): Hit[] {
  const longest = Math.max(first.length, second.length)
  const all = Array.from({ length: longest }, (_, place) => [first[place], second[place]]).flat()
  return [...new Map(all.flatMap((hit) => (hit ? [[hit.passage.id, hit] as const] : []))).values()]
}

function joinProducts(first: SelectedProduct[], second: SelectedProduct[]): SelectedProduct[] {
  return [...new Map([...first, ...second].map((one) => [one.card.id, one])).values()]
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

// What a language model is given to answer from: the best passages with their neighbours on the same page, and curated
// answers that are close. Only what may help: more would cost and distract.

const ALWAYS_KEPT = 3
const MAX_CURATED = 3

interface ContextPassage extends ModelPassage {
  /** Undefined for a curated answer. */
  passage?: Passage
  /** The link of a curated answer. */
  source?: { title: string; url: string }
}

/** Best first, so that a small budget cuts the least useful. */
async function collectPassages(
  hits: readonly Hit[],
  curatedMatches: readonly CuratedMatch[],
  knowledge: Pick<Knowledge, 'loadAround' | 'loadCurated'>,
): Promise<ContextPassage[]> {
  const best = hits[0]?.score ?? 0
  const likely = hits
    .slice(0, policy.modelPassages)
    .filter(({ score }, place) => place < ALWAYS_KEPT || score >= best * policy.modelPassageShare)
    .map(({ passage }) => passage)
  const around = await Promise.all(likely.slice(0, policy.modelNeighbours).map((one) => knowledge.loadAround(one)))
  const passages = new Map([...likely, ...around.flat()].map((passage) => [passage.id, passage]))
  return [...(await closeCurated(curatedMatches, knowledge)), ...[...passages.values()].map(toContext)]
}

async function closeCurated(
  matches: readonly CuratedMatch[],
  knowledge: Pick<Knowledge, 'loadCurated'>,
): Promise<ContextPassage[]> {
  const close = matches.filter(({ score }) => score >= policy.modelCurated).slice(0, MAX_CURATED)
  const answers = await Promise.all(close.map(({ id }) => knowledge.loadCurated(id)))
  return answers.flatMap((one) => {
    if (!one) return []
    const { question, answer, url } = one
    return [{ title: question, text: answer, url, ...(url ? { source: { title: question, url } } : {}) }]
  })
}

function toContext(passage: Passage): ContextPassage {
  const { title, headings, text, url, updatedAt } = passage
  const date = updatedAt === undefined ? undefined : new Date(updatedAt).toISOString().slice(0, 10)
  return {
    title: [...new Set([title, ...headings])].join(' › '),
    text,
    url,
    passage,
    ...(date ? { date } : {}),
  }
}
