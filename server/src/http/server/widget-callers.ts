// Checks callers of widget routes: the embedding site, and the visitor's token.
import { Fault, type RouteSpec, routes } from '@docent/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PublicBots } from '../../access/open-access.ts'
import { type CountWithin, networkOf, RateLimited } from '../../access/rate-limits.ts'
import { hashSecret, isWellFormedSecret } from '../../access/secrets.ts'
import type { BotRecord } from '../../storage/bots.ts'
import type { KnownVisitor, VisitorsTable } from '../../storage/visitors.ts'
import type { RememberRefusal } from './refused-callers.ts'
import { fastifyPath } from './schemas.ts'

export interface WidgetCaller {
  bot: BotRecord
  visitor: KnownVisitor | null
  presentsToken: boolean
}

export interface VisitorCaller extends WidgetCaller {
  visitor: KnownVisitor
}

export type AdmitWidget = (request: FastifyRequest, reply: FastifyReply, needsVisitor: boolean) => Promise<WidgetCaller>

interface Deps {
  publicBots: Pick<PublicBots, 'find'>
  visitors: Pick<VisitorsTable, 'findByToken'>
  /** Our own pages: demo and preview. */
  ownOrigins: string[]
  countWithin: CountWithin
  /** Per address and bot. */
  requestsPerMinute: number
  /** How many times that is allowed over all bots. */
  botsPerAddress: number
  rememberRefusal: RememberRefusal
}

const MINUTE_MS = 60_000
// Every page view loads the history and opens a stream.
const READS_PER_CALL = 5
const DAY_SECONDS = '86400'

/** Files may be large. */
const READS_FILE = /\/(?:attachments|avatars)\//

export function makeAdmitWidget(deps: Deps): AdmitWidget {
  const { publicBots, ownOrigins, countWithin, requestsPerMinute, botsPerAddress, rememberRefusal } = deps
  const visitorOf = makeVisitorOf(deps.visitors)

  return async (request, reply, needsVisitor) => {
    // Also on refusals, so that the page can read why.
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
        // Also on refusals: the widget tells the site's owner why.
        reply.header('access-control-allow-origin', origin)
        if (!isAllowedOrigin(bot, origin, ownOrigins)) throw new Fault('origin_not_allowed')
      }
    }
    if (request.method === 'POST') await limitCall('address', bot.id, request, reply)
    else if (needsVisitor || READS_FILE.test(request.url)) await limitCall('reading', bot.id, request, reply)
    const visitor = await visitorOf(bot.id, request)
    if (needsVisitor && !visitor) throw new Fault('invalid_visitor_token')
    return { bot, visitor: visitor ?? null, presentsToken: tokenOf(request) !== null }
  }

  /** Before the body is read: a flood costs no parsing, and invalid bodies count too. */
  async function limitCall(kind: 'address' | 'reading', botId: string, request: FastifyRequest, reply: FastifyReply) {
    const calls = kind === 'reading' ? requestsPerMinute * READS_PER_CALL : requestsPerMinute
    const network = networkOf(request.ip)
    try {
      await countWithin([
        { name: `${kind} ${botId} ${network}`, calls, windowMs: MINUTE_MS },
        // Otherwise an address could do as much again with every bot.
        { name: `${kind} ${network}`, calls: calls * botsPerAddress, windowMs: MINUTE_MS },
      ])
    } catch (error) {
      if (error instanceof RateLimited) rememberRefusal(request, reply, error, error.until)
      throw error
    }
  }
}

/** The visitor whose token a request presents. */
export function makeVisitorOf(visitors: Pick<VisitorsTable, 'findByToken'>) {
  return async (botId: string, request: FastifyRequest): Promise<KnownVisitor | undefined> => {
    const token = tokenOf(request)
    return token === null ? undefined : visitors.findByToken(botId, hashSecret(token))
  }
}

function tokenOf(request: FastifyRequest): string | null {
  const token = request.headers['x-visitor-token']
  return typeof token === 'string' && isWellFormedSecret('visitor', token) ? token : null
}

interface PreflightDeps {
  publicBots: Pick<PublicBots, 'find'>
  ownOrigins: string[]
}

/** Preflights of a bot with allowed sites pass for those only. */
export function answerPreflights(server: FastifyInstance, { publicBots, ownOrigins }: PreflightDeps) {
  for (const [name, { caller }] of Object.entries(routes) as [string, RouteSpec][]) {
    if (caller !== 'widget' && caller !== 'visitor') continue
    const [method, path] = name.split(' ') as [string, string]
    server.options(fastifyPath(path), async (request, reply) => {
      const { origin } = request.headers
      // Of an unknown bot: the call itself is told so.
      const bot = await publicBots.find((request.params as { botId: string }).botId)
      const isOpen = !bot || bot.widget.allowedOrigins.length === 0
      if (!isOpen) reply.header('vary', 'Origin')
      // Without an origin it comes from no page.
      const isAllowed = isOpen || origin === undefined || isAllowedOrigin(bot, origin, ownOrigins)
      if (!isAllowed) throw new Fault('origin_not_allowed')
      return reply
        .code(204)
        .header('access-control-allow-origin', isOpen ? '*' : (origin ?? 'null'))
        .header('access-control-allow-methods', method)
        .header('access-control-allow-headers', 'content-type, x-visitor-token, last-event-id')
        .header('access-control-max-age', DAY_SECONDS)
        .send()
    })
  }
}

function isAllowedOrigin({ widget }: BotRecord, origin: string | undefined, ownOrigins: string[]): boolean {
  return [...widget.allowedOrigins, ...ownOrigins].some((allowedOrigin) => allowedOrigin.toLowerCase() === origin)
}
