import { Fault, type WidgetConfig } from '@docent/contract'
import type { FastifyRequest } from 'fastify'
import type { AnswerVisitor, VisitorCall } from '../../../conversations/answer-visitor.ts'
import { areAttachmentsOffered } from '../../../conversations/attachments.ts'
import type { RequestPerson } from '../../../conversations/handover.ts'
import type { MarkSeen } from '../../../conversations/inbox.ts'
import type { LeaveLead } from '../../../conversations/leads.ts'
import type { Live } from '../../../conversations/live.ts'
import { findOwnConversation, readSource, type Sections } from '../../../conversations/own-conversations.ts'
import type { RateAnswer, RateChat } from '../../../conversations/ratings.ts'
import type { RequestTranscript } from '../../../conversations/visitor-mails.ts'
import type { VisitorLimits } from '../../../conversations/visitors.ts'
import { isOpen } from '../../../local-time.ts'
import type { BotRecord, BotsTable } from '../../../storage/bots.ts'
import type { ConversationsTable } from '../../../storage/conversations.ts'
import { requireAcceptable } from '../../acceptable.ts'
import type { Route } from '../../route.ts'
import { hangUpSignal } from '../../streams/hang-up.ts'
import { streamAnswer } from '../../streams/stream-answer.ts'

interface Deps {
  bots: Pick<BotsTable, 'find'>
  conversations: Pick<ConversationsTable, 'find' | 'findNewestOf'>
  answerVisitor: AnswerVisitor
  leaveLead: LeaveLead
  requestPerson: RequestPerson
  rateAnswer: RateAnswer
  rateChat: RateChat
  transcripts: RequestTranscript
  live: Pick<Live, 'publish'>
  limits: VisitorLimits
  sections: Sections
  recordWidgetSeen: (botId: string, origin: string | undefined) => void
  markSeen: MarkSeen
  clock: () => number
}

export function widgetRoutes(route: Route, deps: Deps) {
  const { answerVisitor, leaveLead, requestPerson, rateAnswer, rateChat, transcripts, live, limits } = deps
  const { sections, recordWidgetSeen, markSeen, clock } = deps

  const countSession = (request: FastifyRequest) => () => limits.countSession(request.ip)

  /** Reloaded: the cached bot may predate a change just made. */
  async function current({ workspaceId, id }: BotRecord): Promise<BotRecord> {
    const bot = await deps.bots.find(workspaceId, id)
    if (!bot) throw new Fault('bot_not_found')
    return bot
  }

  route('POST /api/chat/{botId}/message', async ({ caller, body, request, reply }) => {
    const stream = body.stream === true
    requireAcceptable(request, stream ? 'text/event-stream' : 'application/json')
    await limits.countMessage(caller.bot.id, body.session_id)
    const bot = await current(caller.bot)
    const signal = hangUpSignal(reply)
    const answering = (listener: VisitorCall['listener'] = {}) =>
      answerVisitor({
        ...{ bot, visitor: caller.visitor, request: body, ip: request.ip, onNew: countSession(request) },
        listener: { ...listener, signal },
      })
    if (!stream) return answering()
    return streamAnswer(request, reply, {
      run: ({ start, text }) =>
        answering({
          onStart: ({ sessionId, messageId, token }) => start(toStart(sessionId, messageId, token)),
          onText: text,
        }),
      start: (answer) => toStart(answer.session_id, answer.message_id, answer.visitor_token),
      text: ({ reply: text }) => text,
    })
  })

  route('GET /api/chat/{botId}/config', async ({ caller, request, reply }) => {
    recordWidgetSeen(caller.bot.id, request.headers.origin)
    reply.header('cache-control', 'public, max-age=60')
    return toConfig(caller.bot, clock())
  })

  route('GET /api/chat/{botId}/sources/{documentId}', async ({ caller, params, query, reply }) => {
    reply.header('cache-control', 'no-cache').header('x-robots-tag', 'noindex')
    return readSource(sections, caller.bot, params.documentId, query.section ?? '')
  })

  route('POST /api/chat/{botId}/lead', async ({ caller, body, request }) => {
    const bot = await current(caller.bot)
    const left = await leaveLead({ bot, visitor: caller.visitor, request: body, onNew: countSession(request) })
    return { session_id: left.sessionId, lead_id: left.leadId, ...(left.token ? { visitor_token: left.token } : {}) }
  })

  route('POST /api/chat/{botId}/handover', async ({ caller, body, request }) => {
    const bot = await current(caller.bot)
    return requestPerson({ bot, visitor: caller.visitor, request: body, onNew: countSession(request) })
  })

  route('POST /api/chat/{botId}/transcript', async ({ caller, body, request }) => {
    const bot = await current(caller.bot)
    const conversation = await findOwnConversation(deps, caller.visitor, body.session_id)
    if (!conversation) throw new Fault('session_not_found')
    return { sent_to: await transcripts.request(bot, conversation, request.ip) }
  })

  route('POST /api/chat/{botId}/feedback', async ({ caller, body }) => {
    await rateAnswer(caller.visitor, body.message_id, body.rating, body.reason ?? null)
    return undefined
  })

  route('POST /api/chat/{botId}/rating', async ({ caller, body }) => {
    const conversation = await findOwnConversation(deps, caller.visitor, body.session_id)
    if (!conversation) throw new Fault('session_not_found')
    await rateChat(conversation, body.stars, body.reason ?? null)
    return undefined
  })

  route('POST /api/chat/{botId}/seen', async ({ caller, body }) => {
    const conversation = await findOwnConversation(deps, caller.visitor, body.session_id)
    if (conversation) await markSeen(conversation, 'visitor', body.until)
    return undefined
  })

  route('POST /api/chat/{botId}/typing', async ({ caller }) => {
    const conversation = await deps.conversations.findNewestOf(caller.bot.id, caller.visitor.id)
    if (conversation) {
      live.publish({ botId: caller.bot.id, conversationId: conversation.id, kind: 'typing', by: 'visitor' })
    }
    return undefined
  })
}

function toStart(sessionId: string, messageId: string | null, token: string | null | undefined) {
  return { session_id: sessionId, message_id: messageId, ...(token ? { visitor_token: token } : {}) }
}

function toConfig(bot: BotRecord, now: number): WidgetConfig {
  const { look, leadForm, handover } = bot.widget
  return {
    bot_id: bot.id,
    name: bot.name,
    language: bot.language,
    tone: bot.tone,
    ...look,
    attachments: areAttachmentsOffered(bot),
    lead_form: leadForm,
    handover: {
      enabled: handover.enabled,
      open: handover.enabled && isOpen(handover.hours, now),
      wait_seconds: handover.wait_seconds,
    },
  }
}
