// A cookie goes along with requests that other sites cause: none of them may change anything.
import { describe, expect, test } from 'vitest'
import { browser, createWorkspace, logIn, M, PASSWORD, setUpOwner } from './harness/people.ts'
import { ADMIN_TOKEN, startServer } from './harness/start-server.ts'

const BASE_URL = 'https://docent.test'
const CREATE = `POST ${M}/workspaces`
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
    const answer = await call(CREATE, { headers: { cookie, ...headers }, body })
    expect([headers, answer.status]).toEqual([headers, status])
    if (status === 403) expect(answer.body.error.code).toBe('cross_site_request')
  }
  for (const method of ['PATCH', 'DELETE']) {
    const answer = await call(`${method} ${M}/session`, { headers: { cookie }, body: { workspace_id: 'ws_instance' } })
    expect([method, answer.body.error.code]).toEqual([method, 'cross_site_request'])
  }
})

test('reading with a cookie needs no such proof, and the answer is not for other sites', async () => {
  const { call, cookie } = await withOwner()
  const answer = await call(`GET ${M}/session`, { headers: { cookie, 'sec-fetch-site': 'cross-site' } })
  expect(answer.status).toBe(200)
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
})

test('a token needs no such proof and wins over a cookie, also when it is wrong', async () => {
  const { call, cookie } = await withOwner()
  const headers = { cookie, 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }
  expect((await call(CREATE, { token: ADMIN_TOKEN, headers, body })).status).toBe(201)
  expect((await call(`GET ${M}/bots`, { token: 'wrong', headers: { cookie } })).status).toBe(401)
  // A token is no person.
  expect((await call(`GET ${M}/session`, { token: ADMIN_TOKEN, headers: { cookie } })).status).toBe(401)
})

test('nobody is logged in, or asks for a new password, by another site', async () => {
  const { call } = await withOwner()
  const headers = { 'sec-fetch-site': 'cross-site' }
  const requests = {
    [`POST ${M}/session`]: { email: 'owner@example.test', password: PASSWORD },
    [`POST ${M}/setup`]: { token: 'x', email: 'a@b.test', name: 'A', password: PASSWORD },
    [`POST ${M}/invitations/accept`]: { token: 'x', name: 'A', password: PASSWORD },
    [`POST ${M}/password-reset/request`]: { email: 'owner@example.test' },
    [`POST ${M}/password-reset`]: { token: 'x', password: PASSWORD },
  }
  for (const [route, body] of Object.entries(requests)) {
    const answer = await call(route, { headers, body })
    expect([route, answer.status, answer.headers['set-cookie']]).toEqual([route, 403, undefined])
  }
  const asForm = await call(`POST ${M}/session`, {
    headers: { 'content-type': 'text/plain' },
    raw: JSON.stringify({ email: 'owner@example.test', password: PASSWORD }),
  })
  expect(asForm.status).toBe(415)
})

describe('on plain http', () => {
  async function cookieOn(BASE_URL: string, host?: string) {
    const server = await startServer('sqlite', { environment: { BASE_URL } })
    await setUpOwner(server)
    const answer = await logIn(server.call, 'owner@example.test')
    // fetch sets the Host header itself: this is the one of the address it calls.
    expect(host ?? 'loopback').toBe('loopback')
    const set = answer.headers['set-cookie'] ?? ''
    const own = browser(server.call, set.split(';')[0])
    expect((await own.call(`GET ${M}/session`)).status).toBe(200)
    return { set, server }
  }

  test('the machine itself still gets a cookie that is bound to the host', async () => {
    const { set } = await cookieOn('http://localhost:8080')
    expect(set).toMatch(/^__Host-docent_session=.*; Secure/)
  })

  test('with TLS, a cookie of the plain name is nobody’s', async () => {
    const server = await startServer('sqlite')
    const { cookie } = await setUpOwner(server)
    const renamed = cookie().replace('__Host-', '')
    expect((await browser(server.call, renamed).call(`GET ${M}/session`)).status).toBe(401)
    expect((await browser(server.call, cookie()).call(`GET ${M}/session`)).status).toBe(200)
  })
})

test('fields that are not in the contract do nothing', async () => {
  const server = await startServer('sqlite')
  const more = { role: 'owner', instance_owner: true, workspace_id: 'ws_instance', account_id: 'acc_x', id: 'acc_x' }
  const workspaceId = await createWorkspace(server.call)
  const owner = await setUpOwner(server)
  const invited = await owner.call(`POST ${M}/workspaces/{workspaceId}/invitations`, {
    params: { workspaceId },
    body: {
      email: 'viewer@example.test',
      ...more,
      role: 'viewer',
      workspaceId: 'ws_instance',
      expires_at: '2099-01-01',
    },
  })
  expect(invited.body).toMatchObject({ role: 'viewer', id: expect.stringMatching(/^inv_/) })
  const viewer = browser(server.call)
  const token = invited.body.link.split('#')[1]
  const joined = await viewer.call(`POST ${M}/invitations/accept`, {
    body: { token, name: 'V', password: PASSWORD, ...more, email: 'owner@example.test' },
  })
  const expected = {
    instance_owner: false,
    workspace_id: workspaceId,
    workspaces: [{ id: workspaceId, role: 'viewer' }],
  }
  expect(joined.body).toMatchObject({ ...expected, account: { email: 'viewer@example.test' } })
  await viewer.call(`PATCH ${M}/account`, { body: { name: 'Vera', email: 'x@y.test', two_factor: true, ...more } })
  const again = await viewer.call(`POST ${M}/session`, {
    body: { email: 'viewer@example.test', password: PASSWORD, ...more },
  })
  expect(again.body).toMatchObject({
    ...expected,
    account: { email: 'viewer@example.test', name: 'Vera', two_factor: false },
  })
  expect((await viewer.call(`PATCH ${M}/session`, { body: { workspace_id: 'ws_instance' } })).status).toBe(404)
  expect(
    (await viewer.call(`GET ${M}/workspaces/{workspaceId}`, { params: { workspaceId: 'ws_instance' } })).status,
  ).toBe(404)
})
