// What helps an agent reply to a visitor's last question: the bot's answers, what an agent replied to a similar one,
// and canned replies, without a language model and recorded nowhere; and drafts that a model writes.

import { type Draft, type DraftInput, Fault } from '@docent/contract'
import type { DraftTask, DraftTurn, WrittenDraft } from '../answers/language-model/write-draft.ts'
import { suggestAnswers } from '../answers/suggest-answers.ts'
import type { Turn } from '../answers/types.ts'
import { asksForPerson } from '../answers/understand/asks-for-person.ts'
import { questionText } from '../answers/understand/question-text.ts'
import { compareTexts } from '../answers/understand/similar-texts.ts'
import { smallTalk } from '../answers/understand/small-talk.ts'
import type { KnowledgeOf } from '../catalogue/open-catalogue.ts'
import type { Context } from '../context.ts'
import { languageOrEnglish } from '../language/languages.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { CannedReplyRecord } from '../storage/canned-replies.ts'
import type { InboxRecord } from '../storage/inbox.ts'
import type { MessageRecord, PastMessage } from '../storage/messages.ts'
import { HISTORY_MESSAGES, voiceOf } from './answer-message.ts'
import { type ModelCall, usageOf } from './language-models.ts'
import { toTurn } from './send-message.ts'

const MAX_SUGGESTIONS = 3
const MAX_CANNED_REPLIES = 500
// From this overlap on, two questions are about the same.
const SIMILAR_QUESTIONS = 0.4
// From this share of the question's words on, a canned reply is about it.
const ABOUT_THE_SAME = 0.25
const READ_AT_ONCE = 200

interface PastReply {
  conversationId: string
  question: string
  text: string
  agentName: string | null
  createdAt: number
}

export function makeSuggestReplies({ storage, config }: Context, knowledgeOf: KnowledgeOf) {
  const { messages, cannedReplies } = storage
  const { widgetBaseUrl } = config
  return async (bot: BotRecord, conversation: InboxRecord) => {
    const visitorQuestion = questionOf(
      await messages.list(bot.id, conversation.id, HISTORY_MESSAGES),
      languageOf(bot, conversation),
    )
    if (!visitorQuestion) return { question: null, answers: [], pastReplies: [], cannedReplies: [] }
    const { question, history } = visitorQuestion
    const language = languageOf(bot, conversation)
    const [suggestions, past, cannedRecords] = await Promise.all([
      suggestAnswers(question, history, voiceOf(bot, widgetBaseUrl), await knowledgeOf(bot), MAX_SUGGESTIONS),
      messages.listPast(bot.id, conversation.id),
      cannedReplies.list(bot.workspaceId, '', MAX_CANNED_REPLIES),
    ])
    return {
      question,
      answers: suggestions.answers,
      pastReplies: await similarReplies(question, past, language),
      cannedReplies: await repliesAbout(question, cannedRecords, language),
    }
  }
}

function languageOf(bot: BotRecord, { language }: InboxRecord): string {
  return language ?? bot.language
}

/** The visitor's last question, and what was said before it. */
export function questionOf(
  messages: readonly MessageRecord[],
  language: string,
): { question: string; history: Turn[] } | null {
  const userMessages = messages.flatMap(({ role, text }, at) => (role === 'user' ? [{ text, at }] : []))
  const texts = userMessages.map(({ text }) => text)
  const last = userMessages[lastQuestion(texts, language)]
  return last ? { question: last.text, history: messages.slice(0, last.at).map(toPlainTurn) } : null
}

function toPlainTurn({ role, text, documentIds, productIds, answered }: MessageRecord): Turn {
  return { role: role === 'user' ? 'user' : 'assistant', text, documentIds, productIds, answered }
}

async function similarReplies(question: string, messages: PastMessage[], language: string): Promise<PastReply[]> {
  const replies: PastReply[] = []
  let readCount = 0
  for (const some of Map.groupBy(messages, ({ conversationId }) => conversationId).values()) {
    replies.push(...pairReplies(some, language))
    readCount += some.length
    if (readCount < READ_AT_ONCE) continue
    readCount = 0
    await new Promise(setImmediate)
  }
  const similar = await compareTexts(
    question,
    replies.map((reply) => reply.question),
    language,
  )
  const rankedReplies = replies
    .map((reply, at) => ({ reply, score: similar[at]?.overlap ?? 0 }))
    .filter(({ score }) => score >= SIMILAR_QUESTIONS)
    .sort((one, other) => other.score - one.score || other.reply.createdAt - one.reply.createdAt)
    .map(({ reply }) => reply)
  // A reply that is always the same, such as an inserted canned reply, is listed once.
  return [...new Map(rankedReplies.toReversed().map((reply) => [reply.text, reply])).values()]
    .toReversed()
    .slice(0, MAX_SUGGESTIONS)
}

/** Each question of a conversation with what agents wrote until the next one. */
function pairReplies(messages: PastMessage[], language: string): PastReply[] {
  const pairs: PastReply[] = []
  let question: string | null = null
  let open: PastReply | null = null
  for (const { role, text, conversationId, agentName, createdAt } of messages) {
    if (role === 'user') {
      if (lastQuestion([text], language) === 0) question = text
      open = null
    } else if (open) open.text += `\n\n${text}`
    else if (question !== null) {
      open = { conversationId, question, text, agentName, createdAt }
      pairs.push(open)
      question = null
    }
  }
  return pairs
}

async function repliesAbout(
  question: string,
  replies: CannedReplyRecord[],
  language: string,
): Promise<CannedReplyRecord[]> {
  const similar = await compareTexts(
    question,
    replies.map(({ shortcut, text }) => `${shortcut.replaceAll(/[_-]/g, ' ')} ${text}`),
    language,
  )
  return replies
    .map((reply, at) => ({ reply, score: similar[at]?.coverage ?? 0 }))
    .filter(({ score }) => score >= ABOUT_THE_SAME)
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ reply }) => reply)
}

/** The index of the last message that is a question, neither small talk nor a request for a person; -1 if there is none. */
export function lastQuestion(texts: readonly string[], language: string): number {
  const textLanguage = languageOrEnglish(language)
  return texts.map(questionText).findLastIndex((text) => {
    const talk = smallTalk(text, textLanguage)
    return !(talk && !talk.rest) && !asksForPerson(text, textLanguage) && /\p{L}{2}/u.test(text)
  })
}

// Texts that a bot's language model writes for an agent, who checks and sends them.

// More would hardly fit into a prompt.
const MESSAGES_READ = 60

/** Null for a bot whose messages no model may read; 'daily_limit' when its daily calls are used up. */
export type AskForDraft = (
  bot: BotRecord,
  task: DraftTask,
) => Promise<{ draft: WrittenDraft; call: ModelCall } | 'daily_limit' | null>

interface Neighbours {
  knowledgeOf: KnowledgeOf
  /** The history as a language model may know it. */
  forModel: (history: readonly Turn[]) => Turn[]
  askForDraft: AskForDraft
}

export function makeWriteDraft(context: Context, { knowledgeOf, forModel, askForDraft }: Neighbours) {
  const { clock, storage, config } = context
  const { messages, modelUsageDays } = storage

  /** The passages that a draft may use. */
  async function passagesFor(bot: BotRecord, recentMessages: readonly MessageRecord[], language: string) {
    const visitorQuestion = questionOf(recentMessages, language)
    if (!visitorQuestion) return []
    const { question, history } = visitorQuestion
    const voice = voiceOf(bot, config.widgetBaseUrl)
    const { hits } = await suggestAnswers(question, history, voice, await knowledgeOf(bot), MAX_SUGGESTIONS)
    return hits.map(({ passage }) => passage)
  }

  async function taskOf(bot: BotRecord, conversation: InboxRecord, input: DraftInput): Promise<DraftTask> {
    const { task, text = '', style = 'correct' } = input
    const language = input.language ?? languageOf(bot, conversation)
    if (task === 'rewrite') return { task, text: requireText(text), style }
    if (task === 'translate') return { task, text: requireText(text), language }
    const recentMessages = await messages.list(bot.id, conversation.id, MESSAGES_READ, undefined, 'verified')
    const modelTurns = forModel(recentMessages.map((message) => toTurn(message, true)))
    const turns = recentMessages.map((message, at) => toDraftTurn(message, modelTurns[at]?.text ?? ''))
    if (task === 'summary') return { task, turns, language: input.language ?? 'en' }
    return { task, turns, passages: await passagesFor(bot, recentMessages, language), language, begun: text }
  }

  return async (bot: BotRecord, conversation: InboxRecord, input: DraftInput): Promise<Draft> => {
    const result = await askForDraft(bot, await taskOf(bot, conversation, input))
    if (result === null) return { text: null, problem: 'no_language_model' }
    if (result === 'daily_limit') return { text: null, problem: 'daily_limit' }
    await modelUsageDays.count(bot.id, usageOf(result.call, clock()))
    return 'failed' in result.draft
      ? { text: null, problem: 'unavailable' }
      : { text: result.draft.text, problem: null }
  }
}

function toDraftTurn({ role }: MessageRecord, text: string): DraftTurn {
  return { by: role === 'user' ? 'visitor' : role === 'agent' ? 'agent' : 'bot', text }
}

function requireText(text: string): string {
  if (text.trim()) return text
  throw new Fault('validation_failed', { details: [{ path: 'text', message: 'Send the text to change.' }] })
}
