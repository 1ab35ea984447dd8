// Members who log in with a browser: keeps cookies and marks requests as same-origin.
import type { Role } from '@docent/contract'
import { totpCode } from '../../src/access/second-factor.ts'
import type { ApiResponse, Call, CallOptions } from './call.ts'
import { ADMIN_TOKEN, type TestServer } from './start-server.ts'

export const MANAGE = '/api/manage/v1'
export const PASSWORD = 'CANARY correct zebra 42'

const SESSION = '__Host-docent_session'
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export interface Browser {
  call: Call
  /** The session cookie as "name=value"; empty without a session. */
  cookie: () => string
}

export function openBrowser(call: Call, cookie = ''): Browser {
  const jar = new Map(cookie ? [[SESSION, cookie]] : [])
  return {
    cookie: () => jar.get(SESSION) ?? '',
    async call(route, options = {}) {
      const cookies = [...jar.values()].join('; ')
      const headers = { 'sec-fetch-site': 'same-origin', ...(cookies ? { cookie: cookies } : {}), ...options.headers }
      const response = await call(route, { ...options, headers })
      for (const set of response.cookies) {
        const [pair = ''] = set.split(';')
        const name = pair.split('=')[0] ?? ''
        if (set.includes('Max-Age=0')) jar.delete(name)
        else jar.set(name, pair)
      }
      return response
    },
  }
}

/** The instance owner, logged in after setup. */
export async function setUpOwner(server: Pick<TestServer, 'call' | 'setUpToken'>, email = 'owner@example.test') {
  const browser = openBrowser(server.call)
  const body = { token: server.setUpToken, email, name: 'Olga Owner', password: PASSWORD }
  const response = await browser.call(`POST ${MANAGE}/setup`, { body })
  return { ...browser, response, email }
}

export async function invite(call: Call, workspaceId: string, email: string, role: Role, options: CallOptions = {}) {
  const response = await call(`POST ${MANAGE}/workspaces/{workspaceId}/invitations`, {
    token: ADMIN_TOKEN,
    params: { workspaceId },
    body: { email, role },
    ...options,
  })
  return { response, token: tokenFromLink(response.body?.link ?? '') }
}

/** A member who has accepted an invitation and is logged in. */
export async function joinWorkspace(call: Call, workspaceId: string, role: Role, email = `the-${role}@example.test`) {
  const { token } = await invite(call, workspaceId, email, role)
  const browser = openBrowser(call)
  const response = await browser.call(`POST ${MANAGE}/invitations/accept`, {
    body: { token, name: role, password: PASSWORD },
  })
  return { ...browser, response, email }
}

export function logIn(call: Call, email: string, password = PASSWORD, more: object = {}): Promise<ApiResponse> {
  return call(`POST ${MANAGE}/session`, { body: { email, password, ...more } })
}

export async function createWorkspace(call: Call, name = 'Acme'): Promise<string> {
  const response = await call(`POST ${MANAGE}/workspaces`, { token: ADMIN_TOKEN, body: { name, plan: 'business' } })
  return response.body.id
}

export function reauthenticate(person: Pick<Browser, 'call'>, more: object = {}): Promise<ApiResponse> {
  return person.call(`POST ${MANAGE}/session/reauthenticate`, { body: { password: PASSWORD, ...more } })
}

/** The fragment of a link. */
export function tokenFromLink(link: string): string {
  return link.split('#')[1] ?? ''
}

/** The code that an authenticator app shows for a secret. */
export function authenticatorCode(secret: string, now: number): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
  return totpCode(bytes, Math.floor(now / 30_000))
}
