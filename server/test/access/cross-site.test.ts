// Browsers attach cookies to requests from other sites too; such requests must not change anything.
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { MANAGE, openBrowser, PASSWORD, setUpOwner } from '../harness/people.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'

const BASE_URL = 'https://docent.test'
const CREATE = `POST ${MANAGE}/workspaces`
const body = { name: 'Made' }

async function withOwner() {
  const server = await startServer('sqlite')
  const { cookie } = await setUpOwner(server)
  const host = new URL(server.baseUrl).host
  return { ...server, host, cookie: cookie() }
}

test('with a cookie, a change must come from a page of this site', async () => {
  const { call, cookie, host } = await withOwner()
  const from: [Record<string, string>, number][] = [
    [{ 'sec-fetch-site': 'same-origin' }, 201],
    [{ 'sec-fetch-site': 'none' }, 201],
    [{ origin: BASE_URL }, 201],
    [{ origin: `https://${host}` }, 201],
    [{ 'sec-fetch-site': 'same-origin', origin: BASE_URL }, 201],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'cross-site', origin: BASE_URL }, 403],
    [{ origin: 'https://evil.test' }, 403],
    [{ origin: `${BASE_URL}.evil.test` }, 403],
    [{ origin: 'http://docent.test' }, 403],
    [{ origin: 'null' }, 403],
    [{}, 403],
  ]
  for (const [headers, status] of from) {
    const response = await call(CREATE, { headers: { cookie, ...headers }, body })
    expect([headers, response.status]).toEqual([headers, status])
    if (status === 403) expect(response.body.error.code).toBe('cross_site_request')
  }
  for (const method of ['PATCH', 'DELETE']) {
    const response = await call(`${method} ${MANAGE}/session`, {
      headers: { cookie },
      body: { workspace_id: 'ws_instance' },
    })
    expect([method, response.body.error.code]).toEqual([method, 'cross_site_request'])
  }
})

test('reading with a cookie needs no proof of origin, and other sites cannot read the response', async () => {
  const { call, cookie } = await withOwner()
  const response = await call(`GET ${MANAGE}/session`, { headers: { cookie, 'sec-fetch-site': 'cross-site' } })
  expect(response.status).toBe(200)
  expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
})

test('a token needs no proof of origin and takes precedence over a cookie, even if it is invalid', async () => {
  const { call, cookie } = await withOwner()
  const headers = { cookie, 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }
  expect((await call(CREATE, { token: ADMIN_TOKEN, headers, body })).status).toBe(201)
  expect((await call(`GET ${MANAGE}/bots`, { token: 'wrong', headers: { cookie } })).status).toBe(401)
  // A token has no session.
  expect((await call(`GET ${MANAGE}/session`, { token: ADMIN_TOKEN, headers: { cookie } })).status).toBe(401)
})

test('another site can neither log anybody in nor request a password reset', async () => {
  const { call } = await withOwner()
  const headers = { 'sec-fetch-site': 'cross-site' }
  const requests = {
    [`POST ${MANAGE}/session`]: { email: 'owner@example.test', password: PASSWORD },
    [`POST ${MANAGE}/setup`]: { token: 'x', email: 'a@b.test', name: 'A', password: PASSWORD },
    [`POST ${MANAGE}/invitations/accept`]: { token: 'x', name: 'A', password: PASSWORD },
    [`POST ${MANAGE}/password-reset/request`]: { email: 'owner@example.test' },
    [`POST ${MANAGE}/password-reset`]: { token: 'x', password: PASSWORD },
  }
  for (const [route, body] of Object.entries(requests)) {
    const response = await call(route, { headers, body })
    expect([route, response.status, response.headers['set-cookie']]).toEqual([route, 403, undefined])
  }
  const asForm = await call(`POST ${MANAGE}/session`, {
    headers: { 'content-type': 'text/plain' },
    raw: JSON.stringify({ email: 'owner@example.test', password: PASSWORD }),
  })
  expect(asForm.status).toBe(415)
})

describe('the cookie', () => {
  /** The cookie that a browser gets under this host name. */
  async function cookieOn(BASE_URL: string, host: string): Promise<string> {
    const server = await startServer('sqlite', { environment: { BASE_URL } })
    await setUpOwner(server)
    const set = await new Promise<string>((resolve, reject) => {
      const headers = { host, 'content-type': 'application/json' }
      const outgoing = request(`${server.baseUrl}${MANAGE}/session`, { method: 'POST', headers }, (response) => {
        response.resume()
        resolve(response.headers['set-cookie']?.[0] ?? '')
      })
      outgoing.on('error', reject).end(JSON.stringify({ email: 'owner@example.test', password: PASSWORD }))
    })
    const owner = openBrowser(server.call, set.split(';')[0])
    expect((await owner.call(`GET ${MANAGE}/session`)).status).toBe(200)
    return set
  }

  test.each([
    ['http://localhost:8080', 'localhost:8080'],
    ['http://localhost:8080', '127.0.0.1:8080'],
    ['http://docent.test', '[::1]:8080'],
    ['https://docent.test', 'inner-name:8080'],
  ])('with base URL %s, requested as %s, is bound to the host and to TLS', async (baseUrl, host) => {
    expect(await cookieOn(baseUrl, host)).toMatch(/^__Host-docent_session=.*; Secure$/)
  })

  test.each([
    ['http://docent.test', 'docent.test'],
    ['http://localhost:8080', '192.168.1.5:8080'],
  ])('with base URL %s, requested as %s, works without TLS', async (baseUrl, host) => {
    expect(await cookieOn(baseUrl, host)).toMatch(
      /^docent_session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
    )
  })

  test('without the __Host- prefix is not accepted where there is TLS', async () => {
    const server = await startServer('sqlite')
    const { cookie } = await setUpOwner(server)
    const plainCookie = cookie().replace('__Host-', '')
    expect((await openBrowser(server.call, plainCookie).call(`GET ${MANAGE}/session`)).status).toBe(401)
    expect((await openBrowser(server.call, cookie()).call(`GET ${MANAGE}/session`)).status).toBe(200)
  })
})
