// All data about a person, read in batches: some have written a lot.
import type { Context } from '../context.ts'
import type { AttachmentRecord } from '../storage/attachments.ts'
import type { IdentityRecord } from '../storage/identities.ts'
import type { InboxRecord, NoteRecord } from '../storage/inbox.ts'
import type { InboxFilter } from '../storage/inbox-filter.ts'
import type { LeadRecord } from '../storage/leads.ts'
import type { MessageRecord } from '../storage/messages.ts'
import type { PersonRecord } from '../storage/privacy.ts'
import type { Visit } from '../storage/visits.ts'

const CONVERSATIONS_AT_ONCE = 50
// Long ones have 12 KB.
const MESSAGES_AT_ONCE = 20
// A multiple of three, so that each piece can be written as base64.
const PIECE_BYTES = 384 * 1024

export interface ConversationData {
  conversation: InboxRecord
  notes: NoteRecord[]
  visit: Visit | null
  /** In batches: some conversations are long. */
  messages: AsyncIterable<MessageRecord[]>
  files: AsyncIterable<ExportedFile>
}

interface ExportedFile extends AttachmentRecord {
  /** Each of a multiple of three bytes, but for the last. */
  pieces: AsyncIterable<Uint8Array>
}

export interface VisitorData {
  person: PersonRecord
  identity: IdentityRecord | null
  leads: LeadRecord[]
  /** Newest first, per channel. */
  conversations: AsyncIterable<ConversationData>
}

/** Undefined when there is no data about them. */
export type ExportVisitor = (botId: string, visitorId: string) => Promise<VisitorData | undefined>

export function makeExportVisitor({ storage, clock }: Context): ExportVisitor {
  const { people, identities, inbox, messages, leads, attachments, visits } = storage

  return async (botId, id) => {
    const person = await people.find(botId, id)
    if (!person) return undefined
    const { visitorId, userId } = await people.keysOf(botId, id)
    const filters = [...(visitorId ? [{ visitorId }] : []), ...(userId ? [{ userId }] : [])]
    return {
      person,
      identity: visitorId ? ((await identities.findOf(botId, visitorId)) ?? null) : null,
      leads: visitorId ? await leads.listOf(botId, visitorId) : [],
      conversations: conversationsOf(botId, filters),
    }
  }

  async function* conversationsOf(botId: string, filters: InboxFilter[]) {
    for (const filter of filters) yield* conversationsWith(botId, filter)
  }

  async function* conversationsWith(botId: string, filter: InboxFilter): AsyncGenerator<ConversationData> {
    let last: InboxRecord | undefined
    do {
      const some = await inbox.list(
        [botId],
        filter,
        { readerId: null, now: clock() },
        last ?? null,
        CONVERSATIONS_AT_ONCE,
      )
      for (const conversation of some) {
        const { id } = conversation
        const notes = await inbox.listNotes(botId, id)
        const visit = await visits.find(botId, id)
        yield { conversation, notes, visit, messages: messagesOf(botId, id), files: filesOf(botId, id) }
      }
      last = some.length === CONVERSATIONS_AT_ONCE ? some.at(-1) : undefined
    } while (last)
  }

  async function* filesOf(botId: string, conversationId: string) {
    for (const file of await attachments.listOf(botId, conversationId)) yield { ...file, pieces: piecesOf(file) }
  }

  /** None, if the file was erased meanwhile. */
  async function* piecesOf({ botId, id, sizeBytes }: AttachmentRecord) {
    for (let offset = 0; offset < sizeBytes; offset += PIECE_BYTES) {
      const piece = await attachments.readPiece(botId, id, offset, PIECE_BYTES)
      if (!piece) return
      yield piece
    }
  }

  async function* messagesOf(botId: string, conversationId: string) {
    for (let after = '', isEnd = false; !isEnd; ) {
      const some = await messages.listAfter(botId, conversationId, after, MESSAGES_AT_ONCE)
      if (some.length > 0) yield some
      after = some.at(-1)?.id ?? after
      isEnd = some.length < MESSAGES_AT_ONCE
    }
  }
}
