// People with a browser: each keeps the cookie that the server gives, and says that requests come from its own pages.
import type { Role } from '@docent/contract'
import { totpCode } from '../../src/access/second-factor/totp.ts'
import type { Answer, Call, CallOptions } from './call.ts'
import { ADMIN_TOKEN, type TestServer } from './start-server.ts'

export const M = '/api/manage/v1'
export const PASSWORD = 'CANARY correct zebra 42'

const SESSION = '__Host-docent_session'
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export interface Browser {
  call: Call
  /** The session, as "name=value"; empty when there is none. */
  cookie: () => string
}

export function browser(call: Call, cookie = ''): Browser {
  const jar = new Map(cookie ? [[SESSION, cookie]] : [])
  return {
    cookie: () => jar.get(SESSION) ?? '',
    async call(route, options = {}) {
      const kept = [...jar.values()].join('; ')
      const headers = { 'sec-fetch-site': 'same-origin', ...(kept ? { cookie: kept } : {}), ...options.headers }
      const answer = await call(route, { ...options, headers })
      for (const set of answer.cookies) {
        const [pair = ''] = set.split(';')
        const name = pair.split('=')[0] ?? ''
        if (set.includes('Max-Age=0')) jar.delete(name)
        else jar.set(name, pair)
      }
      return answer
    },
  }
}

/** The instance owner, logged in after the set-up. */
export async function setUpOwner(server: Pick<TestServer, 'call' | 'setUpToken'>, email = 'owner@example.test') {
  const own = browser(server.call)
  const body = { token: server.setUpToken, email, name: 'Olga Owner', password: PASSWORD }
  const answer = await own.call(`POST ${M}/setup`, { body })
  return { ...own, answer, email }
}

export async function invite(call: Call, workspaceId: string, email: string, role: Role, options: CallOptions = {}) {
  const made = await call(`POST ${M}/workspaces/{workspaceId}/invitations`, {
    token: ADMIN_TOKEN,
    params: { workspaceId },
    body: { email, role },
    ...options,
  })
  return { made, token: tokenOf(made.body?.link ?? '') }
}

/** Somebody who has accepted an invitation and is logged in. */
export async function join(call: Call, workspaceId: string, role: Role, email = `the-${role}@example.test`) {
  const { token } = await invite(call, workspaceId, email, role)
  const own = browser(call)
  const answer = await own.call(`POST ${M}/invitations/accept`, { body: { token, name: role, password: PASSWORD } })
  return { ...own, answer, email }
}

export function logIn(call: Call, email: string, password = PASSWORD, more: object = {}): Promise<Answer> {
  return call(`POST ${M}/session`, { body: { email, password, ...more } })
}

export async function createWorkspace(call: Call, name = 'Acme'): Promise<string> {
  const made = await call(`POST ${M}/workspaces`, { token: ADMIN_TOKEN, body: { name, plan: 'business' } })
  return made.body.id
}

export function reauthenticate(person: Pick<Browser, 'call'>, more: object = {}): Promise<Answer> {
  return person.call(`POST ${M}/session/reauthenticate`, { body: { password: PASSWORD, ...more } })
}

/** What follows the # of a link. */
export function tokenOf(link: string): string {
  return link.split('#')[1] ?? ''
}

/** What an authenticator app does with what it is given. */
export function appCode(secret: string, now: number): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
  return totpCode(bytes, Math.floor(now / 30_000))
}
