// Answers a widget message: passes it to the bot, or to the agent who has the conversation.
import { type Button, Fault, type LeadForm, type WidgetMessage, type WidgetReply } from '@docent/contract'
import { buttonLabels, joinSentences, reachUsSentence, sentencesFor } from '../answers/fall-back.ts'
import { fallbackFor } from '../answers/own-texts.ts'
import type { Answer, Button as AnswerButton, HandoverAsking, ProductCard } from '../answers/types.ts'
import { type ContactDetails, contactDetails, regionOf } from '../answers/understand/contact-details.ts'
import type { BotRecord } from '../storage/bots.ts'
import { recordChanges } from '../storage/conversation-changes.ts'
import type { ConversationRecord, HandoverReason, KnownConversation } from '../storage/conversations.ts'
import { newMessage } from '../storage/messages.ts'
import { timestamp } from '../timestamps.ts'
import { assignRequest, type IsSomebodyThere } from './availability.ts'
import { isRateable, turnEvents } from './conversation-events.ts'
import type { ConversationsContext } from './conversations-context.ts'
import { buttonsUnder, type FlowButtonsIn, type FlowButtonsOf, withFlowButtons } from './flow-buttons.ts'
import { type HandoverQuestions, noHandover, stepHandover, writeNote } from './handover.ts'
import { captureLead } from './leads.ts'
import { type Listener, type SendMessage, type SentMessage, storedMetadata, visitorMessage } from './send-message.ts'
import { asksForTranscript, type RequestTranscript, visitorWords } from './visitor-mails.ts'
import { conversationOf, findSession, type Recognised, type VisitorSession } from './visitors.ts'
import { type BrowserHeaders, newVisit } from './visits.ts'
import type { WaitingTimes } from './waiting-times.ts'

export interface VisitorCall {
  bot: BotRecord
  caller: Recognised
  request: WidgetMessage
  ip: string
  headers: BrowserHeaders
  /** Throws when no further conversation may start. */
  onNew: () => Promise<void>
  listener?: Omit<Listener, 'onStart'> & {
    onStart?: (turn: { sessionId: string; messageId: string; token: string | null }) => void
  }
}

type AnswerVisitor = (call: VisitorCall) => Promise<WidgetReply>

interface Neighbours {
  sendMessage: SendMessage
  transcripts: RequestTranscript
  flowButtonsOf: FlowButtonsOf
  isSomebodyThere: IsSomebodyThere
  waitingTimes: WaitingTimes
  handoverQuestions: Pick<HandoverQuestions, 'begin'>
}

/** Without the visitor's token nobody asks for a person or leaves contact details in their conversation. */
class ForeignConversation extends Error {}

export function makeAnswerVisitor(context: ConversationsContext, neighbours: Neighbours): AnswerVisitor {
  const { live, onEvents, clock, storage } = context
  const { conversations, deliveries } = storage
  const { sendMessage, transcripts, flowButtonsOf, isSomebodyThere, waitingTimes, handoverQuestions } = neighbours

  return async (call) => {
    const { bot, caller, request, onNew } = call
    const { session_id: sessionId, locale, message: text } = request
    const contact = { sessionId, caller, locale, ...request.visitor }
    const ownSession = () => findSession(context, bot, { ...contact, sessionId: undefined }, onNew)
    const session = await findSession(context, bot, contact, onNew, { separate: true })
    const namedContact = bot.widget.leadForm ? contactDetails(text, regionOf(locale)) : { emails: [], phones: [] }
    const hasContact = namedContact.emails.length + namedContact.phones.length > 0
    if (!session.isOwner && (hasContact || mentionsKeyword(bot.widget.handover.keywords, text)))
      return answer(call, await ownSession(), namedContact)
    try {
      return await answer(call, session, namedContact)
    } catch (error) {
      if (!(error instanceof ForeignConversation)) throw error
      return answer(call, await ownSession(), namedContact)
    }
  }

  async function answer(call: VisitorCall, session: VisitorSession, contact: ContactDetails): Promise<WidgetReply> {
    const { bot, caller, request, ip, listener } = call
    const { locale, timezone, message: text } = request
    if (session.known?.handover.status === 'active') return record(call, session, null)
    const transcript = await answerTranscript({ bot, request, ip }, session)
    if (transcript !== null) return record(call, session, transcript)

    const [email = null] = contact.emails
    const [phone = null] = contact.phones
    const wroteContact = email !== null || phone !== null
    let turnOutcome: TurnResult | undefined
    let hasContact = false
    const [flowIn, isTeamOpen] = await Promise.all([flowButtonsOf(bot), isSomebodyThere(bot)])

    const complete = async (sentMessage: SentMessage, conversation: ConversationRecord) => {
      const knownConversation = sentMessage.isNew || !sentMessage.isVerified ? null : session.known
      const { button } = visitorWords(sentMessage.language)
      const offer: AnswerButton = { id: 'transcript', type: 'reply', label: button, value: button }
      const transcriptButton = email && transcripts.isOffered(bot) ? offer : null
      // Given to an action, which says what becomes of it.
      hasContact = wroteContact && !sentMessage.action
      const ask = (reason: HandoverReason) =>
        handoverQuestions.begin(bot, { reason, message: text }, sentMessage.language)
      const recipient = { language: sentMessage.language, locale, timezone }
      const result = await decideTurn(sentMessage, {
        bot,
        text,
        known: knownConversation,
        hasContact,
        transcriptButton,
        flowIn,
        ask,
        isTeamOpen,
        handedOver: () => waitingTimes.handedOver(bot, recipient),
        nobodyThere: () => waitingTimes.nobodyThere(bot, recipient),
      })
      const { lead = null, note = null } = sentMessage.action ?? {}
      if (!sentMessage.isVerified && (result.request || result.asksFirst || hasContact || lead))
        throw new ForeignConversation()
      turnOutcome = result
      const isWritten = sentMessage.isNew || session.isChanged
      const also = async (tx: Parameters<VisitorSession['save']>[0]) => {
        if (isWritten) await session.save(tx)
        const contactInMessage = { name: request.visitor?.name ?? null, email, phone, message: text, fields: {} }
        const details = lead ?? (hasContact ? contactInMessage : null)
        if (details)
          await captureLead(context, tx, {
            conversation,
            visitorId: conversation.visitorId ?? session.visitorId,
            isOwner: sentMessage.isVerified,
            source: lead ? ('form' as const) : ('message' as const),
            consent: false,
            details,
            pageUrl: request.page_url ?? null,
          })
        if (note) await writeNote(tx, bot, conversation.id, note, clock())
        if (result.request) {
          const step = { step: 'request' as const, ...result.request }
          const before = knownConversation?.handover ?? noHandover
          if (await stepHandover(tx, deliveries, conversation, before, step, clock())) {
            const change = { kind: 'requested' as const, by: null, value: result.request.reason }
            await recordChanges(tx, conversation, [change], clock())
            await assignRequest(tx, bot, conversation, clock())
          }
        }
      }
      return {
        answer: result.answer,
        shown: shownWith(result.answer),
        statements: sentMessage.isVerified ? visitOf(call, conversation, knownConversation) : [],
        also: isWritten || hasContact || lead || note || result.request ? also : undefined,
      }
    }

    const { onStart, ...rest } = listener ?? {}
    const sentMessage = await sendMessage(
      bot,
      {
        channel: 'widget',
        text,
        sessionId: session.sessionId,
        conversation: session.known,
        visitorId: session.visitorId,
        visitor: session.visitor,
        isFrom: (visitorId) => visitorId === caller.visitor?.id,
        user: caller.user,
        userId: null,
        pageUrl: request.page_url ?? null,
        metadata: session.isOwner ? storedMetadata(request.metadata) : null,
        region: regionOf(locale),
        locale,
        receivedAt: clock(),
      },
      complete,
      { ...rest, ...(onStart ? { onStart: (turn) => onStart({ ...turn, token: session.token }) } : {}) },
    )
    const signal = { botId: bot.id, conversationId: sentMessage.conversationId }
    live.publish({ ...signal, kind: 'message' })
    if (turnOutcome?.request) live.publish({ ...signal, kind: 'handover' })
    if (hasContact || sentMessage.action?.lead) live.publish({ ...signal, kind: 'lead' })
    // A copy of this message may have asked for a person since the session was loaded.
    const mayBeRequested = (hasContact || !sentMessage.answered) && session.known?.handover.status === 'none'
    const knownConversation = mayBeRequested
      ? await conversations.find(bot.id, 'widget', session.sessionId)
      : session.known
    return toReply(
      bot,
      { ...session, known: knownConversation ?? null },
      sentMessage,
      turnOutcome,
      sentMessage.isNew || session.isChanged ? session.token : caller.token,
      clock(),
    )
  }

  /** The reply to our transcript button; null for any other message. */
  async function answerTranscript(call: Pick<VisitorCall, 'bot' | 'request' | 'ip'>, session: VisitorSession) {
    const { bot, ip } = call
    const { message: text, locale } = call.request
    if (!asksForTranscript(text) || !session.known || !session.isOwner || !transcripts.isOffered(bot)) return null
    const words = visitorWords(session.known.language ?? locale ?? bot.language)
    try {
      return words.sent.replace('{address}', await transcripts.request(bot, session.known, ip))
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      return error.code === 'rate_limited' ? words.tooMany : words.noAddress
    }
  }

  function visitOf(
    { request, headers }: VisitorCall,
    conversation: ConversationRecord,
    knownConversation: KnownConversation | null,
  ) {
    return newVisit(conversation, knownConversation, request, headers, clock())
  }

  /** Records the message without the bot answering: an agent will, or `reply` is the whole answer. */
  async function record(call: VisitorCall, session: VisitorSession, reply: string | null): Promise<WidgetReply> {
    const { bot, request } = call
    const now = clock()
    const conversation = conversationOf(bot, session, request, now)
    const message = visitorMessage(request.message, now)
    const answer = reply === null ? null : newMessage('assistant', reply, now, { decision: 'small_talk' })
    const messages = answer ? [message, answer] : [message]
    const events = bot.reportsEvents ? turnEvents(conversation, messages, false) : []
    const also = session.isChanged ? session.save : undefined
    const visit = session.isOwner ? visitOf(call, conversation, session.known) : []
    await conversations.recordTurn(conversation, messages, [...events.map(deliveries.toSubscribers), ...visit], also)
    if (events.length > 0) onEvents(bot.id)
    live.publish({ botId: bot.id, conversationId: conversation.id, kind: 'message' })
    return {
      reply: reply ?? '',
      confidence: 0,
      buttons: [],
      session_id: session.sessionId,
      message_id: answer?.id ?? null,
      visitor_message_id: message.id,
      answered: answer !== null,
      decision: answer?.decision ?? null,
      rateable: false,
      sources: [],
      products: [],
      handover: { status: session.known?.handover.status ?? 'none' },
      lead_form: null,
      language: session.known?.language ?? bot.language,
      created_at: timestamp(now),
      ...(session.token ? { visitor_token: session.token } : {}),
    }
  }
}

function toReply(
  bot: BotRecord,
  session: VisitorSession,
  sentMessage: SentMessage,
  turnOutcome: TurnResult | undefined,
  token: string | null,
  now: number,
): WidgetReply {
  // The state of a conversation is told to its visitor only.
  const before = sentMessage.isVerified ? (session.known?.handover.status ?? 'none') : 'none'
  const leadForm: LeadForm | null = turnOutcome?.showsLeadForm ? bot.widget.leadForm : null
  return {
    reply: sentMessage.text,
    confidence: sentMessage.confidence,
    buttons: shownButtons(sentMessage),
    session_id: sentMessage.sessionId,
    message_id: sentMessage.messageId,
    visitor_message_id: sentMessage.questionId,
    answered: sentMessage.answered,
    decision: sentMessage.decision,
    ...(sentMessage.action ? { action: { id: sentMessage.action.id, status: sentMessage.action.status } } : {}),
    rateable: isRateable({ role: 'assistant', decision: sentMessage.decision }),
    sources: sentMessage.sources,
    products: (sentMessage.products ?? []).map(toCard),
    handover: { status: turnOutcome?.request ? 'requested' : before },
    lead_form: leadForm,
    language: sentMessage.language,
    created_at: timestamp(now),
    ...(token ? { visitor_token: token } : {}),
  }
}

const MAX_BUTTONS = 11

/** The answer's own buttons, and a link to each product's page. */
function shownButtons({ buttons, products = [] }: Answer): Button[] {
  const pages = products.flatMap(({ id, title, url }): Button[] =>
    url ? [{ id: `product-${id}`, type: 'product', label: title, url }] : [],
  )
  return [...buttons, ...pages].slice(0, MAX_BUTTONS)
}

function toCard({ imageUrl, ...card }: ProductCard) {
  return { ...card, image_url: imageUrl }
}

/** Kept with the message, so that a reload shows the same. */
function shownWith(answer: Answer): string {
  return JSON.stringify({ buttons: shownButtons(answer), products: (answer.products ?? []).map(toCard) })
}

// Completes an answer in the widget: whether to ask for a person, and whether contact details were left or are needed.

interface TurnResult {
  answer: Answer
  /** A person is requested now, and why, or null. */
  request: (HandoverAsking & { answers?: { label: string; value: string }[] }) | null
  /** Whether questions come before the request. */
  asksFirst: boolean
  showsLeadForm: boolean
}

interface TurnContext {
  bot: Pick<BotRecord, 'tone' | 'widget' | 'fallbackMessage' | 'translations'>
  text: string
  known: KnownConversation | null
  /** Whether the message contains an email address or a phone number. */
  hasContact: boolean
  /** Offers to email the conversation, where enabled. */
  transcriptButton: AnswerButton | null
  flowIn: FlowButtonsIn
  /** The first question before a handover; null: there is none. */
  ask: (reason: HandoverReason) => Answer | null
  /** Whether somebody is available. */
  isTeamOpen: boolean
  /** What is told of the wait, with and without somebody there. */
  handedOver: () => Promise<string>
  nobodyThere: () => Promise<string>
}

async function decideTurn(answer: Answer, context: TurnContext): Promise<TurnResult> {
  const { bot, text, known, hasContact, transcriptButton, flowIn, ask, isTeamOpen, handedOver, nobodyThere } = context
  const { handover, leadForm } = bot.widget
  const say = sentencesFor(bot, answer.language)
  const status = known?.handover.status ?? 'none'
  const isPersonRequested = status === 'requested'
  const finishedQuestions = answer.action?.handover
  const isAskingQuestions = answer.action?.id === 'handover' && !finishedQuestions
  const reason = hasContact && answer.decision !== 'person' ? null : handoverReason(answer, handover, text, known)
  const ownButtons = fittingButtons(answer, isTeamOpen && !isPersonRequested, leadForm !== null)
  const buttons = withFlowButtons(ownButtons, buttonsUnder(answer, flowIn))

  if (isAskingQuestions) return turnResult(answer, answer.text, ownButtons)

  // What a language model wrote may have been streamed, so it stays.
  const answerText = answer.answered || answer.isGenerated ? `${answer.text}\n\n` : ''

  // Still waiting for a person: no answer of the bot to be rated.
  if (isPersonRequested && !answer.answered)
    return turnResult({ ...answer, decision: 'person' }, answerText + say.handedOver, [])
  if (reason && isTeamOpen && !isPersonRequested) {
    const before = answer.decision === 'person' ? '' : `${answer.text}\n\n`
    // One thing waits for the visitor at a time: an action of this turn keeps its state and its run.
    const first = finishedQuestions || answer.action ? null : ask(reason)
    if (first?.action) {
      const askingAnswer = { ...answer, action: first.action }
      return { ...turnResult(askingAnswer, before + first.text, first.buttons), asksFirst: true }
    }
    const others = buttons.filter(({ type }) => type !== 'handover')
    const request = finishedQuestions ?? { reason, message: answer.action?.message ?? text }
    return { ...turnResult(answer, before + (await handedOver()), others), request }
  }
  if (hasContact) {
    // A message with contact details is usually not a question.
    const outcome: Partial<Answer> = answer.answered ? {} : { answered: true, confidence: 1, decision: 'small_talk' }
    return turnResult(
      { ...answer, ...outcome },
      answerText + say.contactNoted,
      transcriptButton ? [transcriptButton] : [],
    )
  }
  if (answer.action?.note && !isTeamOpen && leadForm)
    return {
      ...turnResult(answer, joinSentences([answer.text, await nobodyThere()], answer.language), []),
      showsLeadForm: true,
    }
  if (answer.decision === 'person' && !isTeamOpen) {
    if (leadForm) return { ...turnResult(answer, await nobodyThere(), []), showsLeadForm: true }
    const reachUs = answer.contact ? [reachUsSentence(say, answer.contact)] : []
    const ownMessage = fallbackFor(bot, answer.language)
    return turnResult(answer, ownMessage ?? joinSentences([await nobodyThere(), ...reachUs], answer.language), [])
  }
  return turnResult(answer, answer.text, buttons)
}

function turnResult(answer: Answer, text: string, buttons: AnswerButton[]): TurnResult {
  return { answer: { ...answer, text, buttons }, request: null, asksFirst: false, showsLeadForm: false }
}

function handoverReason(
  answer: Answer,
  { keywords, on_low_confidence }: BotRecord['widget']['handover'],
  text: string,
  knownConversation: KnownConversation | null,
): HandoverReason | null {
  if (answer.action?.handover) return answer.action.handover.reason
  if (answer.decision === 'person') return 'visitor_request'
  if (answer.action?.note) return 'rule'
  if (mentionsKeyword(keywords, text)) return 'rule'
  return on_low_confidence && !answer.answered && knownConversation?.unanswered ? 'low_confidence' : null
}

export function mentionsKeyword(keywords: readonly string[], text: string): boolean {
  const lowerText = text.toLowerCase()
  return keywords.some((keyword) => mentions(lowerText, keyword.trim().toLowerCase()))
}

const SPACED_SCRIPT = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}]/u
const ENDS_IN_WORD = /[\p{L}\p{N}]$/u
const BEGINS_IN_WORD = /^[\p{L}\p{N}]/u

/**
 * Whole words only: "refund" is not in "refundable". Scripts without spaces match anywhere. Not a pattern of its own for
 * each keyword: compiling fifty of them and trying them everywhere takes too long for the longest messages.
 */
function mentions(lowerText: string, keyword: string): boolean {
  if (!SPACED_SCRIPT.test(keyword)) return lowerText.includes(keyword)
  for (let at = lowerText.indexOf(keyword); at >= 0; at = lowerText.indexOf(keyword, at + 1)) {
    const end = at + keyword.length
    // A character may be two units long.
    const isWhole =
      !BEGINS_IN_WORD.test(lowerText.slice(end, end + 2)) &&
      !ENDS_IN_WORD.test(lowerText.slice(Math.max(0, at - 2), at))
    if (isWhole) return true
  }
  return false
}

/** Offers a person only where there is one; otherwise the form, if the bot has one. */
function fittingButtons({ buttons, language }: Answer, hasPeople: boolean, hasForm: boolean): AnswerButton[] {
  const { contact } = buttonLabels(language)
  return buttons.flatMap((button): AnswerButton[] => {
    if (button.type !== 'handover' || hasPeople) return [button]
    return hasForm ? [{ id: 'contact', type: 'lead_form', label: contact }] : []
  })
}
