// Logging in through an OpenID provider: who gets in, with which role, and what is refused.
import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { mailText, startMailServer } from '../harness/external/mail-server.ts'
import { createBrowser, OIDC_SECRET, startOpenIdProvider } from '../harness/external/openid-provider.ts'
import { waitFor } from '../harness/external/receiver.ts'
import {
  authenticatorCode,
  createWorkspace,
  invite,
  joinWorkspace,
  MANAGE,
  PASSWORD,
  logIn as withPassword,
} from '../harness/people.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'

const OURS = 'https://docent.test'
const token = ADMIN_TOKEN

async function start(engine: (typeof engines)[number], environment: Record<string, string> = {}) {
  const provider = await startOpenIdProvider(`${OURS}/auth/oidc/callback`)
  const server = await startServer(engine, {
    environment: {
      ...{ OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: 'docent', OIDC_CLIENT_SECRET: OIDC_SECRET },
      ...{ OIDC_NAME: 'Example ID', OIDC_SCOPES: 'openid email profile groups', ...environment },
    },
  })
  /** Returns the page that the login ends on, and the session if there is one. */
  async function logIn(
    person: typeof provider.person,
    query = '',
    browser = createBrowser({ [OURS]: server.baseUrl }),
  ) {
    provider.person = person
    const isPage = ({ origin, pathname }: URL) => origin === OURS && !pathname.startsWith('/auth/')
    const { pathname, search } = await browser.follow(`${OURS}/auth/oidc${query}`, isPage)
    const cookie = browser.cookies(OURS)
    const session = await server.call('GET /api/manage/v1/session', { headers: { cookie } })
    return { place: pathname + search, session: session.body, cookie, browser }
  }
  return { ...server, provider, logIn }
}

const ada = { sub: 'ada-1', email: 'Ada@Shop.test', email_verified: true, name: 'Ada Example' }

describe.each(engines)('OpenID login on %s', (engine) => {
  test('groups determine roles on each login, and accounts without a role are refused', async () => {
    const environment = { OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'staff=viewer,bot-team=editor,admins=owner' }
    const { logIn, logs, call } = await start(engine, environment)
    const first = await logIn({ ...ada, groups: ['staff', 'bot-team'] }, '?next=/workspace/usage')
    expect(first.place).toBe('/workspace/usage')
    expect(first.session.account).toMatchObject({ email: 'ada@shop.test', name: 'Ada Example' })
    expect(first.session.workspaces).toMatchObject([{ role: 'editor' }])
    // The subject identifies the person, even if the address has changed.
    const second = await logIn({ ...ada, email: 'ada.new@shop.test', groups: ['staff'] })
    expect(second.session.account.id).toBe(first.session.account.id)
    expect(second.session.workspaces).toMatchObject([{ role: 'viewer' }])
    expect((await logIn({ ...ada, groups: [] })).place).toBe('/login?error=sso_refused')
    expect((await logIn({ sub: 'eve', email: 'eve@shop.test', email_verified: false, groups: ['admins'] })).place).toBe(
      '/login?error=sso_refused',
    )
    // Another subject cannot take over an account by using its address.
    expect((await logIn({ ...ada, sub: 'eve', groups: ['admins'] })).place).toBe('/login?error=sso_refused')
    // Redirects lead only to Docent's own pages.
    expect((await logIn({ ...ada, groups: ['staff'] }, '?next=//evil.test/')).place).toBe('/bots')
    const setup = await call('GET /api/manage/v1/setup', {})
    expect(setup.body).toMatchObject({ password_login: true, sso_name: 'Example ID' })
    expect(logs()).not.toContain('CANARY-71')
  })

  test('without groups, members join by invitation, and password login can be turned off', async () => {
    const { logIn, call, baseUrl, setUpToken } = await start(engine, { PASSWORD_LOGIN: 'off' })
    expect((await logIn(ada)).place).toBe('/login?error=sso_refused')
    const workspace = await call('POST /api/manage/v1/workspaces', { token, body: { name: 'Shop', plan: 'business' } })
    const params = { workspaceId: workspace.body.id as string }
    const body = { email: 'ada@shop.test', role: 'editor' }
    await call('POST /api/manage/v1/workspaces/{workspaceId}/invitations', { token, params, body })
    const { session, browser, cookie } = await logIn(ada)
    expect(session.workspaces).toMatchObject([{ id: params.workspaceId, role: 'editor' }])

    // Sensitive actions are confirmed at the provider: an ordinary login is not enough.
    const headers = { cookie, origin: OURS, 'sec-fetch-site': 'same-origin' }
    const changing = { email: 'new@shop.test' }
    const refused = await call('PATCH /api/manage/v1/account', { headers, body: changing })
    expect(refused.body.error.code).toBe('reauthentication_required')
    const again = await logIn(ada, '?confirm=1&next=/account', browser)
    expect(again.place).toBe('/account')
    const fresh = { ...headers, cookie: again.cookie }
    expect((await call('PATCH /api/manage/v1/account', { headers: fresh, body: changing })).status).toBe(200)
    const unlinked = await call(`DELETE ${MANAGE}/account/sso`, { headers: fresh })
    expect(unlinked.body.error.code).toBe('password_login_disabled')

    const owner = { token: setUpToken, email: 'owner@shop.test', name: 'Owner', password: 'three quiet zebras' }
    await call('POST /api/manage/v1/setup', { body: owner })
    for (const [route, given] of [
      ['POST /api/manage/v1/session', { email: owner.email, password: owner.password }],
      ['POST /api/manage/v1/password-reset/request', { email: owner.email }],
    ] as const)
      expect((await call(route, { body: given })).body.error.code).toBe('password_login_disabled')
    // A callback without a login started in this browser.
    const stray = await fetch(`${baseUrl}/auth/oidc/callback?code=x&state=y`, { redirect: 'manual' })
    expect(stray.headers.get('location')).toBe('/login?error=sso_failed')
  })

  test('linking an account invalidates its earlier credentials, and an account with a password can be unlinked', async () => {
    const mail = await startMailServer()
    const { logIn, call, clock } = await start(engine, { SMTP_URL: mail.url, MAIL_FROM: 'docent@example.com' })
    const workspaceId = await createWorkspace(call)
    const maker = await joinWorkspace(call, workspaceId, 'editor', 'ada@shop.test')
    const { body } = await maker.call(`POST ${MANAGE}/account/two-factor`)
    await maker.call(`POST ${MANAGE}/account/two-factor/confirm`, {
      body: { code: authenticatorCode(body.secret, clock.now) },
    })
    const members = await call(`GET ${MANAGE}/workspaces/{workspaceId}/members`, { token, params: { workspaceId } })
    const params = { workspaceId, memberId: members.body.items[0].id as string }
    const tokens = `${MANAGE}/workspaces/{workspaceId}/members/{memberId}/tokens`
    const made = await call(`POST ${tokens}`, { token, params, body: { name: 'kept' } })
    expect((await call(`GET ${MANAGE}/bots`, { token: made.body.token })).status).toBe(200)

    const { session, cookie } = await logIn(ada)
    expect(session.account).toMatchObject({ email: 'ada@shop.test', two_factor: false })
    expect((await maker.call(`GET ${MANAGE}/bots`)).status).toBe(401)
    expect((await withPassword(call, 'ada@shop.test', PASSWORD)).body.error.code).toBe('invalid_login')
    expect((await call(`GET ${MANAGE}/bots`, { token: made.body.token })).status).toBe(401)
    // The next login invalidates nothing.
    const other = await logIn(ada, '?confirm=1')
    const shown = (await call(`GET ${MANAGE}/session`, { headers: { cookie } })).body.account
    expect(shown).toMatchObject({ email: 'ada@shop.test', sso: true })

    // Unlinking needs a confirmed session and a known password, and ends all other sessions.
    const unlink = (own: string) =>
      call(`DELETE ${MANAGE}/account/sso`, { headers: { cookie: own, origin: OURS, 'sec-fetch-site': 'same-origin' } })
    expect((await unlink(cookie)).body.error.code).toBe('reauthentication_required')
    expect((await unlink(other.cookie)).body.error.code).toBe('password_not_set')
    const { link } = (
      await call(`POST ${MANAGE}/workspaces/{workspaceId}/members/{memberId}/reset-link`, { token, params })
    ).body
    await call(`POST ${MANAGE}/password-reset`, {
      body: { token: link.split('#')[1], password: 'quite another zebra' },
    })
    const stays = await logIn(ada, '?confirm=1')
    const ends = await logIn(ada)
    expect((await unlink(stays.cookie)).status).toBe(204)
    expect((await unlink(stays.cookie)).status).toBe(404)
    const after = (await call(`GET ${MANAGE}/session`, { headers: { cookie: stays.cookie } })).body.account
    expect(after).toMatchObject({ email: 'ada@shop.test', sso: false })
    expect((await call(`GET ${MANAGE}/session`, { headers: { cookie: ends.cookie } })).status).toBe(401)
    expect((await withPassword(call, 'ada@shop.test', 'quite another zebra')).status).toBe(200)
    const audit = await call(`GET ${MANAGE}/workspaces/{workspaceId}/audit`, { token, params: { workspaceId } })
    expect(audit.body.items).toContainEqual(expect.objectContaining({ action: 'sso.unlinked', actor: 'ada@shop.test' }))
    const told = 'ada@shop.test no longer logs in with single sign-on'
    await waitFor(() => mail.mails.some((each) => mailText(each).includes(told)), 'the alert')
  })

  test('changing the address in Docent does not accept a pending invitation to the new one', async () => {
    const { logIn, call } = await start(engine, { OIDC_DEFAULT_ROLE: 'viewer' })
    const { cookie } = await logIn(ada, '?confirm=1')
    const headers = { cookie, origin: OURS, 'sec-fetch-site': 'same-origin' }
    await call(`PATCH ${MANAGE}/account`, { headers, body: { email: 'boss@shop.test' } })
    const workspaceId = await createWorkspace(call)
    await invite(call, workspaceId, 'boss@shop.test', 'owner')
    const own = await logIn(ada)
    expect(own.session.account.email).toBe('boss@shop.test')
    expect(own.session.workspaces).toMatchObject([{ role: 'viewer' }])
    // Once the provider confirms the address, the invitation is accepted and recorded in the audit log.
    const vouched = await logIn({ ...ada, email: 'boss@shop.test' })
    expect(vouched.session.workspaces).toHaveLength(2)
    const audit = await call(`GET ${MANAGE}/workspaces/{workspaceId}/audit`, { token, params: { workspaceId } })
    expect(audit.body.items).toContainEqual(
      expect.objectContaining({ action: 'member.joined', target: 'boss@shop.test' }),
    )
  })

  test('an account without a role is refused before anything is stored', async () => {
    const { logIn, call } = await start(engine, { OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'staff=viewer' })
    const workspaceId = await createWorkspace(call)
    const local = await joinWorkspace(call, workspaceId, 'editor', 'ada@shop.test')
    await invite(call, workspaceId, 'eve@shop.test', 'editor')
    for (const person of [ada, { ...ada, sub: 'eve', email: 'eve@shop.test' }])
      expect((await logIn({ ...person, groups: [] })).place).toBe('/login?error=sso_refused')
    expect((await local.call(`GET ${MANAGE}/session`)).body.account.email).toBe('ada@shop.test')
    const waiting = await call(`GET ${MANAGE}/workspaces/{workspaceId}/invitations`, { token, params: { workspaceId } })
    expect(waiting.body.items).toMatchObject([{ email: 'eve@shop.test' }])
  })

  test('a provider that is down is called once in ten seconds, and logins per network are limited', async () => {
    const { provider, logIn, clock, baseUrl, logs } = await start(engine, { OIDC_DEFAULT_ROLE: 'viewer' })
    const place = async (path: string) => {
      const { headers } = await fetch(`${baseUrl}${path}`, { redirect: 'manual' })
      return headers.get('location')
    }
    provider.isDown = true
    const together = await Promise.all([1, 2, 3].map(() => place('/auth/oidc')))
    clock.now += 9000
    expect([...together, await place('/auth/oidc')]).toEqual(Array(4).fill('/login?error=sso_failed'))
    expect(provider.requests).toBe(1)
    expect(logs()).toContain('unexpected HTTP response status code')
    provider.isDown = false
    clock.now += 1000
    expect((await logIn(ada)).place).toBe('/bots')

    for (const path of ['/auth/oidc', '/auth/oidc/callback?code=x&state=y']) {
      await Promise.all(Array.from({ length: 60 }, () => place(path)))
      expect(await place(path)).toBe('/login?error=rate_limited')
    }
    clock.now += 60_000
    expect((await logIn(ada)).place).toBe('/bots')
  })

  test('a verified address in the ID token does not verify a different one from userinfo', async () => {
    const { logIn, provider } = await start(engine, { OIDC_DEFAULT_ROLE: 'viewer' })
    provider.idToken = { email: 'eve@shop.test', email_verified: true }
    const { session } = await logIn({ sub: 'eve', email: 'ada@shop.test', name: 'Eve' })
    expect(session.account.email).toBe('eve@shop.test')
  })
})
