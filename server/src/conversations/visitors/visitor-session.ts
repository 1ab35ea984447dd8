// Finds the conversation of a widget call. Session ids can be guessed, so they prove nothing;
// the token from the first contact does. Without it, nothing is added to a personal conversation.
import { Fault } from '@docent/contract'
import { makeSecret } from '../../access/secrets.ts'
import { randomId, timedId } from '../../ids.ts'
import type { BotRecord } from '../../storage/bots.ts'
import type { ConversationRecord, ConversationsTable, KnownConversation } from '../../storage/conversations.ts'
import { type Queries, StorageError } from '../../storage/database.ts'
import type { VisitorRecord, VisitorsTable } from '../../storage/visitors.ts'

/** What the caller claims. */
export interface Contact {
  sessionId: string | undefined
  /** The visitor of the presented token, if it is valid. */
  visitor: VisitorRecord | null
  name?: string | undefined
  email?: string | undefined
  locale?: string | undefined
}

export interface VisitorSession {
  known: KnownConversation | null
  sessionId: string
  visitorId: string
  /** Whether the conversation belongs to the caller. */
  isOwner: boolean
  /** Only for a new visitor. */
  token: string | null
  /** Writes changed visitor details. */
  save: (tx: Queries) => Promise<void>
  /** Whether there is anything to save for an existing conversation. */
  isChanged: boolean
}

interface Deps {
  conversations: Pick<ConversationsTable, 'find' | 'isPersonal'>
  visitors: Pick<VisitorsTable, 'put'>
  clock: () => number
}

export function createFindSession({ conversations, visitors, clock }: Deps) {
  /** With `separate`, a caller without the token gets a new session if this one contains personal data. */
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
    // A stranger's token must neither grant access to this conversation nor attach the stranger to it.
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

/** Retries when a concurrent first contact created the same session: the second attempt finds it. */
export function retryOnConflict<Call, Result>(verb: (call: Call) => Promise<Result>): (call: Call) => Promise<Result> {
  return (call) =>
    verb(call).catch((error: unknown) => {
      if (error instanceof StorageError && error.kind === 'unique') return verb(call)
      throw error
    })
}

/** Writing to an existing conversation on a visitor's behalf needs their token. */
export function requireOwner({ isOwner }: VisitorSession) {
  if (!isOwner) throw new Fault('invalid_visitor_token')
}

/** The row to write; existing values are kept. */
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
