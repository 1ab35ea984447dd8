// Turns a question and its history into an answer with sources and confidence. In order: small talk, a close curated
// answer, the best passages (worded by a language model if the bot has one), and otherwise the fallback.
import { analyseQuestion } from '../language/analyse.ts'
import { expandChatSpelling } from '../language/chat-spelling.ts'
import { detectLanguage } from '../language/detect/detect.ts'
import { languageOrEnglish } from '../language/languages.ts'
import { answerParts } from './answer-parts.ts'
import { MAX_SOURCES } from './compose/collect-sources.ts'
import { composeAnswer } from './compose/compose-answer.ts'
import type { ComposedAnswer } from './compose/composed-answer.ts'
import { coverage, questionTerms, textWords } from './compose/question-terms.ts'
import { didYouMean } from './compose/suggestions/did-you-mean.ts'
import { nextQuestions } from './compose/suggestions/next-questions.ts'
import { composeWithModel } from './compose-with-model.ts'
import { confidenceOf } from './confidence/confidence.ts'
import { curatedConfidence } from './confidence/curated-confidence.ts'
import { decide } from './confidence/decide.ts'
import { fallBack, replyButtons, withSuggestions } from './fall-back.ts'
import { findContact } from './find-contact.ts'
import { findHits, type SearchResult } from './find-hits.ts'
import { answerFromProducts } from './products/answer-from-products.ts'
import type { ProductAnswer } from './products/product-answer.ts'
import type {
  Answer,
  BotVoice,
  CuratedAnswer,
  CuratedMatch,
  GenerateAnswer,
  Hit,
  Knowledge,
  Passage,
  Turn,
} from './types.ts'
import { asksForPerson } from './understand/asks-for-person.ts'
import { smallTalk, smallTalkReply } from './understand/small-talk.ts'

// With this confidence in a product answer, pages are not searched.
const SURE = 0.6
// The question comes first; ignore anything pasted after it.
const LONGEST_QUESTION = 2000
const CONTENT_SHARED = 0.5
// Share of the lower threshold at which a page counts as related, even without an answer.
const RELATED = 0.25

export async function answerQuestion(
  message: string,
  history: Turn[],
  bot: BotVoice,
  knowledge: Knowledge,
  generateAnswer?: GenerateAnswer,
  /** Receives the search results; not called if nothing was searched, as for small talk. */
  onSearchResult: (found: SearchResult) => void = () => {},
): Promise<Answer> {
  const typed = message.replace(/\s+/g, ' ').slice(0, LONGEST_QUESTION)
  const language = await detectLanguage(typed, bot.language)
  const text = expandChatSpelling(typed, language)
  const talk = smallTalk(text, languageOrEnglish(language))
  const person = asksForPerson(text, languageOrEnglish(language))
  if ((talk && !talk.rest) || person) {
    // A curated answer to this exact message takes precedence.
    const own = await toCuratedAnswer(text, knowledge.matchCurated(text, language, undefined), language, bot, knowledge)
    if (own) return { ...own, asksNothing: true }
  }
  if (talk && !talk.rest) {
    const reply = smallTalkReply(talk.kind, talk.language, bot.tone, bot.name)
    return { ...plainAnswer(reply, talk.language), asksNothing: true }
  }
  if (person) {
    const contact = await findContact(knowledge, language, bot.siteUrl)
    return { ...fallBack(bot, language, 0, { wantsPerson: true, contact }), asksNothing: true }
  }

  const question = talk?.rest || text
  const catalogue = await knowledge.openProducts?.()
  const shop = catalogue && (await answerFromProducts(question, language, history, bot, catalogue, knowledge))
  if (shop?.rest && shop.answer.answered && shop.answer.confidence >= bot.thresholds.answer) {
    return (await findCuratedAnswer(question, language, bot, knowledge)) ?? withPages(shop, shop.rest)
  }
  if (shop && isCertain(shop)) {
    return (await findCuratedAnswer(question, language, bot, knowledge)) ?? shop.answer
  }
  const found = await findHits(question, language, history, knowledge)
  onSearchResult(found)
  const written = await toCuratedAnswer(found.question.text, found.curated, language, bot, knowledge)
  if (written) return written
  const whole = composeAnswer(found.question, found.hits, bot.siteUrl)
  // Without readings, the composer has already handled each part.
  const parts = found.hits[0]?.reading ? await answerParts(question, language, history, bot, knowledge) : null
  const composed = parts?.composed ?? whole
  const confidence = round(parts?.confidence ?? confidenceOf(found.question, found.hits, composed, knowledge.scope))
  // Drop unlikely product answers, but keep "not known about this product" in case no page knows more.
  const isUnlikely = shop?.answer.answered && shop.answer.confidence < bot.thresholds.suggest
  const product = isUnlikely ? undefined : shop?.answer
  // Decide before the language model runs, because its text is streamed.
  const enough = shop?.signals?.policy ? bot.thresholds.suggest : bot.thresholds.answer
  const isPages = shop && prefersPages(shop) && confidence >= enough
  if (product?.answered && product.confidence > confidence && !isPages) return product
  // "Do you sell bananas?": a page about selling something else is no answer. A language model may know better.
  const isElsewhere = confidence < bot.thresholds.answer && (found.hits[0]?.signals.coverage ?? 0) < CONTENT_SHARED
  if (product && !product.answered && isElsewhere && !generateAnswer) return product
  const page = await answerFromPassages(found, composed, confidence, history, bot, knowledge, generateAnswer)
  return page.answered ? page : (product ?? page)

  /** Two questions in one message: a confident answer from pages follows the one from the catalogue. */
  async function withPages({ answer }: ProductAnswer, rest: string): Promise<Answer> {
    const page = await answerQuestion(
      rest,
      history,
      bot,
      { ...knowledge, openProducts: undefined },
      generateAnswer,
      onSearchResult,
    )
    if (!page.answered || page.confidence < bot.thresholds.answer) return answer
    return {
      ...page,
      text: `${answer.text}\n\n${page.text}`,
      sources: [...answer.sources, ...page.sources].slice(0, MAX_SOURCES),
      ...(answer.products ? { products: answer.products } : {}),
      confidence: Math.min(answer.confidence, page.confidence),
      decision: answer.decision,
    }
  }
}

function isCertain(shop: ProductAnswer): boolean {
  return shop.answer.answered && shop.answer.confidence >= SURE && !prefersPages(shop)
}

/** Policies, instructions and owned products are better answered by pages. */
function prefersPages({ signals }: ProductAnswer): boolean {
  return signals !== undefined && signals.policy + signals.howTo + signals.owned > 0
}

/** Also compares by meaning, if there are candidates. */
async function findCuratedAnswer(text: string, language: string, bot: BotVoice, knowledge: Knowledge) {
  if (knowledge.matchCurated(text, language, undefined).length === 0) return null
  const matches = knowledge.matchCurated(text, language, await knowledge.embed(text, language))
  return toCuratedAnswer(text, matches, language, bot, knowledge)
}

function plainAnswer(text: string, language: string): Answer {
  return {
    text,
    sources: [],
    documentIds: [],
    confidence: 1,
    answered: true,
    language,
    buttons: [],
    decision: 'small_talk',
  }
}

/** The verbatim curated answer, if the question is close enough to one of its phrasings. */
async function toCuratedAnswer(
  text: string,
  matches: CuratedMatch[],
  language: string,
  bot: BotVoice,
  knowledge: Knowledge,
): Promise<Answer | null> {
  const confidence = round(curatedConfidence(matches))
  const [first] = matches
  if (!first || confidence < bot.thresholds.answer) return null
  const answer = await knowledge.readCurated(first.id)
  if (!answer || (first.signals.vector === 0 && !sharesContent(text, language, answer))) return null
  const sources = answer.url ? [{ title: answer.question, url: answer.url }] : []
  return { ...plainAnswer(answer.answer, language), sources, confidence, decision: 'curated' }
}

/** "How long is the Nile?" resembles "How long is the warranty?" by words, so the content words must match too. */
function sharesContent(text: string, language: string, { question, alternatives }: CuratedAnswer): boolean {
  const terms = questionTerms(analyseQuestion(text, language), () => 1)
  const phrasings = textWords([question, ...alternatives].join('\n'), language)
  return terms.length === 0 || coverage(terms, phrasings) > CONTENT_SHARED
}

async function answerFromPassages(
  found: SearchResult,
  composed: ComposedAnswer,
  confidence: number,
  history: Turn[],
  bot: BotVoice,
  knowledge: Knowledge,
  generateAnswer: GenerateAnswer | undefined,
): Promise<Answer> {
  const { question, hits } = found
  // At 0 the passages share nothing with the question, so a model call would be wasted.
  const modelAnswer =
    generateAnswer && confidence > 0 ? await composeWithModel(found, confidence, history, bot, generateAnswer) : null
  if (modelAnswer) return modelAnswer
  const judged = composed.text === '' ? 'fall_back' : decide(confidence, bot.thresholds)
  const decision = judged === 'fall_back' && isTopic(composed, confidence, bot) ? 'suggest' : judged
  if (decision === 'fall_back') {
    const contact = await findContact(knowledge, question.language, bot.siteUrl)
    return fallBack(bot, question.language, confidence, { closest: closestPage(hits, confidence, bot), contact })
  }
  const answer: Answer = {
    text: composed.text,
    sources: composed.sources,
    documentIds: [...new Set(composed.used.map(({ passage }) => passage.documentId))],
    confidence,
    answered: true,
    language: question.language,
    buttons: [],
    decision,
  }
  if (decision === 'suggest') return withSuggestions(answer, didYouMean(composed.used, hits))
  const asked = history.filter(({ role }) => role === 'user').map(({ text }) => text)
  return { ...answer, buttons: replyButtons(nextQuestions({ question, used: composed.used, hits, asked })) }
}

/** The page of the best hit, if it has most of the question's words and is not too unlikely. */
function closestPage([first]: readonly Hit[], confidence: number, { thresholds }: BotVoice): Passage | undefined {
  const isRelated = confidence >= thresholds.suggest * RELATED && (first?.signals.coverage ?? 0) >= CONTENT_SHARED
  return isRelated ? first?.passage : undefined
}

/**
 * "Return policy" names a topic rather than asking something. It does not say which sentence is wanted, but the page
 * and its headings are better than no answer.
 */
function isTopic({ text, used }: ComposedAnswer, confidence: number, bot: BotVoice): boolean {
  return text !== '' && used[0]?.signals.title === 1 && confidence >= bot.thresholds.suggest / 2
}

function round(confidence: number): number {
  return Math.round(confidence * 1000) / 1000
}
