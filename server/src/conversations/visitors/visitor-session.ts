// Whose conversation a widget call belongs to. A session id can be guessed, so it leads to a conversation but never
// proves who asks; the token that the first contact got does. Without it, nothing is added to what is personal.
import { Fault } from '@docent/contract'
import { makeSecret } from '../../access/secrets.ts'
import { randomId, timedId } from '../../ids.ts'
import type { BotRecord } from '../../storage/bots/bots.ts'
import type {
  ConversationRecord,
  ConversationsTable,
  KnownConversation,
} from '../../storage/conversations/conversations.ts'
import type { VisitorRecord, VisitorsTable } from '../../storage/conversations/visitors.ts'
import { type Queries, StorageError } from '../../storage/database.ts'

/** What a caller says of itself. */
export interface Contact {
  sessionId: string | undefined
  /** By the token that was presented, if it is a valid one. */
  visitor: VisitorRecord | null
  name?: string | undefined
  email?: string | undefined
  locale?: string | undefined
}

export interface VisitorSession {
  known: KnownConversation | null
  sessionId: string
  visitorId: string
  /** Whether the caller is who the conversation belongs to. */
  isOwner: boolean
  /** For a visitor who has none yet. */
  token: string | null
  /** Writes what is new about the visitor. */
  save: (tx: Queries) => Promise<void>
  /** Whether there is anything to save for a conversation that is known. */
  isChanged: boolean
}

interface Deps {
  conversations: Pick<ConversationsTable, 'find' | 'isPersonal'>
  visitors: Pick<VisitorsTable, 'put'>
  clock: () => number
}

export function createFindSession({ conversations, visitors, clock }: Deps) {
  /** With `separate`, who has no token gets a session of their own instead of one that is personal. */
  return async function findSession(
    bot: BotRecord,
    contact: Contact,
    onNew: () => Promise<void>,
    { separate = false } = {},
  ): Promise<VisitorSession> {
    const { sessionId, visitor, name, email, locale } = contact
    const known = sessionId ? await conversations.find(bot.id, 'widget', sessionId) : undefined
    const isStranger = known !== undefined && visitor?.id !== known.visitorId
    if (separate && isStranger && (await conversations.isPersonal(bot.id, known.id)))
      return findSession(bot, { ...contact, sessionId: undefined }, onNew)
    if (!known) await onNew()
    // A stranger's token says nothing about this conversation, and nothing about the stranger is kept with it.
    const owner = isStranger ? null : visitor
    const fresh = known || visitor ? null : makeSecret('visitor')
    const record: VisitorRecord = {
      botId: bot.id,
      id: known?.visitorId ?? owner?.id ?? randomId('vis'),
      name: name?.trim() || null,
      email: email ?? null,
      locale: locale ?? null,
      createdAt: owner?.createdAt ?? clock(),
    }
    const isChanged =
      owner !== null &&
      ((record.name !== null && record.name !== owner.name) || (record.email !== null && record.email !== owner.email))
    return {
      known: known ?? null,
      sessionId: sessionId ?? randomId('ses'),
      visitorId: record.id,
      isOwner: !isStranger,
      token: fresh?.secret ?? null,
      isChanged,
      save: (tx) => visitors.put(tx, record, fresh?.hash ?? `none of ${record.id}`),
    }
  }
}

export type FindSession = ReturnType<typeof createFindSession>

/** Of two first contacts under one session id, the second finds the conversation of the first when it looks again. */
export function lookingAgain<Call, Result>(verb: (call: Call) => Promise<Result>): (call: Call) => Promise<Result> {
  return (call) =>
    verb(call).catch((error: unknown) => {
      if (error instanceof StorageError && error.kind === 'unique') return verb(call)
      throw error
    })
}

/** What is written in an existing conversation on a visitor's behalf needs their token. */
export function requireOwner({ isOwner }: VisitorSession) {
  if (!isOwner) throw new Fault('invalid_visitor_token')
}

/** The conversation as it is written; what is there already stays as it is. */
export function conversationOf(
  bot: BotRecord,
  session: VisitorSession,
  { pageUrl, language, now }: { pageUrl: string | null; language: string | null; now: number },
): ConversationRecord {
  return {
    botId: bot.id,
    id: session.known?.id ?? timedId('cnv', now),
    channel: 'widget',
    sessionId: session.sessionId,
    userId: null,
    pageUrl,
    metadata: null,
    visitorId: session.visitorId,
    language,
    createdAt: now,
    isNew: session.known === null,
  }
}
