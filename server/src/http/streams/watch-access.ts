// A stream is opened once and stays open: whoever loses the right to it in the meantime is cut off.
import { Fault, type Role, type RouteName, type RouteSpec, routes } from '@docent/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type FindBot, hasRole, type Managers } from '../../access/managers.ts'
import type { LiveStream } from './live-stream.ts'

interface Deps {
  managers: Pick<Managers, 'authenticate'>
  findBot: FindBot
  /** Tells all nodes, this one included. */
  signal: (channel: string, text: string) => Promise<void>
  onSignal: (channel: string, hear: (text: string) => void) => Promise<void>
  onError: (error: unknown) => void
}

const CHANNEL = 'docent_access'
// What ends by itself (a session, a token) is noticed this late.
const LOOK_EVERY_MS = 25_000

export type AccessWatch = ReturnType<typeof createAccessWatch>

export function createAccessWatch(server: FastifyInstance, { managers, findBot, signal, onSignal, onError }: Deps) {
  const looks = new Set<() => Promise<void>>()
  const lookAtAll = () => void Promise.all([...looks].map((look) => look())).catch(onError)
  const looking = setInterval(lookAtAll, LOOK_EVERY_MS)
  looking.unref()
  server.addHook('preClose', async () => clearInterval(looking))
  server.addHook('onResponse', async ({ routeOptions }, reply) => {
    const { name } = routeOptions.config
    if (name && reply.statusCode < 400 && mayTakeAccess(name)) signal(CHANNEL, '').catch(onError)
  })

  async function isLetIn(request: FastifyRequest, botId: string, least: Role): Promise<boolean> {
    try {
      const manager = await managers.authenticate(request)
      return hasRole(manager, least) && (await findBot(manager, botId)) !== undefined
    } catch (error) {
      if (error instanceof Fault) return false
      throw error
    }
  }

  return {
    start: () => onSignal(CHANNEL, lookAtAll),

    /** Ends the stream when its caller would not be let in any more. */
    watch(request: FastifyRequest, botId: string, least: Role, stream: LiveStream) {
      const look = async () => {
        if (!(await isLetIn(request, botId, least))) stream.end()
      }
      looks.add(look)
      stream.onEnd(() => looks.delete(look))
    },
  }
}

/** Who belongs where, who is logged in, and which bots there are. */
function mayTakeAccess(name: RouteName): boolean {
  const { tag }: RouteSpec = routes[name]
  return !name.startsWith('GET ') && ['Accounts', 'Workspaces', 'Bots'].includes(tag)
}
