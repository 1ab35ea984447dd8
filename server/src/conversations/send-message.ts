// One turn of a conversation: reads the history, answers, and writes both messages in one durable write.
import { Fault, METADATA_LIMIT_BYTES } from '@docent/contract'
import type { ActionsOf } from '../actions/dialogue.ts'
import type { ActionSession, Answer, Turn, VerifiedUser } from '../answers/types.ts'
import { hasContactDetails } from '../answers/understand/contact-details.ts'
import { questionKey } from '../answers/understand/question-key.ts'
import type { Context } from '../context.ts'
import { randomId, timedId } from '../ids.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { ConversationRecord, KnownConversation } from '../storage/conversations.ts'
import { type Queries, type Statement, StorageError } from '../storage/database.ts'
import { type AskedQuestion, type Channel, type MessageRecord, newMessage } from '../storage/messages.ts'
import type { TurnOutcome } from '../storage/resolutions.ts'
import type { Storage } from '../storage/storage.ts'
import type { VisitorStatus } from '../storage/visitors.ts'
import { type AnswerMessage, HISTORY_MESSAGES } from './answer-message.ts'
import { actionEvents, turnEvents } from './conversation-events.ts'
import type { ConversationsContext } from './conversations-context.ts'
import { type ModelCall, totalUsage, usageOf } from './language-models.ts'
import type { MeasureStage } from './turn-stages.ts'

// A visitor who comes back to repeat a question does so in the first messages.
const FIRST_MESSAGES = 4

interface IncomingMessage {
  channel: Channel
  text: string
  /** Null: create one. */
  sessionId: string | null
  /** Undefined: find it by its session, which must exist. Null: this message starts it. */
  conversation?: KnownConversation | null
  /** Earlier turns of a new conversation, when the caller keeps them. */
  history?: Turn[] | undefined
  visitorId?: string | null
  visitor?: VisitorStatus
  /** Whether the sender is proven to be the visitor of an existing conversation; not needed for the API. */
  isFrom?: (visitorId: string | null) => boolean
  /** Proven by the site in this call. */
  user?: VerifiedUser | null
  userId: string | null
  pageUrl: string | null
  metadata: string | null
  /** The visitor's region by locale, for parsing phone numbers. */
  region?: string | undefined
  locale?: string | undefined
  receivedAt: number
}

export interface SentMessage extends Answer {
  sessionId: string
  conversationId: string
  questionId: string
  messageId: string
  isNew: boolean
  /** Whether it is proven to come from the conversation's visitor. */
  isVerified: boolean
}

/** How a channel changes an answer, and what is written together with the turn. */
interface Completion {
  answer?: Answer
  /** Cards and buttons, kept to show them again. */
  shown?: string
  statements?: Statement[]
  /** Writes that need to read first. */
  also?: ((tx: Queries) => Promise<void>) | undefined
}

type Complete = (sentMessage: SentMessage, conversation: ConversationRecord) => Completion | Promise<Completion>

/** Receives the answer while it is generated. */
export interface Listener {
  /** A language model was called: text may arrive from now on. */
  onStart?: (turn: { sessionId: string; messageId: string }) => void
  /** Provisional until the answer is complete: a model that fails halfway is replaced. */
  onText?: (text: string) => void
  /** Aborted when the caller disconnects. */
  signal?: AbortSignal
}

export type SendMessage = (
  bot: BotRecord,
  message: IncomingMessage,
  complete?: Complete,
  listener?: Listener,
) => Promise<SentMessage>

interface Neighbours {
  answerMessage: AnswerMessage
  actionsOf: ActionsOf
  /** Runs work ahead of long tasks on the event loop. */
  runFirst: <T>(work: () => Promise<T>) => Promise<T>
  measure: MeasureStage
}

/** A turn, observed and run ahead of background work. */
export function makeSendMessage(context: ConversationsContext, { runFirst, ...neighbours }: Neighbours): SendMessage {
  const runTurn = makeRunTurn(context, neighbours)
  return observed(context, (...turn) => runFirst(() => runTurn(...turn)))
}

function makeRunTurn(context: ConversationsContext, neighbours: Omit<Neighbours, 'runFirst'>): SendMessage {
  const { clock, storage } = context
  const { answerMessage, actionsOf, measure } = neighbours

  return async (bot, message, complete = () => ({}), { onStart, onText, signal } = {}) => {
    const { knownConversation, history, isOwn, pending, turnKey } = await measure('history', () =>
      loadHistory(storage, bot, message),
    )

    const question = visitorMessage(message.text, message.receivedAt)
    const ids = { sessionId: message.sessionId ?? randomId('ses'), messageId: timedId('msg', clock()) }
    const listener = { onRequest: () => onStart?.(ids), ...(onText ? { onText } : {}), signal }
    const session: ActionSession = {
      channel: message.channel,
      conversationId: knownConversation?.id ?? null,
      pending,
      turnKey,
      usesSamples: false,
      user: message.user ?? null,
    }
    // Nothing is done in a conversation for somebody who may not be its visitor.
    const actions = isOwn ? actionsOf(bot, session) : undefined
    const visit = { actions, locale: message.locale, spoken: knownConversation?.language }
    const { answer, calls } = await answerMessage(bot, message.text, history, listener, visit)
    if (calls.at(-1)?.outcome === 'aborted' && !answer.action?.run) {
      // The caller disconnected, so there is no turn unless something was done, but the model calls still count.
      for (const call of calls) await storage.modelUsageDays.count(bot.id, usageOf(call, clock()))
      throw new Fault('request_timeout')
    }

    const isFirst = history.length < FIRST_MESSAGES
    const turn: AnsweredTurn = { bot, message, question, answer, calls, ids, isFirst, complete }
    const sender = { visitorId: message.visitorId, visitor: message.visitor ?? null }
    try {
      const id = knownConversation?.id ?? timedId('cnv', message.receivedAt)
      return await recordAnsweredTurn(context, measure, turn, { id, isNew: !knownConversation, ...sender })
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      // The conversation or the bot was deleted meanwhile.
      if (error.kind === 'foreign_key') throw new Fault(knownConversation ? 'session_not_found' : 'bot_not_found')
      // A concurrent request created a conversation with the same session id.
      const other =
        error.kind === 'unique' && !knownConversation
          ? await storage.conversations.find(bot.id, message.channel, ids.sessionId)
          : undefined
      if (!other) throw error
      return recordAnsweredTurn(context, measure, turn, { ...other, isNew: false })
    }
  }
}

async function loadHistory(storage: Storage, bot: BotRecord, message: IncomingMessage) {
  const knownConversation = await findKnown(storage, bot, message)
  if (!knownConversation)
    return {
      knownConversation,
      history: message.history ?? [],
      isOwn: true,
      pending: null,
      turnKey: turnKeyOf(message, []),
    }
  const { isFrom = () => true } = message
  const messages = await storage.messages.list(bot.id, knownConversation.id, HISTORY_MESSAGES)
  const isOwn = isFrom(knownConversation.visitorId)
  const history = messages.map((one) => toTurn(one, isOwn))
  return {
    knownConversation,
    history,
    isOwn,
    pending: pendingAction(history.at(-1), knownConversation),
    turnKey: turnKeyOf(message, messages),
  }
}

async function findKnown(
  { conversations }: Storage,
  bot: BotRecord,
  { conversation, channel, sessionId }: IncomingMessage,
) {
  if (conversation !== undefined) return conversation
  if (sessionId === null) return null
  const existingConversation = await conversations.find(bot.id, channel, sessionId)
  if (!existingConversation) throw new Fault('session_not_found')
  return existingConversation
}

// Recording: both messages and everything that follows from them, in one write.

interface AnsweredTurn {
  bot: BotRecord
  message: IncomingMessage
  question: MessageRecord
  answer: Answer
  calls: ModelCall[]
  ids: { sessionId: string; messageId: string }
  /** Among the first messages of its conversation. */
  isFirst: boolean
  complete: Complete
}

/** The conversation that a turn is recorded in. */
interface Target {
  id: string
  isNew: boolean
  visitorId: string | null | undefined
  visitor: VisitorStatus | null
}

async function recordAnsweredTurn(
  { storage, clock, onEvents }: ConversationsContext,
  measure: MeasureStage,
  turn: AnsweredTurn,
  target: Target,
): Promise<SentMessage> {
  const { conversations, deliveries, actionRuns, modelUsageDays, resolutions } = storage
  const { bot, message, question, answer, calls, ids } = turn
  const { isNew, visitorId } = target
  const { isFrom = () => true } = message
  const isVerified = isNew || isFrom(visitorId ?? null)
  const conversation = toConversation(turn, target)
  const sentMessage: SentMessage = {
    ...answer,
    ...ids,
    conversationId: target.id,
    questionId: question.id,
    isNew,
    isVerified,
  }
  const completion = await turn.complete(sentMessage, conversation)
  const completedMessage = { ...sentMessage, ...completion.answer }
  const askedQuestion = findAskedQuestion(question, answer, message.region)
  const reply = {
    ...botMessage(ids.messageId, completedMessage, calls, clock()),
    shown: completion.shown,
    question: askedQuestion,
  }
  const newMessages = [question, reply].map((one) => ({ ...one, unverified: !isVerified }))
  conversation.turn = turnOutcome(answer, reply)
  const { action } = completedMessage
  const newEvents = [...turnEvents(conversation, newMessages, isNew), ...actionEvents(conversation, action, clock())]
  const events = bot.reportsEvents ? newEvents : []
  const statements = [
    ...events.map(deliveries.toSubscribers),
    ...(action?.run ? [actionRuns.finishStatement(bot.id, action.run.id, action.run, target.id)] : []),
    ...(completion.statements ?? []),
    ...calls.map((call) => modelUsageDays.countStatement(bot.id, usageOf(call, clock()))),
  ]
  if (askedQuestion && isVerified && turn.isFirst)
    await resolutions.takeBack({ ...conversation, visitorId: visitorId ?? null }, askedQuestion.key, clock())
  await measure('write', () => conversations.recordTurn(conversation, newMessages, statements, completion.also))
  if (events.length > 0 || completion.also) onEvents(bot.id)
  return completedMessage
}

function toConversation(
  { bot, message, answer, ids }: AnsweredTurn,
  { id, isNew, visitorId, visitor }: Target,
): ConversationRecord {
  const { channel, userId, pageUrl, metadata, receivedAt } = message
  return {
    botId: bot.id,
    id,
    channel,
    sessionId: ids.sessionId,
    userId,
    pageUrl,
    metadata,
    visitorId,
    visitor,
    language: answer.language,
    createdAt: receivedAt,
    isNew,
  }
}

/** A copy may arrive when the first has just been answered. */
const COPIES_MS = 10_000

function turnKeyOf({ channel, sessionId, text, receivedAt }: IncomingMessage, messages: MessageRecord[]) {
  if (sessionId === null) return null
  const isCopy = (one: MessageRecord) =>
    one.role === 'user' && one.text === text && one.createdAt > receivedAt - COPIES_MS
  const first = messages.findIndex(isCopy)
  const before = first === -1 ? messages : messages.slice(0, first)
  return JSON.stringify([channel, sessionId, before.at(-1)?.id ?? null, text])
}

/** What the turn says about how the conversation goes. Greetings say nothing. */
function turnOutcome(
  { opinion, action }: Answer,
  { createdAt, question, answered, decision }: MessageRecord,
): TurnOutcome {
  if (decision === 'person') return { askedAt: null, outcome: 'escalated' }
  if (decision === 'action')
    return { askedAt: createdAt, outcome: action?.status === 'done' ? 'answered' : 'unresolved' }
  if (question) return { askedAt: createdAt, outcome: answered && decision !== 'suggest' ? 'answered' : 'unresolved' }
  if (!opinion) return { askedAt: null, outcome: null }
  return { askedAt: null, outcome: opinion === 'pleased' ? 'confirmed' : 'negative' }
}

/** What an action waits for, if the last reply asked for it and the caller may know that. */
function pendingAction(turn: Turn | undefined, { handover }: KnownConversation): string | null {
  const state = turn?.isPrivate ? null : (turn?.action ?? null)
  // The button has skipped the questions that come before a person.
  const isSkipped = handover.status === 'requested' && JSON.parse(state ?? 'null')?.actionId === 'handover'
  return isSkipped ? null : state
}

/**
 * Agents' messages count as the bot's. Callers without the token must learn nothing of earlier messages, and nobody
 * anything of unverified ones.
 */
export function toTurn(message: MessageRecord, mayTell: boolean): Turn {
  const { role, text, documentIds, productIds, answered, unverified, action, decision } = message
  const isPrivate = !mayTell || unverified === true
  // A reply that still asks for something repeats nothing.
  const isUntrusted = decision === 'action' && !action
  const details = { documentIds, productIds, answered, action, isUntrusted }
  return { role: role === 'user' ? 'user' : 'assistant', text, ...details, isPrivate }
}

export function visitorMessage(text: string, createdAt: number): MessageRecord {
  return newMessage('user', text, createdAt)
}

function botMessage(id: string, answer: Answer, calls: readonly ModelCall[], createdAt: number): MessageRecord {
  const { text, sources, documentIds, citations, confidence, answered, decision } = answer
  const last = calls.at(-1)
  return {
    id,
    role: 'assistant',
    text,
    sources,
    documentIds,
    citations,
    productIds: (answer.products ?? []).map(({ id }) => id),
    confidence,
    answered,
    decision,
    action: answer.action?.state ?? null,
    createdAt,
    ...(last ? { modelCall: { model: last.model, ...totalUsage(calls) } } : {}),
  }
}

// Which question a visitor's message asked, for counting. Not for small talk, handover or contact details.

// A cheap test first: parsing phone numbers costs more than everything else here.
const MAYBE_CONTACT = /@|\p{Nd}(?:[\s()./-]*\p{Nd}){5}/u

function findAskedQuestion(
  { id, text }: Pick<MessageRecord, 'id' | 'text'>,
  answer: Answer,
  region: string | undefined,
): AskedQuestion | null {
  if (answer.asksNothing || (!answer.answered && containsContact(text, region))) return null
  const key = questionKey(text)
  return key === null ? null : { key, id, language: answer.language }
}

/** A message with contact details is usually not a question. */
function containsContact(text: string, region: string | undefined): boolean {
  return MAYBE_CONTACT.test(text) && hasContactDetails(text, region)
}

/** Counts turns and their outcomes for the operator. */
function observed({ metrics, trace }: Pick<Context, 'metrics' | 'trace'>, send: SendMessage): SendMessage {
  return (bot, message, complete, listener) => {
    const { channel } = message
    const start = performance.now()
    return trace('turn', { 'docent.bot_id': bot.id, 'docent.channel': channel }, async (span) => {
      let outcome: string | undefined
      try {
        const sentMessage = await send(bot, message, complete, listener)
        outcome = outcomeOf(sentMessage)
        span.set({ 'docent.conversation_id': sentMessage.conversationId, 'docent.confidence': sentMessage.confidence })
        return sentMessage
      } catch (error) {
        // The caller's mistakes are not failed turns.
        if (!(error instanceof Fault && error.status < 500)) outcome = 'failed'
        throw error
      } finally {
        if (outcome) {
          span.set({ 'docent.outcome': outcome })
          metrics.count('docent_turns_total', { channel, outcome })
          metrics.observeSeconds('docent_turn_seconds', { channel }, (performance.now() - start) / 1000)
        }
      }
    })
  }
}

function outcomeOf({ answered, asksNothing, decision }: SentMessage): string {
  if (decision === 'person' || decision === 'action') return decision
  if (asksNothing) return 'small_talk'
  if (!answered) return 'fallback'
  return decision === 'suggest' ? 'suggested' : 'answered'
}

/** What a caller or a page states about a conversation: a flat object, stored as JSON. */
export function storedMetadata(metadata: object | undefined): string | null {
  const json = metadata ? JSON.stringify(metadata) : null
  if (json && Buffer.byteLength(json) > METADATA_LIMIT_BYTES) {
    const details = [{ path: 'metadata', message: `Use at most ${METADATA_LIMIT_BYTES} bytes of JSON.` }]
    throw new Fault('validation_failed', { details })
  }
  return json
}
