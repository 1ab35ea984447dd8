// Turns a question and its history into an answer with sources and confidence: a list of steps, of which the first that
// has an answer gives it.
import { analyseQuestion } from '../language/analyse.ts'
import { expandChatSpelling } from '../language/chat-spelling.ts'
import { chatLanguage } from '../language/detect/chat-language.ts'
import { languageOrEnglish } from '../language/languages.ts'
import type { SmallTalkKind } from '../language/schema/language-data.ts'
import { stopWords } from '../language/stop-words.ts'
import { words } from '../language/words.ts'
import { answerParts, unknownPart } from './answer-parts.ts'
import { type ComposedAnswer, citedPassages, composeAnswer, MAX_SOURCES } from './compose/compose-answer.ts'
import { topicTerms } from './compose/question-shape.ts'
import { coverage, questionTerms, textWords } from './compose/question-terms.ts'
import { didYouMean, nextQuestions } from './compose/suggestions.ts'
import { composeWithModel } from './compose-with-model.ts'
import { curatedConfidence } from './confidence/curated-confidence.ts'
import { decide } from './confidence/decide.ts'
import { roundConfidence } from './confidence/logistic.ts'
import { confidenceOf } from './confidence/page-confidence.ts'
import { fallBack, hedged, personButton, replyButtons, sentencesFor, withSuggestions } from './fall-back.ts'
import { asksForContact, findContact } from './find-contact.ts'
import { findHits, type SearchResult } from './find-hits.ts'
import type { ModelToolCall } from './language-model/types.ts'
import type { ResultToWord } from './language-model/word-result.ts'
import { chooseSource, closestPage, isCertainProduct } from './page-or-product.ts'
import { policy } from './policy.ts'
import type {
  ActionDialogue,
  ActionMessage,
  ActionStep,
  Answer,
  AnswerModel,
  BotVoice,
  CuratedAnswer,
  CuratedMatch,
  Hit,
  Knowledge,
  ProductAnswer,
  Question,
  Turn,
  Visit,
} from './types.ts'
import { personRequestLanguage } from './understand/asks-for-person.ts'
import { questionText } from './understand/question-text.ts'
import { smallTalk, smallTalkReply } from './understand/small-talk.ts'

const ASKS = /[?？؟]\s*$/
// One unknown word may be a synonym or a typo.
const FOREIGN_WORDS = 2

/** What the steps know of a message. */
interface Message {
  text: string
  /** Before chat spelling was expanded. */
  typed: string
  language: string
  talk: ReturnType<typeof smallTalk>
  /** Whether nothing was said before. */
  isFirst: boolean
  isForPerson: boolean
  /** The text without a greeting. */
  question: string
  history: Turn[]
  bot: BotVoice
  knowledge: Knowledge
  model: AnswerModel | undefined
  actions: ActionDialogue | undefined
  /** An action waits for a reply, which this message may be. */
  isBesideAction: boolean
  onSearchResult: (searchResult: SearchResult) => void
  /** From the catalogue, once it was asked; null if it has no answer. */
  product?: ProductAnswer | null
  /** Search results, once there are some. */
  found?: SearchResult
}

type Step = (message: Message) => Promise<Answer | null>

const steps: Step[] = [
  answerExactly,
  startAction,
  answerSmallTalk,
  offerPerson,
  answerWithModel,
  answerFromCatalogue,
  answerFromContent,
]

export async function answerQuestion(
  typedMessage: string,
  history: Turn[],
  bot: BotVoice,
  knowledge: Knowledge,
  model?: AnswerModel,
  /** Receives the search results; not called if nothing was searched, as for small talk. */
  onSearchResult: (searchResult: SearchResult) => void = () => {},
  { actions, locale, spoken }: Visit = {},
): Promise<Answer> {
  const typedText = questionText(typedMessage)
  const earlier = history.filter(({ role }) => role === 'user').map(({ text }) => questionText(text))
  const isFirst = earlier.length === 0 && !spoken
  const likely = await chatLanguage(typedText, earlier, { language: bot.language, locale, current: spoken })
  const personLanguage = personRequestLanguage(expandChatSpelling(typedText, likely), languageOrEnglish(likely))
  // Too short to tell by its words, but it is a whole phrase of that language.
  const language = isFirst && personLanguage && personLanguage !== 'en' ? personLanguage : likely
  const text = expandChatSpelling(typedText, language)
  const talk = smallTalk(text, languageOrEnglish(language))
  const question = talk?.rest || text
  const message: Message = {
    text,
    typed: typedText,
    language,
    talk,
    isFirst,
    isForPerson: personLanguage !== undefined,
    question,
    history,
    bot,
    knowledge,
    model,
    actions,
    isBesideAction: false,
    onSearchResult,
  }
  const waiting = await actions?.proceed(toActionMessage(message))
  if (waiting?.isCertain) return waiting.reply()
  const answer = await firstAnswer({ ...message, isBesideAction: Boolean(waiting) })
  return waiting ? besideAction(answer, waiting) : answer
}

async function firstAnswer(message: Message): Promise<Answer> {
  const { bot, language } = message
  for (const step of steps) {
    const answer = await step(message)
    if (answer) return answer.decision === 'suggest' && !answer.isGenerated ? hedged(answer, bot) : answer
  }
  return fallBack(bot, language, 0)
}

/** A new question gets its answer even while an action waits; anything less is a reply to the action. */
async function besideAction(answer: Answer, waiting: ActionStep): Promise<Answer> {
  if (answer.decision === 'person' || answer.decision === 'action') return answer
  const isOther = answer.answered && answer.decision !== 'small_talk' && answer.decision !== 'suggest'
  return isOther ? { ...answer, action: waiting.held } : waiting.reply()
}

/** Something to be done in another system; before a person, since "call me back" may be an action. */
async function startAction(message: Message): Promise<Answer | null> {
  const { talk, actions } = message
  if (talk && !talk.rest) return null
  return actions?.start(toActionMessage(message)) ?? null
}

function toActionMessage(message: Message): ActionMessage {
  const { typed, language, isForPerson, history, bot, knowledge, model, isBesideAction } = message
  const wordResult = model && ((result: ResultToWord) => model.wordResult(result, { isHeld: isBesideAction }))
  return { text: typed, language, isForPerson, history, bot, knowledge, wordResult }
}

/** A curated answer to this exact greeting or request for a person takes precedence. */
async function answerExactly({ text, language, talk, isForPerson, bot, knowledge }: Message): Promise<Answer | null> {
  if ((!talk || talk.rest) && !isForPerson) return null
  const matches = knowledge.matchCurated(text, language, undefined)
  const curatedAnswer = await toCuratedAnswer(text, matches, language, bot, knowledge)
  return curatedAnswer && { ...curatedAnswer, asksNothing: true }
}

/** "Merci" opens a chat in French; later it may be said in any. */
async function answerSmallTalk(message: Message): Promise<Answer | null> {
  const { talk, isFirst, text, language: currentLanguage, bot } = message
  if (!talk || talk.rest) return null
  const language = isFirst ? talk.language : languageOrEnglish(currentLanguage)
  const reply = smallTalkReply(talk.kind, language, bot.tone, bot.name)
  // "Are you still there?"
  const isCalling = talk.kind === 'hello' && (!isFirst || ASKS.test(text))
  const buttons = talk.kind === 'insult' || isCalling ? [personButton(language)] : []
  return { ...plainAnswer(reply, language), buttons, asksNothing: true, ...opinionOf(talk.kind) }
}

function opinionOf(kind: SmallTalkKind): Pick<Answer, 'opinion'> {
  if (kind === 'thanks' || kind === 'praise') return { opinion: 'pleased' }
  return kind === 'insult' ? { opinion: 'displeased' } : {}
}

async function offerPerson({ isForPerson, language, bot, knowledge }: Message): Promise<Answer | null> {
  if (!isForPerson) return null
  const contact = await findContact(knowledge, language, bot.siteUrl)
  return { ...fallBack(bot, language, 0, { wantsPerson: true, contact }), asksNothing: true }
}

/** A bot's language model answers from pages and products, unless a curated answer fits. */
async function answerWithModel(message: Message): Promise<Answer | null> {
  const { question, language, bot, knowledge, model, actions, isBesideAction } = message
  if (!model) return null
  const history = actions?.forModel(message.history) ?? message.history
  const product = await askCatalogue(message)
  const searchResult = await search(message)
  const curatedAnswer = await toCuratedAnswer(
    searchResult.question.text,
    searchResult.curated,
    language,
    bot,
    knowledge,
  )
  if (curatedAnswer) return curatedAnswer
  const tools = (await actions?.offer()) ?? []
  const startChosen = async (call: ModelToolCall) =>
    (await actions?.startChosen(call, toActionMessage(message))) ?? null
  const context = { question, language, history, bot, knowledge, model, found: searchResult, product }
  return composeWithModel({ ...context, tools, startChosen, isHeld: isBesideAction })
}

async function askCatalogue(message: Message): Promise<ProductAnswer | null> {
  const { question, language, history, bot, knowledge } = message
  if (message.product === undefined) {
    const products = await knowledge.openProducts?.()
    message.product = (await products?.answer(question, language, history, bot, knowledge)) ?? null
  }
  return message.product
}

async function search(message: Message): Promise<SearchResult> {
  const { question, language, history, knowledge, onSearchResult } = message
  if (!message.found) {
    message.found = await findHits(question, language, history, knowledge)
    onSearchResult(message.found)
  }
  return message.found
}

/** A product answer that needs no look at the pages, unless a curated answer fits. */
async function answerFromCatalogue(message: Message): Promise<Answer | null> {
  const { question, language, bot, knowledge } = message
  const product = await askCatalogue(message)
  if (!product) return null
  const isFirstPart = product.rest && product.answer.answered && product.answer.confidence >= bot.thresholds.answer
  if (!isFirstPart && !isCertainProduct(product)) return null
  const curatedAnswer = await findCuratedAnswer(question, language, bot, knowledge)
  return (
    curatedAnswer ?? (isFirstPart && product.rest ? withPages(message, product.answer, product.rest) : product.answer)
  )
}

/** Two questions in one message: what the pages surely say about the second follows the answer from the catalogue. */
async function withPages(message: Message, answer: Answer, rest: string): Promise<Answer> {
  const { language, history, bot, knowledge, onSearchResult } = message
  const pagesOnly = { ...knowledge, openProducts: undefined }
  const page = await answerQuestion(rest, history, bot, pagesOnly, undefined, onSearchResult, { spoken: language })
  if (!page.answered) return { ...answer, text: `${answer.text}\n\n${unknownPart(rest, language, bot)}` }
  if (page.confidence < bot.thresholds.answer) return answer
  return {
    ...page,
    text: `${answer.text}\n\n${page.text}`,
    sources: [...answer.sources, ...page.sources].slice(0, MAX_SOURCES),
    ...(answer.products ? { products: answer.products } : {}),
    confidence: Math.min(answer.confidence, page.confidence),
    decision: answer.decision,
  }
}

/** A curated answer, else the pages or what the catalogue said, else the fallback. */
async function answerFromContent(message: Message): Promise<Answer> {
  const { question, language, history, bot, knowledge } = message
  const product = message.product ?? undefined
  const searchResult = await search(message)
  const curatedAnswer = await toCuratedAnswer(
    searchResult.question.text,
    searchResult.curated,
    language,
    bot,
    knowledge,
  )
  if (curatedAnswer) return curatedAnswer
  const alone = composeAnswer(searchResult.question, searchResult.hits, bot.siteUrl)
  // Without readings, the composer has already handled each part.
  const parts = searchResult.hits[0]?.reading ? await answerParts(question, language, history, bot, knowledge) : null
  const likelihood = parts?.confidence ?? confidenceOf(searchResult.question, searchResult.hits, alone, knowledge.scope)
  const isNamed = !parts && isTopic(alone, searchResult.question)
  const confidence = roundConfidence(isNamed ? Math.max(likelihood, policy.topicConfidence) : likelihood)
  const source = chooseSource({
    product,
    pages: { confidence: likelihood, coverage: searchResult.hits[0]?.signals.coverage ?? 0 },
    thresholds: bot.thresholds,
  })
  if (source === 'product' && product) return product.answer
  const isUnsure = confidence < bot.thresholds.answer
  const composedAnswer =
    parts?.composed ?? (isUnsure ? composeAnswer(searchResult.question, searchResult.hits, bot.siteUrl, true) : alone)
  const page = await answerFromPassages(message, searchResult, composedAnswer, confidence)
  return page.answered || source === 'pages' || !product ? page : product.answer
}

async function answerFromPassages(
  { history, bot, knowledge }: Message,
  searchResult: SearchResult,
  composedAnswer: ComposedAnswer,
  confidence: number,
): Promise<Answer> {
  const { question, hits } = searchResult
  const likely = composedAnswer.text === '' ? 'fall_back' : decide(confidence, bot.thresholds)
  const decisionByConfidence =
    likely === 'suggest' && (wasSaid(composedAnswer.text, question, history) || isForeign(question, hits))
      ? 'fall_back'
      : likely
  const decision =
    decisionByConfidence === 'fall_back' && composedAnswer.isComparison ? 'suggest' : decisionByConfidence
  if (decision === 'fall_back') {
    const contact = await findContact(knowledge, question.language, bot.siteUrl)
    const closest = closestPage(hits, confidence, bot)
    return fallBack(bot, question.language, confidence, { closest, contact, asksForContact: asksForContact(question) })
  }
  const answer: Answer = {
    text: withIntroduction(composedAnswer, question.language, bot),
    sources: composedAnswer.sources,
    ...citedPassages(composedAnswer.used),
    confidence,
    answered: true,
    language: question.language,
    buttons: [],
    decision,
  }
  if (decision === 'suggest') return withSuggestions(answer, didYouMean(composedAnswer.used, hits))
  const earlierQuestions = history.filter(({ role }) => role === 'user').map(({ text }) => text)
  return {
    ...answer,
    buttons: replyButtons(nextQuestions({ question, used: composedAnswer.used, hits, asked: earlierQuestions })),
  }
}

/**
 * With a hedge, a question whose words are mostly unknown to the content would get something about the rest of it,
 * unless the reader finds it answered in other words.
 */
function isForeign({ own, terms, knows }: Question, [first]: readonly Hit[]): boolean {
  if (first?.reading && first.reading.relevance > 0) return false
  const contentTerms = own?.terms ?? terms
  const unknownTerms = contentTerms.filter(({ stem }) => knows && !knows(stem))
  return unknownTerms.length >= FOREIGN_WORDS && unknownTerms.length >= contentTerms.length * policy.sharedContent
}

/** The answer to an earlier question must not be repeated with a hedge. */
function wasSaid(text: string, question: Question, history: readonly Turn[]): boolean {
  const terms = question.own?.terms ?? question.terms
  return history.some((turn, at) => {
    const earlierQuestion = history.slice(0, at).findLast(({ role }) => role === 'user')?.text ?? ''
    const isSameQuestion = coverage(terms, textWords(earlierQuestion, question.language)) > policy.sharedContent
    return turn.role === 'assistant' && turn.text.includes(text) && !isSameQuestion
  })
}

/** A passage in another language than the question's is introduced as such. */
function withIntroduction({ text, used }: ComposedAnswer, language: string, bot: BotVoice): string {
  const passageLanguage = used[0]?.passage.language.slice(0, 2)
  // The language of a short document is a guess.
  if (!passageLanguage || passageLanguage === language.slice(0, 2) || !looksLike(text, passageLanguage, language))
    return text
  const name =
    new Intl.DisplayNames([languageOrEnglish(language)], { type: 'language' }).of(passageLanguage) ?? passageLanguage
  return `${sentencesFor(bot, language).foundIn.replace('{language}', name)}\n\n${text}`
}

/** Whether a text has more function words of one language than of another. */
function looksLike(text: string, language: string, other: string): boolean {
  const count = (code: string) => words(text, code).filter((word) => stopWords(code).has(word)).length
  return count(language) > count(other)
}

/** Also compares by meaning, if there are candidates. */
async function findCuratedAnswer(text: string, language: string, bot: BotVoice, knowledge: Knowledge) {
  if (knowledge.matchCurated(text, language, undefined).length === 0) return null
  const matches = knowledge.matchCurated(text, language, await knowledge.embed(text))
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
  const confidence = roundConfidence(curatedConfidence(matches))
  const [first] = matches
  if (!first || confidence < bot.thresholds.answer) return null
  const answer = await knowledge.loadCurated(first.id)
  if (!answer || (first.signals.vector === 0 && !sharesContent(text, language, answer))) return null
  const sources = answer.url ? [{ title: answer.question, url: answer.url }] : []
  return { ...plainAnswer(answer.answer, language), sources, confidence, decision: 'curated' }
}

/** "How long is the Nile?" resembles "How long is the warranty?" by words, so the content words must match too. */
export function sharesContent(
  text: string,
  language: string,
  { question, alternatives }: Pick<CuratedAnswer, 'question' | 'alternatives'>,
): boolean {
  const terms = questionTerms(analyseQuestion(text, language), () => 1)
  const phrasings = textWords(expandChatSpelling([question, ...alternatives].join('\n'), language), language)
  return terms.length === 0 || coverage(terms, phrasings) > policy.sharedContent
}

/** "Return policy" names a topic, and the answer begins with the page of that title. */
function isTopic({ text, used }: ComposedAnswer, question: Question): boolean {
  const topic = topicTerms(question)
  const title = textWords(used[0]?.passage.title ?? '', question.language)
  return text !== '' && topic.length > 0 && coverage(topic, title) >= policy.topicTitle
}
