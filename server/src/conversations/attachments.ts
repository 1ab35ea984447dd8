// Files that visitors and agents send: each is a message with its name as text, written together with the file.
import { type Attachment, type AttachmentType, Fault } from '@docent/contract'
import { type CountWithin, networkOf } from '../access/rate-limits.ts'
import { buttonLabels } from '../answers/fall-back.ts'
import { DAY_MS } from '../days.ts'
import { randomId } from '../ids.ts'
import type { AttachmentRecord } from '../storage/attachments.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { KnownConversation } from '../storage/conversations.ts'
import type { Queries } from '../storage/database.ts'
import { openInInbox } from '../storage/inbox.ts'
import { type MessageRecord, newMessage } from '../storage/messages.ts'
import type { IsSomebodyThere } from './availability.ts'
import { turnEvents } from './conversation-events.ts'
import type { ConversationsContext } from './conversations-context.ts'
import { refuseAnonymous } from './identities.ts'
import { visitorMessage } from './send-message.ts'
import type { Agent, ConversationIds, TakeOver } from './take-over.ts'
import { visitorWords } from './visitor-mails.ts'

const PER_CONVERSATION = { calls: 20, windowMs: DAY_MS }
// Many visitors together could fill the disk.
const PER_BOT = { calls: 1000, windowMs: DAY_MS }

interface SentFile {
  name: string
  content: Buffer
}

interface Neighbours {
  takeOver: Pick<TakeOver, 'reply'>
  isSomebodyThere: IsSomebodyThere
  countWithin: CountWithin
}

export function makeSendFile(context: ConversationsContext, { takeOver, isSomebodyThere, countWithin }: Neighbours) {
  const { live, onEvents, clock, storage, config } = context
  const { attachments, conversations, deliveries } = storage
  // Per network: one visitor can start many conversations.
  const { filesPerDay } = config.widget

  function prepare({ botId, conversationId }: ConversationIds, { name, content }: SentFile) {
    const type = fileType(content)
    if (!type) throw new Fault('unsupported_file')
    const record: AttachmentRecord = {
      botId,
      conversationId,
      id: randomId('att'),
      name: nameWithExtension(name, type),
      type,
      sizeBytes: content.length,
      createdAt: clock(),
    }
    return {
      record,
      shown: JSON.stringify({ attachments: [toAttachment(record)] }),
      save: (tx: Queries) => attachments.insert(tx, record, content),
    }
  }

  return {
    /** Unless a person has the conversation, the bot replies too: it cannot read files. */
    async fromVisitor(
      bot: BotRecord,
      conversation: KnownConversation,
      file: SentFile,
      ip: string,
    ): Promise<MessageRecord[]> {
      if (!areAttachmentsOffered(bot)) throw new Fault('not_found')
      if (bot.widget.identity.require_for_chat && conversation.visitor?.level !== 'verified')
        refuseAnonymous(bot, conversation.language)
      const ids = { botId: bot.id, conversationId: conversation.id }
      const { record, shown, save } = prepare(ids, file)
      await countWithin([
        { name: `attachments ${bot.id} ${conversation.id}`, ...PER_CONVERSATION },
        { name: `attachments from ${networkOf(ip)}`, calls: filesPerDay, windowMs: DAY_MS },
        { name: `attachments to ${bot.id}`, ...PER_BOT },
      ])
      const now = clock()
      const message: MessageRecord = { ...visitorMessage(record.name, now), shown }
      const { status } = conversation.handover
      const messages =
        status === 'active' || status === 'requested' ? [message] : [message, await receiptMessage(bot, conversation)]
      const turn = {
        ...conversation,
        channel: 'widget' as const,
        userId: null,
        pageUrl: null,
        metadata: null,
        createdAt: now,
        isNew: false,
      }
      const events = bot.reportsEvents ? turnEvents(turn, messages, false) : []
      await conversations.recordTurn(turn, messages, events.map(deliveries.toSubscribers), async (tx) => {
        await save(tx)
        // The bot's reply promises that the team sees it.
        await openInInbox(tx, conversation)
      })
      if (events.length > 0) onEvents(bot.id)
      live.publish({ ...ids, kind: 'message' })
      return messages
    },

    fromAgent(ids: ConversationIds, agent: Agent, file: SentFile) {
      const { record, shown, save } = prepare(ids, file)
      return takeOver.reply(ids, agent, record.name, { shown, save })
    },
  }

  async function receiptMessage(bot: BotRecord, { language }: KnownConversation): Promise<MessageRecord> {
    const now = clock()
    const spokenLanguage = language ?? bot.language
    const isThere = await isSomebodyThere(bot)
    const buttons = isThere ? [{ id: 'person', type: 'handover', label: buttonLabels(spokenLanguage).person }] : []
    const shown = JSON.stringify({ buttons })
    return newMessage('assistant', visitorWords(spokenLanguage).fileReceived, now, { decision: 'small_talk', shown })
  }
}

/** Only where a team can read it. */
export function areAttachmentsOffered({ widget }: Pick<BotRecord, 'widget'>): boolean {
  return widget.look.attachments && widget.handover.enabled
}

export function toAttachment({ id, name, type, sizeBytes }: AttachmentRecord): Attachment {
  return { id, name, type, size_bytes: sizeBytes }
}

// Detects a file's type from its content; its name and declared type are not trusted.

const extensions: Record<AttachmentType, readonly [string, ...string[]]> = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'application/pdf': ['pdf'],
  'text/plain': ['txt', 'text', 'md', 'csv', 'log'],
}

/** Null for types that may not be sent. */
export function fileType(content: Buffer): AttachmentType | null {
  const begins = (text: string, at = 0) => content.toString('latin1', at, at + text.length) === text
  if (begins('\x89PNG\r\n\x1a\n') && begins('IHDR', 12)) return 'image/png'
  if (begins('\xff\xd8\xff')) return 'image/jpeg'
  if (begins('GIF87a') || begins('GIF89a')) return 'image/gif'
  if (begins('RIFF') && begins('WEBP', 8)) return 'image/webp'
  if (begins('%PDF-')) return 'application/pdf'
  return isText(content) ? 'text/plain' : null
}

export const isImage = (type: AttachmentType) => type.startsWith('image/')

/** With the extension for its content, so that text is never saved as a program. */
function nameWithExtension(name: string, type: AttachmentType): string {
  const clean = name.replace(/[\p{Cc}\p{Cf}]/gu, '') || 'file'
  const [usual] = extensions[type]
  const ending = /\.([^.]+)$/.exec(clean)?.[1]?.toLowerCase() ?? ''
  return extensions[type].includes(ending) ? clean : `${clean}.${usual}`
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const TEXT_CONTROLS = new Set([9, 10, 12, 13, 27])

function isText(content: Buffer): boolean {
  if (content.length === 0 || content.some((byte) => (byte < 32 && !TEXT_CONTROLS.has(byte)) || byte === 127))
    return false
  try {
    return utf8.decode(content) !== ''
  } catch {
    return false
  }
}
