// Answers a widget message: passes it to the bot, or to the agent who has the conversation.
import { type Button, Fault, type LeadForm, type WidgetMessage, type WidgetReply } from '@docent/contract'
import { buttonLabels, nobodyAvailable, reachUsSentence, sentencesFor } from '../answers/fall-back.ts'
import type { Answer, Button as AnswerButton, ProductCard } from '../answers/types.ts'
import { type ContactDetails, contactDetails, regionOf } from '../answers/understand/contact-details.ts'
import { timedId } from '../ids.ts'
import { isOpen } from '../local-time.ts'
import type { BotRecord } from '../storage/bots.ts'
import type {
  ConversationRecord,
  ConversationsTable,
  HandoverReason,
  KnownConversation,
} from '../storage/conversations.ts'
import type { DeliveriesTable } from '../storage/deliveries.ts'
import { noteInsertion } from '../storage/inbox.ts'
import type { MessageRecord } from '../storage/messages.ts'
import type { VisitorRecord } from '../storage/visitors.ts'
import { isRateable, turnEvents } from './conversation-events.ts'
import { noHandover, stepHandover } from './handover.ts'
import type { CaptureLead } from './leads.ts'
import type { Live } from './live.ts'
import { type Listener, type SendMessage, type SentMessage, visitorMessage } from './send-message.ts'
import { asksForTranscript, type RequestTranscript, visitorWords } from './visitor-mails.ts'
import { conversationOf, type FindSession, type VisitorSession } from './visitors.ts'

export interface VisitorCall {
  bot: BotRecord
  visitor: VisitorRecord | null
  request: WidgetMessage
  ip: string
  /** Throws when no further conversation may start. */
  onNew: () => Promise<void>
  listener?: Omit<Listener, 'onStart'> & {
    onStart?: (turn: { sessionId: string; messageId: string; token: string | null }) => void
  }
}

export type AnswerVisitor = (call: VisitorCall) => Promise<WidgetReply>

interface Deps {
  conversations: Pick<ConversationsTable, 'recordTurn'>
  deliveries: Pick<DeliveriesTable, 'toSubscribers' | 'report'>
  findSession: FindSession
  sendMessage: SendMessage
  captureLead: CaptureLead
  transcripts: RequestTranscript
  live: Pick<Live, 'publish'>
  onEvents: (botId: string) => void
  clock: () => number
}

/** Without the visitor's token nobody asks for a person or leaves contact details in their conversation. */
class ForeignConversation extends Error {}

export function makeAnswerVisitor(deps: Deps): AnswerVisitor {
  const { conversations, deliveries, findSession, sendMessage, captureLead, transcripts, live, onEvents, clock } = deps

  return async (call) => {
    const { bot, visitor, request, onNew } = call
    const { session_id: sessionId, locale, message: text } = request
    const contact = { sessionId, visitor, locale, ...request.visitor }
    const ownSession = () => findSession(bot, { ...contact, sessionId: undefined }, onNew)
    const session = await findSession(bot, contact, onNew, { separate: true })
    const found = bot.widget.leadForm ? contactDetails(text, regionOf(locale)) : { emails: [], phones: [] }
    const hasContact = found.emails.length + found.phones.length > 0
    if (!session.isOwner && (hasContact || mentionsKeyword(bot.widget.handover.keywords, text)))
      return answer(call, await ownSession(), found)
    try {
      return await answer(call, session, found)
    } catch (error) {
      if (!(error instanceof ForeignConversation)) throw error
      return answer(call, await ownSession(), found)
    }
  }

  async function answer(call: VisitorCall, session: VisitorSession, found: ContactDetails): Promise<WidgetReply> {
    const { bot, visitor, request, ip, listener } = call
    const { locale, message: text } = request
    if (session.known?.handover.status === 'active') return record(bot, request, session, null)
    const transcript = await answerTranscript({ bot, request, ip }, session)
    if (transcript !== null) return record(bot, request, session, transcript)

    const [email = null] = found.emails
    const [phone = null] = found.phones
    const wroteContact = email !== null || phone !== null
    let completed: CompletedTurn | undefined
    let hasContact = false

    const complete = (sent: SentMessage, conversation: ConversationRecord) => {
      const known = sent.isNew || !sent.isVerified ? null : session.known
      const { button } = visitorWords(sent.language)
      const offer: AnswerButton = { id: 'transcript', type: 'reply', label: button, value: button }
      const transcriptButton = email && transcripts.isOffered(bot) ? offer : null
      // Given to an action, which says what becomes of it.
      hasContact = wroteContact && !sent.action
      const made = completeTurn(sent, { bot, text, known, hasContact, transcriptButton, now: clock() })
      const { lead = null, note = null } = sent.action ?? {}
      if (!sent.isVerified && (made.request || hasContact || lead)) throw new ForeignConversation()
      completed = made
      const isWritten = sent.isNew || session.isChanged
      const also = async (tx: Parameters<VisitorSession['save']>[0]) => {
        if (isWritten) await session.save(tx)
        const written = { name: request.visitor?.name ?? null, email, phone, message: text, fields: {} }
        const details = lead ?? (hasContact ? written : null)
        if (details)
          await captureLead(tx, {
            conversation,
            visitorId: conversation.visitorId ?? session.visitorId,
            isOwner: sent.isVerified,
            source: lead ? ('form' as const) : ('message' as const),
            consent: false,
            details,
            pageUrl: request.page_url ?? null,
          })
        if (note) {
          const record = { id: timedId('not', clock()), text: note, author: bot.name, createdAt: clock() }
          const { sql, values } = noteInsertion(bot.id, conversation.id, record)
          await tx.query(sql, values)
        }
        if (made.request) {
          const asked = { step: 'request' as const, reason: made.request, message: text }
          await stepHandover(tx, deliveries, conversation, known?.handover ?? noHandover, asked, clock())
        }
      }
      return {
        answer: made.answer,
        shown: shownWith(made.answer),
        also: isWritten || hasContact || lead || note || made.request ? also : undefined,
      }
    }

    const { onStart, ...rest } = listener ?? {}
    const sent = await sendMessage(
      bot,
      {
        channel: 'widget',
        text,
        sessionId: session.sessionId,
        conversation: session.known,
        visitorId: session.visitorId,
        isFrom: (visitorId) => visitorId === visitor?.id,
        userId: null,
        pageUrl: request.page_url ?? null,
        metadata: null,
        region: regionOf(locale),
        receivedAt: clock(),
      },
      complete,
      { ...rest, ...(onStart ? { onStart: (turn) => onStart({ ...turn, token: session.token }) } : {}) },
    )
    const signal = { botId: bot.id, conversationId: sent.conversationId }
    live.publish({ ...signal, kind: 'message' })
    if (completed?.request) live.publish({ ...signal, kind: 'handover' })
    if (hasContact || sent.action?.lead) live.publish({ ...signal, kind: 'lead' })
    return toReply(bot, session, sent, completed, clock())
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

  /** Records the message without the bot answering: an agent will, or `reply` is the whole answer. */
  async function record(
    bot: BotRecord,
    request: WidgetMessage,
    session: VisitorSession,
    reply: string | null,
  ): Promise<WidgetReply> {
    const now = clock()
    const conversation = conversationOf(bot, session, { pageUrl: request.page_url ?? null, language: null, now })
    const message = visitorMessage(request.message, now)
    const answer = reply === null ? null : botMessage(reply, now)
    const messages = answer ? [message, answer] : [message]
    const events = bot.reportsEvents ? turnEvents(conversation, messages, false) : []
    const also = session.isChanged ? session.save : undefined
    await conversations.recordTurn(conversation, messages, events.map(deliveries.toSubscribers), also)
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
      created_at: new Date(now).toISOString(),
    }
  }
}

function botMessage(text: string, now: number): MessageRecord {
  return {
    id: timedId('msg', now),
    role: 'assistant',
    text,
    createdAt: now,
    sources: [],
    documentIds: [],
    productIds: [],
    confidence: null,
    answered: null,
    decision: 'small_talk',
  }
}

function toReply(
  bot: BotRecord,
  session: VisitorSession,
  sent: SentMessage,
  completed: CompletedTurn | undefined,
  now: number,
): WidgetReply {
  // The state of a conversation is told to its visitor only.
  const before = sent.isVerified ? (session.known?.handover.status ?? 'none') : 'none'
  const leadForm: LeadForm | null = completed?.showsLeadForm ? bot.widget.leadForm : null
  return {
    reply: sent.text,
    confidence: sent.confidence,
    buttons: shownButtons(sent),
    session_id: sent.sessionId,
    message_id: sent.messageId,
    visitor_message_id: sent.questionId,
    answered: sent.answered,
    decision: sent.decision,
    ...(sent.action ? { action: { id: sent.action.id, status: sent.action.status } } : {}),
    rateable: isRateable({ role: 'assistant', decision: sent.decision }),
    sources: sent.sources,
    products: (sent.products ?? []).map(toCard),
    handover: { status: completed?.request ? 'requested' : before },
    lead_form: leadForm,
    language: sent.language,
    created_at: new Date(now).toISOString(),
    ...(sent.isNew && session.token ? { visitor_token: session.token } : {}),
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

interface CompletedTurn {
  answer: Answer
  /** Why a person is requested now, or null. */
  request: HandoverReason | null
  showsLeadForm: boolean
}

interface TurnContext {
  bot: Pick<BotRecord, 'tone' | 'widget' | 'fallbackMessage'>
  text: string
  known: KnownConversation | null
  /** Whether the message contains an email address or a phone number. */
  hasContact: boolean
  /** Offers to email the conversation, where enabled. */
  transcriptButton: AnswerButton | null
  now: number
}

function completeTurn(answer: Answer, context: TurnContext): CompletedTurn {
  const { bot, text, known, hasContact, transcriptButton, now } = context
  const { handover, leadForm } = bot.widget
  const say = sentencesFor(bot, answer.language)
  const status = known?.handover.status ?? 'none'
  const isThere = handover.enabled && isOpen(handover.hours, now)
  const isAsked = status === 'requested'
  const reason = hasContact && answer.decision !== 'person' ? null : handoverReason(answer, handover, text, known)
  const buttons = fittingButtons(answer, isThere && !isAsked, leadForm !== null)

  // Still waiting for a person: no answer of the bot to be rated.
  if (isAsked && !answer.answered) return completedTurn({ ...answer, decision: 'person' }, say.handedOver, [])
  if (reason && isThere && !isAsked) {
    const before = answer.decision === 'person' ? '' : `${answer.text}\n\n`
    const others = buttons.filter(({ type }) => type !== 'handover')
    return { ...completedTurn(answer, before + say.handedOver, others), request: reason }
  }
  if (hasContact) {
    // A message with contact details is usually not a question.
    const thanked = answer.answered ? `${answer.text}\n\n${say.contactNoted}` : say.contactNoted
    const noted: Partial<Answer> = answer.answered ? {} : { answered: true, confidence: 1, decision: 'small_talk' }
    return completedTurn({ ...answer, ...noted }, thanked, transcriptButton ? [transcriptButton] : [])
  }
  if (answer.action?.note && !isThere && leadForm)
    return { ...completedTurn(answer, `${answer.text} ${say.leaveContact}`, []), showsLeadForm: true }
  if (answer.decision === 'person' && !isThere) {
    if (leadForm) return { ...completedTurn(answer, say.leaveContact, []), showsLeadForm: true }
    const reachUs = answer.contact ? [reachUsSentence(say, answer.contact)] : []
    return completedTurn(answer, bot.fallbackMessage ?? [nobodyAvailable(say), ...reachUs].join(' '), [])
  }
  return completedTurn(answer, answer.text, buttons)
}

function completedTurn(answer: Answer, text: string, buttons: AnswerButton[]): CompletedTurn {
  return { answer: { ...answer, text, buttons }, request: null, showsLeadForm: false }
}

function handoverReason(
  answer: Answer,
  { keywords, on_low_confidence }: BotRecord['widget']['handover'],
  text: string,
  known: KnownConversation | null,
): HandoverReason | null {
  if (answer.decision === 'person') return 'visitor_request'
  if (answer.action?.note) return 'rule'
  if (mentionsKeyword(keywords, text)) return 'rule'
  return on_low_confidence && !answer.answered && known?.unanswered ? 'low_confidence' : null
}

function mentionsKeyword(keywords: readonly string[], text: string): boolean {
  return keywords.some((keyword) => mentions(text, keyword))
}

/** Whole words only: "refund" is not in "refundable". Scripts without spaces match anywhere. */
function mentions(text: string, keyword: string): boolean {
  const escaped = keyword
    .trim()
    .toLowerCase()
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const isSpaced = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}]/u.test(keyword)
  const pattern = isSpaced ? `(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])` : escaped
  return new RegExp(pattern, 'u').test(text.toLowerCase())
}

/** Offers a person only where there is one; otherwise the form, if the bot has one. */
function fittingButtons({ buttons, language }: Answer, hasPeople: boolean, hasForm: boolean): AnswerButton[] {
  const { contact } = buttonLabels(language)
  return buttons.flatMap((button): AnswerButton[] => {
    if (button.type !== 'handover' || hasPeople) return [button]
    return hasForm ? [{ id: 'contact', type: 'lead_form', label: contact }] : []
  })
}
