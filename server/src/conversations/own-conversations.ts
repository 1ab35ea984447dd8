// What visitors do with their own conversation: read it, at once or live, and rate it or its answers.
import { Fault, type SourceSection } from '@docent/contract'
import { buttonLabels } from '../answers/fall-back.ts'
import { isOlderId } from '../ids.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { KnownConversation } from '../storage/conversations.ts'
import type { DocumentsTable } from '../storage/documents.ts'
import type { SentFormRecord } from '../storage/leads.ts'
import type { MessageRecord, Rating } from '../storage/messages.ts'
import type { Storage } from '../storage/storage.ts'
import type { VisitorRecord } from '../storage/visitors.ts'
import { conversationEvent } from './conversation-events.ts'
import type { ConversationsContext } from './conversations-context.ts'
import type { Live, LiveSignal } from './live.ts'

export interface ReadDeps extends Pick<Storage, 'conversations' | 'messages' | 'leads'> {
  live: Live
}

const BATCH = 200

/** Without a session id, finds the newest. */
export async function findOwnConversation(
  { conversations }: Pick<ReadDeps, 'conversations'>,
  visitor: VisitorRecord,
  sessionId: string | undefined,
): Promise<KnownConversation | undefined> {
  if (sessionId === undefined) return conversations.findNewestOf(visitor.botId, visitor.id)
  const conversation = await conversations.find(visitor.botId, 'widget', sessionId)
  if (conversation?.visitorId !== visitor.id) throw new Fault('session_not_found')
  return conversation
}

export async function readHistory(
  deps: ReadDeps,
  visitor: VisitorRecord,
  { sessionId, before, limit = 50 }: { sessionId?: string | undefined; before?: string | undefined; limit?: number },
) {
  const { messages, leads } = deps
  const conversation = await findOwnConversation(deps, visitor, sessionId)
  // Unverified messages may be somebody else's: whoever claims a session id first must not read what later users write.
  const listedMessages = conversation
    ? await messages.list(visitor.botId, conversation.id, limit + 1, before, 'verified')
    : []
  const [lead] = await leads.listOf(visitor.botId, visitor.id)
  return {
    conversation,
    messages: listedMessages.slice(-limit),
    hasMore: listedMessages.length > limit,
    hasLead: lead !== undefined,
    forms: conversation
      ? formsByMessage(await leads.listForms(visitor.botId, conversation.id), listedMessages, before)
      : {},
  }
}

/** The contact forms that the visitor sent, under the ids of those of these messages that they followed. */
function formsByMessage(
  forms: SentFormRecord[],
  listedMessages: MessageRecord[],
  before: string | undefined,
): Record<string, SentFormRecord> {
  const followed = forms.flatMap((form): [string, SentFormRecord][] => {
    const isOfLaterPage = before !== undefined && isOlderId(before, form.id)
    const message = isOfLaterPage ? undefined : listedMessages.findLast(({ id }) => isOlderId(id, form.id))
    return message ? [[message.id, form]] : []
  })
  return Object.fromEntries(followed)
}

interface Follower {
  message(message: MessageRecord): void
  handover(conversation: KnownConversation | undefined): void
  typing(agentName: string | null): void
  seen(until: number): void
  isOpen(): boolean
  /** Asked before anything is sent: the token may be void meanwhile. */
  mayRead(): Promise<boolean>
  end(): void
}

/** Sends the messages after a given one, in order, then new ones. Returns a function that stops it. */
export function followConversation(
  deps: ReadDeps,
  { botId, id, sessionId }: KnownConversation,
  after: string,
  follower: Follower,
): () => void {
  let last = after
  let work = Promise.resolve()

  async function passNewMessages() {
    for (;;) {
      const newMessages = await deps.messages.listAfter(botId, id, last, BATCH, 'verified')
      for (const message of newMessages) follower.message(message)
      last = newMessages.at(-1)?.id ?? last
      if (newMessages.length < BATCH) return
    }
  }

  async function pass(signal: LiveSignal) {
    if (!follower.isOpen()) return
    if (!(await follower.mayRead())) return follower.end()
    if (signal.kind === 'message') return passNewMessages()
    if (signal.kind === 'handover') {
      // By its id, because the visitor may have been merged into another since.
      const current = await deps.conversations.find(botId, 'widget', sessionId)
      follower.handover(current?.id === id ? current : undefined)
    }
    if (signal.kind === 'typing' && signal.by === 'agent') follower.typing(signal.agentName ?? null)
    if (signal.kind === 'seen' && signal.by === 'agent') follower.seen(signal.until)
  }

  const hear = (signal: LiveSignal) => {
    // After a failure, the next signal retries, or the history shows it.
    work = work.then(() => pass(signal)).catch(() => {})
  }
  hear({ botId, conversationId: id, kind: 'message' })
  hear({ botId, conversationId: id, kind: 'handover' })
  return deps.live.subscribe(id, hear)
}

type RateAnswer = (visitor: VisitorRecord, messageId: string, rating: Rating, reason: string | null) => Promise<void>

/** A visitor's thumbs up or down for one of the bot's answers. The last one counts. */
export function makeRateAnswer({ storage, live, onEvents, clock }: ConversationsContext): RateAnswer {
  const { conversations, deliveries, transaction } = storage
  return async ({ botId, id: visitorId }, messageId, rating, reason) => {
    const conversation = await transaction(async (tx) => {
      const ratedConversation = await conversations.rate(tx, { botId, visitorId, messageId }, rating, reason)
      if (!ratedConversation) throw new Fault('not_found')
      const data = { message_id: messageId, rating, reason }
      const { sql, values } = deliveries.toSubscribers(
        conversationEvent('conversation.rated', ratedConversation, data, clock()),
      )
      await tx.query(sql, values)
      return ratedConversation
    })
    onEvents(botId)
    live.publish({ botId, conversationId: conversation.id, kind: 'rating' })
  }
}

type RateChat = (conversation: KnownConversation, stars: number, reason: string | null) => Promise<void>

/** A visitor's rating of the whole conversation, one to five stars. The last one counts. */
export function makeRateChat({ storage, live }: ConversationsContext): RateChat {
  return async ({ botId, id }, stars, reason) => {
    await storage.ownConversations.rateChat(botId, id, stars, reason)
    live.publish({ botId, conversationId: id, kind: 'rating' })
  }
}

// A cited section of a source without a URL, for anyone with the link.

export interface Sections {
  documents: Pick<DocumentsTable, 'findPassages'>
  nameOf: (section: { documentId: string; ordinal: number; text: string }) => string
  ordinalOf: (name: string) => number | null
}

export async function readSource(
  { documents, nameOf, ordinalOf }: Sections,
  bot: BotRecord,
  documentId: string,
  section: string,
): Promise<SourceSection> {
  const { colour, logo_url } = bot.widget.look
  const branding = { name: bot.name, colour, logo_url, site_url: bot.siteUrl }
  const ordinal = bot.sourcePages ? ordinalOf(section) : null
  const [passage] = ordinal === null ? [] : await documents.findPassages(bot.id, [{ documentId, ordinal }])
  if (passage && passage.url === null && nameOf(passage) === section) {
    const { title, headings, text, language } = passage
    return { found: true, title, headings, text, language, bot: branding }
  }
  const text = buttonLabels(bot.language).sourceGone
  return { found: false, title: null, headings: [], text, language: bot.language, bot: branding }
}
