// Finds the conversation of a widget call. Session ids can be guessed, so they prove nothing;
// the token from the first contact does. Without it, nothing is added to a personal conversation.

import { Fault } from '@docent/contract'
import { type CountWithin, networkOf } from '../access/rate-limits.ts'
import { makeSecret } from '../access/secrets.ts'
import type { VerifiedUser } from '../answers/types.ts'
import type { Context } from '../context.ts'
import { randomId, timedId } from '../ids.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { ConversationRecord, KnownConversation } from '../storage/conversations.ts'
import { type Queries, StorageError } from '../storage/database.ts'
import type { IdentityClaims } from '../storage/identities.ts'
import type { KnownVisitor, VisitorRecord, VisitorStatus } from '../storage/visitors.ts'
import type { ConversationsContext } from './conversations-context.ts'
import { storedMetadata } from './send-message.ts'

/** Who is calling, by the visitor's token alone. */
export interface PresentedVisitor {
  visitor: KnownVisitor | null
  presentsToken: boolean
}

/** Who is calling, by the visitor's token and the site's proof. */
export interface Recognised {
  visitor: KnownVisitor | null
  /** Whether the caller has a token of this visitor: the presented one, or `token`. */
  hasToken: boolean
  /** Takes the place of the presented one, which is void since it became known who the visitor is. */
  token: string | null
  /** Whether the presented token is void, and nothing has taken its place: the response with the new one was lost. */
  isTokenVoid: boolean
  /** Proven in this call; null: nothing was presented. */
  claims: IdentityClaims | null
  /** Whom it proves, with what the site has stated about them, now or before. */
  user: VerifiedUser | null
}

/** What the caller claims. */
interface Contact {
  sessionId: string | undefined
  caller: Recognised
  name?: string | undefined
  email?: string | undefined
  locale?: string | undefined
}

export interface VisitorSession {
  known: KnownConversation | null
  sessionId: string
  visitorId: string
  visitor: VisitorStatus
  /** Whether the conversation belongs to the caller. */
  isOwner: boolean
  /** Only for a new visitor, a new device of one, or one who has just become known. */
  token: string | null
  /** Writes changed visitor details, and the token. */
  save: (tx: Queries) => Promise<void>
  /** Whether there is anything to save for an existing conversation. */
  isChanged: boolean
}

/** With `separate`, a caller without the token gets a new session if this one contains personal data. */
export async function findSession(
  context: ConversationsContext,
  bot: BotRecord,
  contact: Contact,
  onNew: () => Promise<void>,
  { separate = false } = {},
): Promise<VisitorSession> {
  const { clock, storage } = context
  const { conversations, identities, visitors } = storage
  const { sessionId, caller, name, email, locale } = contact
  const { visitor, hasToken, isTokenVoid, claims } = caller
  const knownConversation = sessionId ? await conversations.find(bot.id, 'widget', sessionId) : undefined
  const isStranger = knownConversation !== undefined && visitor?.id !== knownConversation.visitorId
  // Nor does a known user add to what may be somebody else's.
  if (isStranger && (claims || (separate && (await conversations.isPersonal(bot.id, knownConversation.id)))))
    return findSession(context, bot, { ...contact, sessionId: undefined }, onNew)
  if (!knownConversation) await onNew()
  // A stranger's token must neither grant access to this conversation nor attach the stranger to it.
  const owner = isStranger ? null : visitor
  const isTokenLost = owner !== null && claims !== null && isTokenVoid
  const fresh = (knownConversation && !isTokenLost) || (visitor && hasToken) ? null : makeSecret('visitor')
  // What a verified visitor's page says unsigned is not mixed with what is proven.
  const isProven = claims !== null || (owner !== null && owner.userId !== null)
  const record: VisitorRecord = {
    botId: bot.id,
    id: knownConversation?.visitorId ?? owner?.id ?? randomId('vis'),
    name: (!isProven && name?.trim()) || null,
    email: (!isProven && email) || null,
    locale: locale ?? null,
    createdAt: owner?.createdAt ?? clock(),
  }
  const isChanged =
    owner !== null &&
    ((record.name !== null && record.name !== owner.name) ||
      (record.email !== null && record.email !== owner.email) ||
      isTokenLost)
  return {
    known: knownConversation ?? null,
    sessionId: sessionId ?? randomId('ses'),
    visitorId: record.id,
    visitor: isStranger ? (knownConversation.visitor ?? unknownVisitor(record)) : statusOf(record, caller),
    isOwner: !isStranger,
    token: caller.token ?? fresh?.secret ?? null,
    isChanged,
    async save(tx) {
      await visitors.put(tx, record, (!owner && fresh?.hash) || `none of ${record.id}`)
      if (owner && fresh) await visitors.addToken(tx, bot.id, record.id, fresh.hash, clock())
      if (!owner && claims) await identities.put(tx, bot.id, record.id, claims, clock())
    },
  }
}

function unknownVisitor({ id }: VisitorRecord): VisitorStatus {
  return { id, level: 'anonymous', userId: null }
}

/** After this call. */
function statusOf({ id, name, email }: VisitorRecord, { visitor, claims }: Recognised): VisitorStatus {
  const userId = claims?.userId ?? visitor?.userId ?? null
  if (userId !== null) return { id, level: 'verified', userId }
  return { id, level: name || email ? 'claimed' : (visitor?.level ?? 'anonymous'), userId }
}

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
  request: { page_url?: string; metadata?: object },
  now: number,
): ConversationRecord {
  return {
    botId: bot.id,
    id: session.known?.id ?? timedId('cnv', now),
    channel: 'widget',
    sessionId: session.sessionId,
    userId: null,
    pageUrl: request.page_url ?? null,
    metadata: session.isOwner ? storedMetadata(request.metadata) : null,
    visitorId: session.visitorId,
    visitor: session.visitor,
    language: null,
    createdAt: now,
    isNew: session.known === null,
  }
}

// How much one visitor may write, and how many conversations one network may start.

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

export function makeVisitorLimits({ config: { widget: limits } }: Context, countWithin: CountWithin) {
  return {
    async countMessage(botId: string, sessionId: string | null | undefined) {
      if (!sessionId) return
      const name = `session ${botId} ${sessionId}`
      await countWithin([{ name, calls: limits.messagesPerMinute, windowMs: MINUTE_MS }])
    },

    countSession: (ip: string) =>
      countWithin([{ name: `sessions ${networkOf(ip)}`, calls: limits.sessionsPerHour, windowMs: HOUR_MS }]),
  }
}

// Records where the widget was last seen, so that owners see that it is installed.

const AGAIN_MS = 3_600_000
// A new site counts sooner: owners who move from a test page to the real one check at once. Still rate-limited, because
// anybody can claim any site.
const OTHER_SITE_MS = 60_000
const BOTS_REMEMBERED = 10_000
const LONGEST_ORIGIN = 300

/** `ownOrigins`: of our own pages, such as the preview. */
export function makeRecordWidgetSeen({ storage: { bots }, clock, onError }: Context, ownOrigins: string[]) {
  const originsByBot = new Map<string, { origin: string; at: number }>()

  return (botId: string, origin: string | undefined) => {
    if (
      !origin ||
      !/^https?:\/\/[\w.:[\]-]+$/.test(origin) ||
      !URL.canParse(origin) ||
      origin.length > LONGEST_ORIGIN ||
      ownOrigins.includes(origin)
    )
      return
    const now = clock()
    const last = originsByBot.get(botId)
    // Also when the clock was set back.
    if (last && Math.abs(now - last.at) < (last.origin === origin ? AGAIN_MS : OTHER_SITE_MS)) return
    if (originsByBot.size >= BOTS_REMEMBERED) originsByBot.clear()
    originsByBot.set(botId, { origin, at: now })
    bots.recordWidgetSeen(botId, origin, now).catch((error) => {
      originsByBot.delete(botId)
      onError(error)
    })
  }
}
