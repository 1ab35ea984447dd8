// Turns a question and its history into an answer with sources and confidence: a list of steps, of which the first that
// has an answer gives it.
import { chatLanguage } from '../language/chat-language.ts'
import { expandChatSpelling } from '../language/chat-spelling.ts'
import { detectLanguage } from '../language/detect-language.ts'
import { languageOrEnglish } from '../language/languages.ts'
import type { SmallTalkKind } from '../language/schema.ts'
import { answerFromPages, composeFromPages } from './answer-from-pages.ts'
import { unknownPart } from './answer-parts.ts'
import { MAX_SOURCES } from './compose/compose-answer.ts'
import { composeWithModel } from './compose-with-model.ts'
import { curatedAnswer, findCuratedAnswer, verbatimAnswer } from './curated.ts'
import { fallBack, hedged, personButton } from './fall-back.ts'
import { findContact } from './find-contact.ts'
import { findHits, type SearchResult } from './find-hits.ts'
import type { ModelToolCall } from './language-model/types.ts'
import type { ResultToWord } from './language-model/word-result.ts'
import { chooseSource, isCertainProduct } from './page-or-product.ts'
import type {
  ActionDialogue,
  ActionMessage,
  ActionStep,
  Answer,
  AnswerModel,
  BotVoice,
  Hit,
  Knowledge,
  ProductAnswer,
  Turn,
  Visit,
} from './types.ts'
import { personRequestLanguage } from './understand/asks-for-person.ts'
import { questionText } from './understand/question-text.ts'
import { smallTalk, smallTalkReply } from './understand/small-talk.ts'

const ASKS = /[?？؟]\s*$/

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

/** What none of these answers is looked up in the content, which always has a reply. */
const steps: Step[] = [answerExactly, startAction, answerSmallTalk, offerPerson, answerWithModel, answerFromCatalogue]

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

/** What retrieval finds for a question, and the confidence of the answer a visitor would get. */
export async function inspectQuestion(
  question: string,
  bot: BotVoice,
  knowledge: Knowledge,
  limit: number,
): Promise<{ hits: Hit[]; confidence: number }> {
  let answerSearch: SearchResult | undefined
  const { confidence } = await answerQuestion(question, [], bot, knowledge, undefined, (result) => {
    answerSearch = result
  })
  const searchResult =
    answerSearch ?? (await findHits(question, await detectLanguage(question, bot.language), [], knowledge))
  const unread = searchResult.ranking.slice(searchResult.hits.length, limit)
  return { hits: [...searchResult.hits, ...(await knowledge.load(unread))].slice(0, limit), confidence }
}

async function firstAnswer(message: Message): Promise<Answer> {
  let answer: Answer | null = null
  for (const step of steps) answer ??= await step(message)
  answer ??= await answerFromContent(message)
  return answer.decision === 'suggest' && !answer.isGenerated ? hedged(answer, message.bot) : answer
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
  const answer = await verbatimAnswer(text, matches, language, bot, knowledge)
  return answer && { ...answer, asksNothing: true }
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
  return {
    text: reply,
    sources: [],
    documentIds: [],
    confidence: 1,
    answered: true,
    language,
    buttons,
    decision: 'small_talk',
    asksNothing: true,
    ...opinionOf(talk.kind),
  }
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
  const curated = await curatedAnswer(searchResult.question.text, searchResult.curated, language, bot, knowledge)
  if (curated) return curated
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
  const curated = await findCuratedAnswer(question, language, bot, knowledge)
  return curated ?? (isFirstPart && product.rest ? withPages(message, product.answer, product.rest) : product.answer)
}

/** Two questions in one message: what the pages say about the second, with a hedge in doubt, follows the catalogue's answer. */
async function withPages(message: Message, answer: Answer, rest: string): Promise<Answer> {
  const { language, history, bot, knowledge, onSearchResult } = message
  const pagesOnly = { ...knowledge, openProducts: undefined }
  const page = await answerQuestion(rest, history, bot, pagesOnly, undefined, onSearchResult, { spoken: language })
  if (!page.answered) return { ...answer, text: `${answer.text}\n\n${unknownPart(rest, language, bot)}` }
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
  const { language, bot, knowledge } = message
  const product = message.product ?? undefined
  const searchResult = await search(message)
  const curated = await curatedAnswer(searchResult.question.text, searchResult.curated, language, bot, knowledge)
  if (curated) return curated
  const pages = await composeFromPages(message, searchResult)
  const source = chooseSource({
    product,
    pages: { confidence: pages.likelihood, coverage: searchResult.hits[0]?.signals.coverage ?? 0 },
    thresholds: bot.thresholds,
  })
  if (source === 'product' && product) return product.answer
  const page = await answerFromPages(message, searchResult, pages)
  return page.answered || source === 'pages' || !product ? page : product.answer
}
