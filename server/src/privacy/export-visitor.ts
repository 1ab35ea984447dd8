// All data about a person, read in batches: some have written a lot.
import type { AttachmentRecord, AttachmentsTable } from '../storage/conversations/attachments.ts'
import type { InboxRecord, InboxTable, NoteRecord } from '../storage/conversations/inbox.ts'
import type { LeadRecord, LeadsTable } from '../storage/conversations/leads.ts'
import type { MessageRecord, MessagesTable } from '../storage/conversations/messages.ts'
import { type PeopleTable, type PersonRecord, userOf } from '../storage/conversations/people.ts'

const CONVERSATIONS_AT_ONCE = 50
const MESSAGES_AT_ONCE = 500

export interface ConversationData {
  conversation: InboxRecord
  messages: MessageRecord[]
  notes: NoteRecord[]
  /** Read one at a time: they may be large. */
  files: AsyncIterable<AttachmentRecord & { content: Uint8Array }>
}

export interface VisitorData {
  person: PersonRecord
  leads: LeadRecord[]
  /** Newest first. */
  conversations: AsyncIterable<ConversationData>
}

/** Undefined when there is no data about them. */
export type ExportVisitor = (botId: string, visitorId: string) => Promise<VisitorData | undefined>

interface Deps {
  people: Pick<PeopleTable, 'find'>
  inbox: Pick<InboxTable, 'list' | 'listNotes'>
  messages: Pick<MessagesTable, 'listAfter'>
  leads: Pick<LeadsTable, 'listOf'>
  attachments: Pick<AttachmentsTable, 'listOf' | 'read'>
  clock: () => number
}

export function createExportVisitor({ people, inbox, messages, leads, attachments, clock }: Deps): ExportVisitor {
  return async (botId, visitorId) => {
    const person = await people.find(botId, visitorId)
    if (!person) return undefined
    return { person, leads: await leads.listOf(botId, visitorId), conversations: conversationsOf(botId, visitorId) }
  }

  async function* conversationsOf(botId: string, visitorId: string): AsyncGenerator<ConversationData> {
    const userId = userOf(visitorId)
    const filter = userId === null ? { visitorId } : { userId }
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
        const [messages, notes] = [await allMessages(botId, id), await inbox.listNotes(botId, id)]
        yield { conversation, messages, notes, files: filesOf(botId, id) }
      }
      last = some.length === CONVERSATIONS_AT_ONCE ? some.at(-1) : undefined
    } while (last)
  }

  async function* filesOf(botId: string, conversationId: string) {
    for (const { id } of await attachments.listOf(botId, conversationId)) {
      const file = await attachments.read(botId, id)
      if (file) yield file
    }
  }

  async function allMessages(botId: string, conversationId: string): Promise<MessageRecord[]> {
    const all: MessageRecord[] = []
    for (let some: MessageRecord[] | undefined; some === undefined || some.length === MESSAGES_AT_ONCE; ) {
      some = await messages.listAfter(botId, conversationId, all.at(-1)?.id ?? '', MESSAGES_AT_ONCE)
      all.push(...some)
    }
    return all
  }
}
