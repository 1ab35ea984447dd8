// OpenID log-in: the redirect to the provider and the callback. Browsers come here, not programs, so failures
// redirect to the log-in page, which explains them.
import { Fault, SCREENS } from '@docent/contract'
import type { FastifyInstance } from 'fastify'
import type { PendingLogIn } from '../access/oidc.ts'
import { networkOf } from '../access/rate-limits.ts'
import type { Context } from '../context.ts'
import type { Modules } from './modules.ts'
import { makeOpenSession } from './sessions.ts'

interface Pending extends PendingLogIn {
  next: string
  expiresAt: number
}

const VALID_MS = 10 * 60_000
/** Per network, which a whole office may share. Nothing can be guessed here: this only limits load. */
const LIMIT = { calls: 60, windowMs: 60_000 }

export function oidcRoutes(server: FastifyInstance, { clock, onError }: Context, { access }: Pick<Modules, 'access'>) {
  if (!access.singleSignOn) return
  const { client, logIn, cookie, seal, open } = access.singleSignOn
  const openSession = makeOpenSession(access)

  const count = (step: string, ip: string) => access.countWithin([{ name: `sso ${step} ${networkOf(ip)}`, ...LIMIT }])

  /** The page that explains the error. */
  function failure(error: unknown): string {
    if (!(error instanceof Fault)) onError(error)
    return `${SCREENS.logIn}?error=${error instanceof Fault ? error.code : 'sso_failed'}`
  }

  function pendingOf(header: string | undefined): Pending {
    const sealedText = cookie.read(header)
    const text = sealedText === null ? null : open(sealedText)
    const pending = text === null ? null : (JSON.parse(text) as Pending)
    if (!pending || pending.expiresAt <= clock()) throw new Fault('sso_failed')
    return pending
  }

  server.get('/auth/oidc', async (request, reply) => {
    const { next, confirm } = request.query as { next?: unknown; confirm?: unknown }
    reply.header('cache-control', 'no-store')
    try {
      await count('start', request.ip)
      const { url, pending } = await client.start(confirm === '1')
      const pendingLogin: Pending = { ...pending, next: ownPath(next), expiresAt: clock() + VALID_MS }
      reply.header('set-cookie', cookie.write(seal(JSON.stringify(pendingLogin)), request.headers.host))
      return reply.redirect(url, 302)
    } catch (error) {
      return reply.redirect(failure(error), 302)
    }
  })

  server.get('/auth/oidc/callback', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const clearedCookie = cookie.clear(request.headers.host)
    try {
      await count('callback', request.ip)
      const { next, ...pending } = pendingOf(request.headers.cookie)
      const claims = await client.finish(request.url.split('?')[1] ?? '', pending)
      const cookies = await openSession(request, (details) => logIn(claims, pending.isFresh, details))
      return reply.header('set-cookie', [clearedCookie, ...cookies]).redirect(next, 302)
    } catch (error) {
      return reply.header('set-cookie', clearedCookie).redirect(failure(error), 302)
    }
  })
}

/** Only paths of this site. */
function ownPath(next: unknown): string {
  if (typeof next !== 'string' || !/^\/(?![/\\])/.test(next) || next.length > 1000) return '/bots'
  const url = new URL(next, 'https://docent.invalid')
  return url.origin === 'https://docent.invalid' && !url.pathname.startsWith('//') ? url.pathname + url.search : '/bots'
}
