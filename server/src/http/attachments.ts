// Files exchanged by visitors and agents. Untrusted content on our origin: nothing in it may run.
import { Fault } from '@docent/contract'
import type { FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { isImage } from '../conversations/attachments.ts'
import { findOwnConversation } from '../conversations/own-conversations.ts'
import type { AttachmentRecord } from '../storage/attachments.ts'
import { toConversationMessage, toVisitorMessage } from './messages.ts'
import type { Modules } from './modules.ts'
import { sendDownload } from './server/downloads.ts'
import { readFile, stagingFolderOf } from './server/multipart.ts'
import type { Route } from './server/route.ts'

const SESSION_ID = /^[A-Za-z0-9._:-]{1,128}$/
const BOUNDED_SECONDS = 3600

export function attachmentRoutes(
  route: Route,
  { storage, config }: Context,
  { access, conversations }: Pick<Modules, 'access' | 'conversations'>,
) {
  const { bots, attachments } = storage
  const { findBot } = access
  const { sendFile, takeOver, agentOf } = conversations
  const limits = { fileBytes: config.attachmentMaxBytes, stagingFolder: stagingFolderOf(config) }

  route('POST /api/chat/{botId}/attachments', async ({ caller, request }) => {
    const { file, fields } = await readFile(request, limits)
    const sessionId = fields.session_id || undefined
    if (sessionId && !SESSION_ID.test(sessionId)) throw new Fault('session_not_found')
    const bot = await bots.find(caller.bot.workspaceId, caller.bot.id)
    if (!bot) throw new Fault('bot_not_found')
    const conversation = await findOwnConversation(storage, caller.visitor, sessionId)
    if (!conversation) throw new Fault('session_not_found')
    const sentMessages = await sendFile.fromVisitor(bot, conversation, file, request.ip)
    return { messages: sentMessages.map((message) => toVisitorMessage(message, false)) }
  })

  route('GET /api/chat/{botId}/attachments/{attachmentId}', async ({ caller, params, reply }) => {
    return sendContent(reply, await attachments.find(caller.bot.id, params.attachmentId))
  })

  route(
    'POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/attachments',
    async ({ caller, params, request, setAuditTarget }) => {
      const { id: botId, workspaceId } = await findBot(caller, params.botId)
      const ids = { botId, conversationId: params.conversationId }
      await takeOver.find(ids)
      const { file } = await readFile(request, limits)
      const { message, tookOver } = await sendFile.fromAgent(ids, await agentOf(caller, workspaceId), file)
      setAuditTarget(tookOver ? params.conversationId : null)
      return toConversationMessage(message)
    },
  )

  route(
    'GET /api/manage/v1/bots/{botId}/conversations/{conversationId}/attachments/{attachmentId}',
    async ({ caller, params, reply }) => {
      const { id: botId } = await findBot(caller, params.botId)
      const attachment = await attachments.find(botId, params.attachmentId)
      return sendContent(reply, attachment?.conversationId === params.conversationId ? attachment : undefined)
    },
  )

  function sendContent(reply: FastifyReply, attachment: Omit<AttachmentRecord, 'createdAt'> | undefined) {
    if (!attachment) throw new Fault('not_found')
    const { botId, id, sizeBytes } = attachment
    const kind = isImage(attachment.type) ? 'inline' : 'attachment'
    reply
      .header('content-disposition', `${kind}; filename*=UTF-8''${encodeURIComponent(attachment.name)}`)
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('referrer-policy', 'no-referrer')
      .header('x-robots-tag', 'noindex')
      .header('cache-control', `private, max-age=${BOUNDED_SECONDS}`)
    const type = isImage(attachment.type) ? attachment.type : 'application/octet-stream'
    return sendDownload(reply, { type, sizeBytes }, (offset, lengthBytes) =>
      attachments.readPiece(botId, id, offset, lengthBytes),
    )
  }
}
