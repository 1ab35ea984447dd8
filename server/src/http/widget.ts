import { type Button, Fault, type SentForm, type WidgetConfig } from '@docent/contract'
import type { FastifyRequest } from 'fastify'
import { networkOf } from '../access/rate-limits.ts'
import { greetingFor, suggestedQuestionsFor } from '../answers/own-texts.ts'
import type { Context } from '../context.ts'
import type { VisitorCall } from '../conversations/answer-visitor.ts'
import { areAttachmentsOffered } from '../conversations/attachments.ts'
import { findOwnConversation, followConversation, readHistory, readSource } from '../conversations/own-conversations.ts'
import { sectionOrdinal } from '../search/source-page.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { KnownConversation } from '../storage/conversations.ts'
import type { SentFormRecord } from '../storage/leads.ts'
import { timestamp, timestampOrNull } from '../timestamps.ts'
import { toPreview, toVisitorMessage } from './messages.ts'
import type { Modules } from './modules.ts'
import { hangUpSignal, type LiveStreams, requireAcceptable, streamAnswer } from './server/event-streams.ts'
import { LARGE, type Route } from './server/route.ts'
import { makeVisitorOf } from './server/widget-callers.ts'

export function widgetRoutes(
  route: Route,
  { storage }: Context,
  { conversations, search }: Pick<Modules, 'conversations' | 'search'>,
) {
  const { answerVisitor, leaveLead, requestPerson, rateAnswer, rateChat, transcripts, live, limits } = conversations
  const { flowButtonsOf, isSomebodyThere, identity, recordWidgetSeen, markSeen } = conversations
  const sections = { documents: storage.documents, nameOf: search.nameSection, ordinalOf: sectionOrdinal }

  const from = (request: FastifyRequest) => ({
    headers: {
      userAgent: request.headers['user-agent'],
      acceptLanguage: request.headers['accept-language'],
    },
    onNew: () => limits.countSession(request.ip),
  })

  /** Reloaded: the cached bot may predate a change just made. */
  async function current({ workspaceId, id }: BotRecord): Promise<BotRecord> {
    const bot = await storage.bots.find(workspaceId, id)
    if (!bot) throw new Fault('bot_not_found')
    return bot
  }

  route('POST /api/chat/{botId}/message', async ({ caller, body, request, reply }) => {
    const stream = body.stream === true
    requireAcceptable(request, stream ? 'text/event-stream' : 'application/json')
    await limits.countMessage(caller.bot.id, body.session_id)
    const bot = await current(caller.bot)
    const visitor = await identity.admit(bot, body, caller)
    recordWidgetSeen(bot.id, request.headers.origin)
    const signal = hangUpSignal(reply)
    const answering = (listener: VisitorCall['listener'] = {}) =>
      answerVisitor({
        bot,
        caller: visitor,
        request: body,
        ip: request.ip,
        ...from(request),
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

  route('GET /api/chat/{botId}/config', async ({ caller, query, request, reply }) => {
    recordWidgetSeen(caller.bot.id, request.headers.origin)
    // A browser that has it from one page asks again on another, which is how we see where the widget is.
    reply.header('cache-control', 'public, max-age=60').header('vary', 'Origin')
    const { greeting } = (await flowButtonsOf(caller.bot))(query.locale)
    return toConfig(caller.bot, query.locale, greeting, await isSomebodyThere(caller.bot))
  })

  route('POST /api/chat/{botId}/identify', async ({ caller, body, reply }) => {
    reply.header('cache-control', 'no-store')
    return identity.identify(await current(caller.bot), body, caller)
  })

  route('GET /api/chat/{botId}/sources/{documentId}', async ({ caller, params, query, reply }) => {
    reply.header('cache-control', 'no-cache').header('x-robots-tag', 'noindex')
    return readSource(sections, caller.bot, params.documentId, query.section ?? '')
  })

  route('POST /api/chat/{botId}/lead', async ({ caller, body, request }) => {
    const bot = await current(caller.bot)
    const visitor = await identity.admit(bot, body, caller)
    const lead = await leaveLead({ bot, caller: visitor, request: body, ...from(request) })
    return { session_id: lead.sessionId, lead_id: lead.leadId, ...(lead.token ? { visitor_token: lead.token } : {}) }
  })

  route('POST /api/chat/{botId}/handover', async ({ caller, body, request }) => {
    const bot = await current(caller.bot)
    const visitor = await identity.admit(bot, body, caller)
    return requestPerson({ bot, caller: visitor, request: body, ...from(request) })
  })

  route('POST /api/chat/{botId}/transcript', async ({ caller, body, request }) => {
    const bot = await current(caller.bot)
    const conversation = await findOwnConversation(storage, caller.visitor, body.session_id)
    if (!conversation) throw new Fault('session_not_found')
    return { sent_to: await transcripts.request(bot, conversation, request.ip) }
  })

  route('POST /api/chat/{botId}/feedback', async ({ caller, body }) => {
    await rateAnswer(caller.visitor, body.message_id, body.rating, body.reason ?? null)
    return undefined
  })

  route('POST /api/chat/{botId}/rating', async ({ caller, body }) => {
    const conversation = await findOwnConversation(storage, caller.visitor, body.session_id)
    if (!conversation) throw new Fault('session_not_found')
    await rateChat(conversation, body.stars, body.reason ?? null)
    return undefined
  })

  route('POST /api/chat/{botId}/seen', async ({ caller, body }) => {
    const conversation = await findOwnConversation(storage, caller.visitor, body.session_id)
    if (conversation) await markSeen(conversation, 'visitor', body.until)
    return undefined
  })

  route('POST /api/chat/{botId}/typing', async ({ caller }) => {
    const conversation = await storage.conversations.findNewestOf(caller.bot.id, caller.visitor.id)
    if (conversation) {
      live.publish({ botId: caller.bot.id, conversationId: conversation.id, kind: 'typing', by: 'visitor' })
    }
    return undefined
  })
}

function toStart(sessionId: string, messageId: string | null, token: string | null | undefined) {
  return { session_id: sessionId, message_id: messageId, ...(token ? { visitor_token: token } : {}) }
}

function toConfig(
  bot: BotRecord,
  locale: string | undefined,
  greetingButtons: Button[],
  isOpen: boolean,
): WidgetConfig {
  const { leadForm, handover, identity } = bot.widget
  const { answer_buttons: _answer, no_answer_buttons: _noAnswer, ...look } = bot.widget.look
  const texts = locale && {
    greeting: greetingFor(bot, locale),
    suggested_questions: suggestedQuestionsFor(bot, locale),
  }
  return {
    bot_id: bot.id,
    name: bot.name,
    language: bot.language,
    tone: bot.tone,
    ...look,
    ...texts,
    greeting_buttons: greetingButtons,
    attachments: areAttachmentsOffered(bot),
    lead_form: leadForm,
    handover: {
      enabled: handover.enabled,
      open: isOpen,
      wait_seconds: handover.wait_seconds,
    },
    requires_login: identity.require_for_chat,
  }
}

function toSentForm(sent: SentFormRecord | undefined): { form?: SentForm } {
  return sent ? { form: { fields: sent.fields } } : {}
}

// A visitor's access to their own conversation. Requires the visitor token.

const MAX_CONVERSATIONS = 20

export function visitorReadingRoutes(
  route: Route,
  { storage, config }: Context,
  { conversations }: Pick<Modules, 'conversations'>,
  { streams }: { streams: LiveStreams },
) {
  const { ownConversations, messages, leads, visitors } = storage
  const { transcripts, onSeen, live } = conversations
  const { streamsPerAddress, botsPerAddress } = config.widget
  const visitorOf = makeVisitorOf(visitors)
  const deps = { conversations: storage.conversations, messages, leads, live }
  const openStreams = new Map<string, number>()

  route(
    'GET /api/chat/{botId}/history',
    async ({ caller: { bot, visitor }, query, reply }) => {
      reply.header('cache-control', 'no-store')
      const { session_id: sessionId, limit, before } = query
      const history = await readHistory(deps, visitor, { sessionId, before, ...(limit === undefined ? {} : { limit }) })
      const { conversation } = history
      const newest = history.messages.at(-1)
      if (conversation && newest && conversation.handover.status !== 'none')
        onSeen(visitor.botId, conversation.id, newest.createdAt)
      return {
        session_id: conversation?.sessionId ?? null,
        messages: history.messages.map((message) => ({
          ...toVisitorMessage(message, isTeamShown(bot)),
          ...toSentForm(history.forms[message.id]),
        })),
        has_more: history.hasMore,
        handover: toState(conversation),
        has_lead: history.hasLead,
        seen_until: timestampOrNull(conversation?.agentSeenAt ?? null),
      }
    },
    LARGE,
  )

  route('GET /api/chat/{botId}/conversations', async ({ caller: { bot, visitor }, reply }) => {
    reply.header('cache-control', 'no-store')
    const visitorConversations = await ownConversations.listOf(visitor.botId, visitor.id, MAX_CONVERSATIONS)
    const items = visitorConversations.map(({ sessionId, firstQuestion, lastMessage, updatedAt }) => ({
      session_id: sessionId,
      first_question: firstQuestion,
      last_message: toPreview(lastMessage),
      updated_at: timestamp(updatedAt),
    }))
    return { items, can_email_transcript: await transcripts.canRequest(bot, visitor.id) }
  })

  route('GET /api/chat/{botId}/events', async ({ caller: { bot, visitor }, query, request, reply }) => {
    const conversation = await findOwnConversation(deps, visitor, query.session_id)
    if (!conversation) throw new Fault('session_not_found')
    const after = query.after ?? lastEventId(request)
    // Without a position, send only new messages.
    const [newest] = after ? [] : await messages.list(visitor.botId, conversation.id, 1)
    const release = reserveStream(visitor.botId, networkOf(request.ip))
    const stream = streams.open(reply)
    const stop = followConversation(deps, conversation, after ?? newest?.id ?? '', {
      message: (message) => {
        stream.send('message', toVisitorMessage(message, isTeamShown(bot)), message.id)
        if (message.role === 'agent') onSeen(visitor.botId, conversation.id, message.createdAt)
      },
      handover: (current) => stream.send('handover', toState(current)),
      typing: (agentName) => stream.send('typing', { agent_name: agentName }),
      seen: (until) => stream.send('seen', { until: timestamp(until) }),
      isOpen: stream.isOpen,
      mayRead: async () => (await visitorOf(bot.id, request))?.id === visitor.id,
      end: stream.end,
    })
    stream.onEnd(() => {
      stop()
      release()
    })
    return reply
  })

  function reserveStream(botId: string, network: string) {
    const limits: [name: string, most: number][] = [
      [`${botId} ${network}`, streamsPerAddress],
      [network, streamsPerAddress * botsPerAddress],
    ]
    if (limits.some(([name, most]) => (openStreams.get(name) ?? 0) >= most))
      throw new Fault('rate_limited', { headers: { 'retry-after': '30' } })
    for (const [name] of limits) openStreams.set(name, (openStreams.get(name) ?? 0) + 1)
    return () => {
      for (const [name] of limits) {
        const remaining = (openStreams.get(name) ?? 1) - 1
        if (remaining > 0) openStreams.set(name, remaining)
        else openStreams.delete(name)
      }
    }
  }
}

function isTeamShown({ widget }: BotRecord): boolean {
  return widget.look.team_avatar !== null
}

function toState(conversation: KnownConversation | undefined) {
  const { status, agentName } = conversation?.handover ?? { status: 'none' as const, agentName: null }
  return { status, agent_name: status === 'active' ? agentName : null }
}

function lastEventId(request: FastifyRequest): string | undefined {
  const value = request.headers['last-event-id']
  return typeof value === 'string' && value !== '' ? value : undefined
}
