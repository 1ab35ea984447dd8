// Who calls a widget route: a page that the bot allows, and the visitor behind the token it sent.
import { Fault, type RouteSpec, routes } from '@docent/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../access/network-of.ts'
import type { PublicBots } from '../access/public-bots.ts'
import { type CountWithin, RateLimited } from '../access/rate-limits.ts'
import { hashSecret, isWellFormedSecret } from '../access/secrets.ts'
import type { BotRecord } from '../storage/bots/bots.ts'
import type { VisitorRecord, VisitorsTable } from '../storage/conversations/visitors.ts'
import type { RememberRefusal } from './connections/refused-callers.ts'
import { fastifyPath } from './schemas.ts'

export interface WidgetCaller {
  bot: BotRecord
  visitor: VisitorRecord | null
}

export interface VisitorCaller {
  bot: BotRecord
  visitor: VisitorRecord
}

export type AdmitWidget = (request: FastifyRequest, reply: FastifyReply, needsVisitor: boolean) => Promise<WidgetCaller>

interface Deps {
  publicBots: Pick<PublicBots, 'find'>
  visitors: Pick<VisitorsTable, 'findByToken'>
  /** Pages of our own: the demo, the preview. */
  ownOrigins: string[]
  countWithin: CountWithin
  /** Of one address and bot. */
  requestsPerMinute: number
  rememberRefusal: RememberRefusal
}

const MINUTE_MS = 60_000
// Every page that a visitor opens asks for what was said, and for what comes.
const READS_PER_CALL = 5
const DAY_SECONDS = '86400'

/** Each may be large. */
const readsFile = /\/(?:attachments|avatars)\//

export function createAdmitWidget(deps: Deps): AdmitWidget {
  const { publicBots, visitors, ownOrigins, countWithin, requestsPerMinute, rememberRefusal } = deps

  return async (request, reply, needsVisitor) => {
    // Also on a refusal, or the page could not read why.
    reply
      .header('access-control-allow-origin', '*')
      .header('access-control-expose-headers', 'x-request-id, retry-after')
    const bot = await publicBots.find((request.params as { botId: string }).botId)
    if (!bot) throw new Fault('bot_not_found')
    const { allowedOrigins } = bot.widget
    if (allowedOrigins.length > 0) {
      const { origin } = request.headers
      reply.header('vary', 'Origin')
      if (origin !== undefined) {
        const isAllowed = [...allowedOrigins, ...ownOrigins].some((allowed) => allowed.toLowerCase() === origin)
        // Also to one that is refused: the widget tells whoever embeds it why.
        reply.header('access-control-allow-origin', origin)
        if (!isAllowed) throw new Fault('origin_not_allowed')
      }
    }
    if (request.method === 'POST') await countCall('address', bot.id, request, reply)
    else if (needsVisitor || readsFile.test(request.url)) await countCall('reading', bot.id, request, reply)
    const visitor = await visitorOf(bot, request)
    if (needsVisitor && !visitor) throw new Fault('invalid_visitor_token')
    return { bot, visitor: visitor ?? null }
  }

  /** Before the body is read: a flood costs no parsing, and broken bodies count as well. */
  async function countCall(kind: 'address' | 'reading', botId: string, request: FastifyRequest, reply: FastifyReply) {
    const calls = kind === 'reading' ? requestsPerMinute * READS_PER_CALL : requestsPerMinute
    try {
      await countWithin([{ name: `${kind} ${botId} ${networkOf(request.ip)}`, limit: { calls, lengthMs: MINUTE_MS } }])
    } catch (error) {
      if (error instanceof RateLimited) rememberRefusal(request, reply, error, error.until)
      throw error
    }
  }

  async function visitorOf(bot: BotRecord, request: FastifyRequest) {
    const token = request.headers['x-visitor-token']
    if (typeof token !== 'string' || !isWellFormedSecret('visitor', token)) return undefined
    return visitors.findByToken(bot.id, hashSecret(token))
  }
}

/** Browsers ask first whether they may; the bot's origins are looked at when the call itself comes. */
export function answerPreflights(server: FastifyInstance) {
  for (const [name, { caller }] of Object.entries(routes) as [string, RouteSpec][]) {
    if (caller !== 'widget' && caller !== 'visitor') continue
    const [method, path] = name.split(' ') as [string, string]
    server.options(fastifyPath(path), async (_request, reply) =>
      reply
        .code(204)
        .header('access-control-allow-origin', '*')
        .header('access-control-allow-methods', method)
        .header('access-control-allow-headers', 'content-type, x-visitor-token, last-event-id')
        .header('access-control-max-age', DAY_SECONDS)
        .send(),
    )
  }
}
