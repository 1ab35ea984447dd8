// Rechecks open streams whenever access may have changed, and closes those whose caller has lost it.
import { Fault, type Role, type RouteName, type RouteSpec, routes } from '@docent/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hasRole, type Manager, type Managers } from '../../access/managers.ts'
import type { LiveStream } from './event-streams.ts'

interface Deps {
  managers: Pick<Managers, 'authenticate'>
  /** To all nodes, including this one. */
  signal: (channel: string, text: string) => Promise<void>
  onSignal: (channel: string, hear: (text: string) => void) => Promise<void>
  onError: (error: unknown) => void
}

/** Loads the stream's subject as the caller; throws when they may not see it. */
type Find = (manager: Manager) => Promise<unknown>

const CHANNEL = 'docent_access'
// An expired session or token is noticed within this time.
const CHECK_EVERY_MS = 25_000

export type AccessWatch = ReturnType<typeof openAccessWatch>

export function openAccessWatch(server: FastifyInstance, { managers, signal, onSignal, onError }: Deps) {
  const checks = new Set<() => Promise<void>>()
  const checkAll = () => void Promise.all([...checks].map((check) => check())).catch(onError)
  const timer = setInterval(checkAll, CHECK_EVERY_MS)
  timer.unref()
  server.addHook('preClose', async () => clearInterval(timer))
  server.addHook('onResponse', async ({ routeOptions }, reply) => {
    const { name } = routeOptions.config
    if (name && reply.statusCode < 400 && mayTakeAccess(name)) signal(CHANNEL, '').catch(onError)
  })

  async function isLetIn(request: FastifyRequest, least: Role, find: Find): Promise<boolean> {
    try {
      const manager = await managers.authenticate(request)
      return hasRole(manager, least) && (await find(manager)) !== undefined
    } catch (error) {
      if (error instanceof Fault) return false
      throw error
    }
  }

  return {
    start: () => onSignal(CHANNEL, checkAll),

    /** Ends the stream once its caller would be refused. */
    watch(request: FastifyRequest, least: Role, find: Find, stream: LiveStream) {
      const check = async () => {
        if (!(await isLetIn(request, least, find))) stream.end()
      }
      checks.add(check)
      stream.onEnd(() => checks.delete(check))
    },
  }
}

/** Routes that may revoke access: members, sessions, bots. */
function mayTakeAccess(name: RouteName): boolean {
  const { tag }: RouteSpec = routes[name]
  return !name.startsWith('GET ') && ['Accounts', 'Workspaces', 'Bots'].includes(tag)
}
