// Setup, login and logout: who gets a session, and what it allows.
import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { countRows, queryRows } from '../harness/database/rows.ts'
import { createWorkspace, joinWorkspace, logIn, MANAGE, openBrowser, PASSWORD, setUpOwner } from '../harness/people.ts'
import { createTestDatabase, startProcess } from '../harness/start-process.ts'
import { ADMIN_TOKEN, startServer, type TestServer } from '../harness/start-server.ts'

const SESSION = `${MANAGE}/session`
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WRONG = 'not the password at all'

describe.each(engines)('setup on %s', (engine) => {
  test('an instance has no account until the setup link is used, whose user becomes owner of all workspaces', async () => {
    const server = await startServer(engine)
    const { call, database, setUpToken } = server
    expect(await countRows(database, 'accounts')).toBe(0)
    expect((await call(`GET ${MANAGE}/setup`)).body).toMatchObject({ needed: true })
    const otherWorkspaceId = await createWorkspace(call, 'Customer')

    const owner = await setUpOwner(server, 'Owner@Example.test')
    expect(owner.response.status).toBe(200)
    expect(owner.response.body).toEqual({
      account: {
        id: expect.stringMatching(/^acc_/),
        email: 'owner@example.test',
        name: 'Olga Owner',
        two_factor: false,
        sso: false,
      },
      instance_owner: true,
      workspace_id: 'ws_instance',
      workspaces: expect.arrayContaining([
        { id: 'ws_instance', name: 'My workspace', plan: 'enterprise', role: 'owner' },
        { id: otherWorkspaceId, name: 'Customer', plan: 'business', role: 'owner' },
      ]),
      smtp: false,
      sso_name: null,
      widget_base_url: null,
      file_max_bytes: 20 * 1024 ** 2,
      attachment_max_bytes: 5 * 1024 ** 2,
      action_timeout_seconds: 10,
    })
    expect((await call(`GET ${MANAGE}/setup`)).body).toMatchObject({ needed: false })
    expect((await owner.call(`GET ${SESSION}`)).body).toEqual(owner.response.body)
    expect(owner.response.headers['cache-control']).toBe('no-store')
    const workspace = await owner.call(`POST ${MANAGE}/workspaces`, { body: { name: 'Made by the owner' } })
    expect(workspace.status).toBe(201)
    const members = await owner.call(`GET ${MANAGE}/workspaces/{workspaceId}/members`, {
      params: { workspaceId: 'ws_instance' },
    })
    expect(members.body.items).toMatchObject([{ email: 'owner@example.test', role: 'owner', has_account: true }])
    expect(setUpToken).toMatch(/^[\w-]{43}$/)
  })

  test('the link works once, even when used by many at the same time', async () => {
    const server = await startServer(engine)
    const all = await Promise.all([1, 2, 3].map((number) => setUpOwner(server, `owner${number}@example.test`)))
    expect(all.map(({ response }) => response.status).sort()).toEqual([200, 410, 410])
    expect((await setUpOwner(server, 'late@example.test')).response.body.error.code).toBe('invalid_link')
    expect(await countRows(server.database, 'accounts')).toBe(1)
    expect(await countRows(server.database, 'sessions')).toBe(1)
  })

  test('the link expires after a day; each start creates a new one until there is an owner', async () => {
    const server = await startServer(engine)
    server.clock.now += DAY_MS
    expect((await setUpOwner(server)).response.status).toBe(410)
    await server.stop()

    const restartedServer = await startServer(engine, { database: server.database })
    expect(restartedServer.setUpToken).not.toBe(server.setUpToken)
    expect((await setUpOwner({ ...restartedServer, setUpToken: 'x'.repeat(43) })).response.status).toBe(410)
    expect((await setUpOwner(restartedServer)).response.status).toBe(200)
    await restartedServer.stop()

    const third = await startServer(engine, { database: server.database })
    expect(third.setUpToken).toBeNull()
    expect((await logIn(third.call, 'owner@example.test')).status).toBe(200)
  })

  test('if the address belongs to a member already, that member becomes the owner', async () => {
    const server = await startServer(engine)
    const params = { workspaceId: 'ws_instance' }
    const body = { email: 'owner@example.test', name: 'Before', role: 'viewer' }
    const before = await server.call(`POST ${MANAGE}/workspaces/{workspaceId}/members`, {
      token: ADMIN_TOKEN,
      params,
      body,
    })
    const { call } = await setUpOwner(server)
    const members = await call(`GET ${MANAGE}/workspaces/{workspaceId}/members`, { params })
    expect(members.body.items).toEqual([{ ...before.body, role: 'owner', has_account: true }])
  })
})

describe.each(engines)('logging in on %s', (engine) => {
  test('gives a session for the right password, and otherwise the same error after the same work', async () => {
    const server = await startServer(engine)
    await setUpOwner(server)
    const checks = async () => {
      const { text } = await server.call('GET /metrics')
      return Number(/^docent_password_checks_total\{right="false"\} (\d+)$/m.exec(text)?.[1] ?? 0)
    }
    const bodies = new Set<string>()
    for (const [email, password] of [
      ['owner@example.test', WRONG],
      ['nobody@example.test', WRONG],
      ['nobody@example.test', PASSWORD],
      ['no address', PASSWORD],
    ] as const) {
      const before = await checks()
      const { status, text, body, headers } = await logIn(server.call, email, password)
      expect([status, body.error.code, headers['set-cookie']]).toEqual([401, 'invalid_login', undefined])
      expect((await checks()) - before, email).toBe(1)
      bodies.add(text.replace(body.error.request_id, ''))
    }
    expect(bodies.size).toBe(1)
    const right = await logIn(server.call, ' OWNER@example.test ')
    expect([right.status, right.body.account.email]).toEqual([200, 'owner@example.test'])
  })

  test('is blocked for a while after ten wrong passwords for an account from one address, even after a restart', async () => {
    const server = await startServer(engine)
    await setUpOwner(server)
    // Parallel attempts get no more tries than sequential ones.
    const tries = await Promise.all(Array.from({ length: 14 }, () => logIn(server.call, 'owner@example.test', WRONG)))
    expect(tries.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), ...Array(4).fill(429)])
    await server.stop()

    const restartedServer = await startServer(engine, { database: server.database })
    const logInResponse = await logIn(restartedServer.call, 'owner@example.test')
    expect([logInResponse.status, logInResponse.body.error.code]).toEqual([429, 'rate_limited'])
    expect(Number(logInResponse.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(logInResponse.headers['retry-after'])).toBeLessThanOrEqual(15 * 60)
    expect(logInResponse.body.error.message).toMatch(/^Too many attempts\. Try again in 1\d minutes\.$/)
    // An unknown account is treated in the same way.
    const attempts = await Promise.all(
      Array.from({ length: 11 }, () => logIn(restartedServer.call, 'nobody@example.test', WRONG)),
    )
    expect(attempts.filter(({ status }) => status === 429)).toHaveLength(1)
    restartedServer.clock.now += HOUR_MS / 4
    expect((await logIn(restartedServer.call, 'owner@example.test')).status).toBe(200)
  })

  test('is blocked for a while after fifty failed tries from one address; successful ones do not count', async () => {
    const server = await startServer(engine)
    await setUpOwner(server)
    for (let number = 0; number < 3; number++) expect((await logIn(server.call, 'owner@example.test')).status).toBe(200)
    const tries = await Promise.all(
      Array.from({ length: 51 }, (_, number) => logIn(server.call, `nobody${number}@example.test`, WRONG)),
    )
    expect(tries.filter(({ status }) => status === 401)).toHaveLength(50)
    expect((await logIn(server.call, 'owner@example.test')).status).toBe(429)
  })

  test('a device is recognised by a cookie that cannot be forged, and only for the account that used it', async () => {
    const server = await startServer(engine)
    const owner = await setUpOwner(server)
    const otherMember = await joinWorkspace(
      server.call,
      await createWorkspace(server.call),
      'owner',
      'other@example.test',
    )
    const [, device = ''] = owner.response.cookies
    expect(device).toMatch(/^__Host-docent_device=[\w.-]+; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure$/)
    const [pair = ''] = device.split(';')
    const enter = async (cookie: string, email = owner.email, password = PASSWORD) =>
      (await server.call(`POST ${SESSION}`, { headers: { cookie }, body: { email, password } })).status
    await Promise.all(Array.from({ length: 10 }, () => enter('', owner.email, WRONG)))
    await Promise.all(Array.from({ length: 10 }, () => enter('', otherMember.email, WRONG)))
    expect(await enter('')).toBe(429)
    const alteredPair = pair.replace(/(?<=v1\..{9})./, (letter) => (letter === 'A' ? 'B' : 'A'))
    expect(await enter(alteredPair)).toBe(429)
    expect(await enter('__Host-docent_device=v1.AAAA')).toBe(429)
    expect(await enter(pair, otherMember.email)).toBe(429)
    expect(await enter(pair)).toBe(200)
    server.clock.now += 366 * DAY_MS
    await Promise.all(Array.from({ length: 10 }, () => enter('', owner.email, WRONG)))
    expect(await enter(pair)).toBe(429)
  })

  test('the cookie is bound to this host and TLS, hidden from scripts, and stored as a hash', async () => {
    const server = await startServer(engine, { isPasswordCostly: true })
    const { response, cookie } = await setUpOwner(server)
    const [pair, ...attributes] = (response.headers['set-cookie'] ?? '').split('; ')
    expect(pair).toMatch(/^__Host-docent_session=[\w-]{43}$/)
    expect(attributes.sort()).toEqual(['HttpOnly', `Max-Age=${90 * 86_400}`, 'Path=/', 'SameSite=Lax', 'Secure'])
    const sessionRows = JSON.stringify(await queryRows(server.database, 'SELECT * FROM sessions'))
    expect(sessionRows).not.toContain(cookie().split('=')[1])
    const [account] = await queryRows(server.database, 'SELECT * FROM accounts')
    expect(account?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  test('never continues a session that the browser already has, and ends it', async () => {
    const server = await startServer(engine)
    const owner = await setUpOwner(server)
    const old = owner.cookie()
    const plantedCookie = `__Host-docent_session=${'A'.repeat(43)}`
    for (const cookie of [plantedCookie, old]) {
      const response = await server.call(`POST ${SESSION}`, {
        headers: { cookie },
        body: { email: 'owner@example.test', password: PASSWORD },
      })
      expect(response.status).toBe(200)
      expect(response.headers['set-cookie']).not.toContain(cookie)
      expect((await server.call(`GET ${SESSION}`, { headers: { cookie } })).status).toBe(401)
    }
  })

  test('logging out ends the session on the server, not just in the browser', async () => {
    const server = await startServer(engine)
    const owner = await setUpOwner(server)
    const old = owner.cookie()
    const out = await owner.call(`DELETE ${SESSION}`)
    expect([out.status, owner.cookie()]).toEqual([204, ''])
    for (const route of [`GET ${SESSION}`, `GET ${MANAGE}/bots`]) {
      const response = await openBrowser(server.call, old).call(route)
      expect([response.status, response.body.error.code]).toEqual([401, 'invalid_management_token'])
    }
  })

  test('a session ends after 30 days without use, and after 90 days at the latest', async () => {
    const server = await startServer(engine)
    const { call } = await setUpOwner(server)
    for (const _ of [1, 2, 3]) {
      server.clock.now += 29 * DAY_MS
      expect((await call(`GET ${SESSION}`)).status).toBe(200)
    }
    server.clock.now += 3 * DAY_MS
    expect((await call(`GET ${SESSION}`)).status).toBe(401)
    const secondBrowser = openBrowser(server.call)
    await secondBrowser.call(`POST ${SESSION}`, { body: { email: 'owner@example.test', password: PASSWORD } })
    server.clock.now += 30 * DAY_MS
    expect((await secondBrowser.call(`GET ${SESSION}`)).status).toBe(401)
  })

  test('members see and can end their own sessions, and no others', async () => {
    const server = await startServer(engine)
    const owner = await setUpOwner(server)
    const phone = openBrowser(server.call)
    await phone.call(`POST ${SESSION}`, {
      headers: { 'user-agent': 'Phone/1.0' },
      body: { email: owner.email, password: PASSWORD },
    })
    const stranger = await joinWorkspace(
      server.call,
      await createWorkspace(server.call),
      'owner',
      'stranger@example.test',
    )
    const list = await owner.call(`GET ${MANAGE}/account/sessions`)
    expect(list.body.items).toHaveLength(2)
    const otherSession = list.body.items.find(({ current }: { current: boolean }) => !current)
    expect(otherSession).toMatchObject({ user_agent: 'Phone/1.0', ip: '127.0.0.1', current: false })

    const end = (one: Pick<typeof owner, 'call'>) =>
      one.call(`DELETE ${MANAGE}/account/sessions/{sessionId}`, { params: { sessionId: otherSession.id } })
    expect((await end(stranger)).status).toBe(404)
    expect((await phone.call(`GET ${SESSION}`)).status).toBe(200)
    expect((await end(owner)).status).toBe(204)
    expect((await phone.call(`GET ${SESSION}`)).status).toBe(401)
    expect((await owner.call(`GET ${SESSION}`)).status).toBe(200)
  })
})

test('an attacker cannot lock the owner out: few of 1,000 tries are checked, and the owner can log in', async () => {
  const server = await startServer('sqlite', { environment: { TRUSTED_PROXIES: '127.0.0.0/8' } })
  const owner = await setUpOwner(server)
  const knownBrowser = openBrowser(server.call)
  const body = { email: owner.email, password: PASSWORD }
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  expect((await knownBrowser.call(`POST ${SESSION}`, { ...from('198.51.100.7'), body })).status).toBe(200)
  await knownBrowser.call(`DELETE ${SESSION}`)

  // 200 addresses in ten networks, five tries each, alternating between networks.
  const addresses = Array.from({ length: 1000 }, (_, number) => `203.0.${number % 10}.${((number / 10) % 20) | 0}`)
  const guess = (address: string) =>
    server.call(`POST ${SESSION}`, { ...from(address), body: { ...body, password: WRONG } })
  const responses = []
  while (addresses.length > 0) responses.push(...(await Promise.all(addresses.splice(0, 50).map(guess))))
  const checkedAttempts = responses.filter(({ status }) => status === 401)
  // 50 per hour in total, then three per quarter of an hour and network.
  expect(checkedAttempts).toHaveLength(50 + 10 * 3)
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(1000 - 80)

  // The owner is not locked out: other networks have their own tries, and a recognised device is not affected.
  expect((await openBrowser(server.call).call(`POST ${SESSION}`, { ...from('192.0.2.1'), body })).status).toBe(200)
  const amid = from('203.0.1.1')
  expect((await openBrowser(server.call).call(`POST ${SESSION}`, { ...amid, body })).status).toBe(429)
  expect((await knownBrowser.call(`POST ${SESSION}`, { ...amid, body })).status).toBe(200)
  // Tries from a recognised device are limited too.
  const wrong = () => knownBrowser.call(`POST ${SESSION}`, { ...amid, body: { ...body, password: WRONG } })
  const tries = []
  for (let number = 0; number < 11; number++) tries.push((await wrong()).status)
  expect(tries).toEqual([...Array(10).fill(401), 429])
  server.clock.now += HOUR_MS / 4
  expect((await openBrowser(server.call).call(`POST ${SESSION}`, { ...amid, body })).status).toBe(200)
})

test('only a trusted proxy can set the client address, and each address has its own tries', async () => {
  const attempt = async (server: TestServer, address: string) => {
    const headers = { 'x-forwarded-for': address }
    const body = { email: `${address}@example.test`, password: WRONG }
    return (await server.call(`POST ${SESSION}`, { headers, body })).status
  }
  const statuses = async (server: TestServer) =>
    new Set(await Promise.all(Array.from({ length: 51 }, (_, number) => attempt(server, `192.0.2.${number}`))))
  const proxiedServer = await startServer('sqlite', { environment: { TRUSTED_PROXIES: '127.0.0.0/8' } })
  expect(await statuses(proxiedServer)).toEqual(new Set([401]))
  const owner = await setUpOwner(proxiedServer)
  const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' }
  await owner.call(`POST ${SESSION}`, { headers, body: { email: owner.email, password: PASSWORD } })
  const list = await owner.call(`GET ${MANAGE}/account/sessions`)
  expect(list.body.items).toMatchObject([{ current: true, ip: '198.51.100.7' }])
  expect(await statuses(await startServer('sqlite'))).toEqual(new Set([401, 429]))
})

test('all IPv6 addresses of one /64 network share their tries', async () => {
  const server = await startServer('sqlite', { environment: { TRUSTED_PROXIES: '127.0.0.1' } })
  const attempt = async (address: string, number: number) => {
    const body = { email: `nobody${number}@example.test`, password: WRONG }
    return (await server.call(`POST ${SESSION}`, { headers: { 'x-forwarded-for': address }, body })).status
  }
  const tries = Array.from({ length: 50 }, (_, number) => attempt(`2001:db8:1:2::${number.toString(16)}`, number))
  expect(new Set(await Promise.all(tries))).toEqual(new Set([401]))
  expect(await attempt('2001:db8:1:2:ffff:ffff:ffff:ffff', 50)).toBe(429)
  expect(await attempt('2001:db8:1:3::1', 51)).toBe(401)
})

test('each start prints the setup link to the terminal until it is used, and its token is never logged', async () => {
  const database = await createTestDatabase('sqlite')
  const environment = { LOG_LEVEL: 'trace' }
  const first = await startProcess({ database, environment })
  const link = new RegExp(`^ {2}Set up {7}http://localhost:${first.port}/setup#([\\w-]{43})$`, 'm')
  await expect.poll(first.output).toMatch(link)
  const token = link.exec(first.output())?.[1] ?? ''
  expect(first.output().split(token)).toHaveLength(2)
  const owner = await setUpOwner({ call: first.call, setUpToken: token })
  expect(owner.response.status).toBe(200)
  await first.kill()

  const second = await startProcess({ database, environment })
  await expect.poll(second.output).toContain('Docs ')
  expect(second.output()).not.toContain('Set up')
})
