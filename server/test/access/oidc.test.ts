// Logging in through an OpenID provider: who gets in, with which role, and what is refused.

import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { mailText, startMailServer } from '../harness/external/mail-server.ts'
import {
  authenticatorCode,
  createWorkspace,
  invite,
  joinWorkspace,
  MANAGE,
  PASSWORD,
  logIn as withPassword,
} from '../harness/people.ts'
import { fromOurPage, startWithSingleSignOn } from '../harness/single-sign-on.ts'
import { ADMIN_TOKEN } from '../harness/start-server.ts'
import { waitFor } from '../harness/wait.ts'

const token = ADMIN_TOKEN

const ada = { sub: 'ada-1', email: 'Ada@Shop.test', email_verified: true, name: 'Ada Example' }

describe.each(engines)('OpenID login on %s', (engine) => {
  test('groups determine roles on each login, and accounts without a role are refused', async () => {
    const environment = { OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'staff=viewer,bot-team=editor,admins=owner' }
    const { logIn, logs, call } = await startWithSingleSignOn(engine, environment)
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
    const { logIn, call, baseUrl, setUpToken } = await startWithSingleSignOn(engine, { PASSWORD_LOGIN: 'off' })
    expect((await logIn(ada)).place).toBe('/login?error=sso_refused')
    const workspace = await call('POST /api/manage/v1/workspaces', { token, body: { name: 'Shop', plan: 'business' } })
    const params = { workspaceId: workspace.body.id as string }
    const body = { email: 'ada@shop.test', role: 'editor' }
    await call('POST /api/manage/v1/workspaces/{workspaceId}/invitations', { token, params, body })
    const { session, browser, cookie } = await logIn(ada)
    expect(session.workspaces).toMatchObject([{ id: params.workspaceId, role: 'editor' }])

    // Sensitive actions are confirmed at the provider: an ordinary login is not enough.
    const headers = fromOurPage(cookie)
    const newAddress = { email: 'new@shop.test' }
    const staleResponse = await call('PATCH /api/manage/v1/account', { headers, body: newAddress })
    expect(staleResponse.body.error.code).toBe('reauthentication_required')
    const secondLogIn = await logIn(ada, '?confirm=1&next=/account', browser)
    expect(secondLogIn.place).toBe('/account')
    const fresh = { ...headers, cookie: secondLogIn.cookie }
    const freshResponse = await call('PATCH /api/manage/v1/account', { headers: fresh, body: newAddress })
    expect(freshResponse.body.error.code).toBe('email_proof_required')
    const unlinkResponse = await call(`DELETE ${MANAGE}/account/sso`, { headers: fresh })
    expect(unlinkResponse.body.error.code).toBe('password_login_disabled')

    const owner = { token: setUpToken, email: 'owner@shop.test', name: 'Owner', password: 'three quiet zebras' }
    await call('POST /api/manage/v1/setup', { body: owner })
    for (const [route, requestBody] of [
      ['POST /api/manage/v1/session', { email: owner.email, password: owner.password }],
      ['POST /api/manage/v1/password-reset/request', { email: owner.email }],
    ] as const)
      expect((await call(route, { body: requestBody })).body.error.code).toBe('password_login_disabled')
    // A callback without a login started in this browser.
    const stray = await fetch(`${baseUrl}/auth/oidc/callback?code=x&state=y`, { redirect: 'manual' })
    expect(stray.headers.get('location')).toBe('/login?error=sso_failed')
  })

  test('linking an account invalidates its earlier credentials, and an account with a password can be unlinked', async () => {
    const mail = await startMailServer()
    const { logIn, call, clock } = await startWithSingleSignOn(engine, {
      SMTP_URL: mail.url,
      MAIL_FROM: 'docent@example.com',
    })
    const workspaceId = await createWorkspace(call)
    const maker = await joinWorkspace(call, workspaceId, 'editor', 'ada@shop.test')
    const { body } = await maker.call(`POST ${MANAGE}/account/two-factor`)
    await maker.call(`POST ${MANAGE}/account/two-factor/confirm`, {
      body: { code: authenticatorCode(body.secret, clock.now) },
    })
    const members = await call(`GET ${MANAGE}/workspaces/{workspaceId}/members`, { token, params: { workspaceId } })
    const params = { workspaceId, memberId: members.body.items[0].id as string }
    const tokens = `${MANAGE}/workspaces/{workspaceId}/members/{memberId}/tokens`
    const tokenResponse = await call(`POST ${tokens}`, { token, params, body: { name: 'kept' } })
    expect((await call(`GET ${MANAGE}/bots`, { token: tokenResponse.body.token })).status).toBe(200)

    const { session, cookie } = await logIn(ada)
    expect(session.account).toMatchObject({ email: 'ada@shop.test', two_factor: false })
    expect((await maker.call(`GET ${MANAGE}/bots`)).status).toBe(401)
    expect((await withPassword(call, 'ada@shop.test', PASSWORD)).body.error.code).toBe('invalid_login')
    expect((await call(`GET ${MANAGE}/bots`, { token: tokenResponse.body.token })).status).toBe(401)
    // The next login invalidates nothing.
    const otherLogIn = await logIn(ada, '?confirm=1')
    const account = (await call(`GET ${MANAGE}/session`, { headers: { cookie } })).body.account
    expect(account).toMatchObject({ email: 'ada@shop.test', sso: true })

    // Unlinking needs a confirmed session and a known password, and ends all other sessions.
    const unlink = (sessionCookie: string) =>
      call(`DELETE ${MANAGE}/account/sso`, { headers: fromOurPage(sessionCookie) })
    expect((await unlink(cookie)).body.error.code).toBe('reauthentication_required')
    expect((await unlink(otherLogIn.cookie)).body.error.code).toBe('password_not_set')
    const { link } = (
      await call(`POST ${MANAGE}/workspaces/{workspaceId}/members/{memberId}/reset-link`, { token, params })
    ).body
    await call(`POST ${MANAGE}/password-reset`, {
      body: { token: link.split('#')[1], password: 'quite another zebra' },
    })
    const keptSession = await logIn(ada, '?confirm=1')
    const endedSession = await logIn(ada)
    expect((await unlink(keptSession.cookie)).status).toBe(204)
    expect((await unlink(keptSession.cookie)).status).toBe(404)
    const after = (await call(`GET ${MANAGE}/session`, { headers: { cookie: keptSession.cookie } })).body.account
    expect(after).toMatchObject({ email: 'ada@shop.test', sso: false })
    expect((await call(`GET ${MANAGE}/session`, { headers: { cookie: endedSession.cookie } })).status).toBe(401)
    expect((await withPassword(call, 'ada@shop.test', 'quite another zebra')).status).toBe(200)
    const audit = await call(`GET ${MANAGE}/workspaces/{workspaceId}/audit`, { token, params: { workspaceId } })
    expect(audit.body.items).toContainEqual(expect.objectContaining({ action: 'sso.unlinked', actor: 'ada@shop.test' }))
    const alertText = 'ada@shop.test no longer logs in with single sign-on'
    await waitFor(() => mail.mails.some((each) => mailText(each).includes(alertText)), 'the alert')
  })

  test('an invitation is accepted only for the address that the account has and the provider has verified', async () => {
    const { logIn, call } = await startWithSingleSignOn(engine, { OIDC_DEFAULT_ROLE: 'viewer' })
    await logIn(ada)
    const workspaceId = await createWorkspace(call)
    await invite(call, workspaceId, 'boss@shop.test', 'owner')
    const secondLogIn = await logIn({ ...ada, email: 'boss@shop.test' })
    expect(secondLogIn.session.account.email).toBe('ada@shop.test')
    expect(secondLogIn.session.workspaces).toMatchObject([{ role: 'viewer' }])
    await invite(call, workspaceId, 'ada@shop.test', 'editor')
    expect((await logIn({ ...ada, email_verified: false })).session.workspaces).toHaveLength(1)
    expect((await logIn(ada)).session.workspaces).toHaveLength(2)
    const audit = await call(`GET ${MANAGE}/workspaces/{workspaceId}/audit`, { token, params: { workspaceId } })
    expect(audit.body.items).toContainEqual(
      expect.objectContaining({ action: 'member.joined', target: 'ada@shop.test' }),
    )
  })

  test('an account without a role is refused before anything is stored', async () => {
    const { logIn, call } = await startWithSingleSignOn(engine, {
      OIDC_ROLE_CLAIM: 'groups',
      OIDC_ROLES: 'staff=viewer',
    })
    const workspaceId = await createWorkspace(call)
    const local = await joinWorkspace(call, workspaceId, 'editor', 'ada@shop.test')
    await invite(call, workspaceId, 'eve@shop.test', 'editor')
    for (const person of [ada, { ...ada, sub: 'eve', email: 'eve@shop.test' }])
      expect((await logIn({ ...person, groups: [] })).place).toBe('/login?error=sso_refused')
    expect((await local.call(`GET ${MANAGE}/session`)).body.account.email).toBe('ada@shop.test')
    const invitations = await call(`GET ${MANAGE}/workspaces/{workspaceId}/invitations`, {
      token,
      params: { workspaceId },
    })
    expect(invitations.body.items).toMatchObject([{ email: 'eve@shop.test' }])
  })

  test.each([
    ['the Kelvin sign', 'bo\u212a@shop.test'],
    ['full-width letters', 'bok@\uff53hop.test'],
  ])('an address with %s does not open the account it resembles', async (_what, email) => {
    const { logIn, call } = await startWithSingleSignOn(engine, { OIDC_DEFAULT_ROLE: 'viewer' })
    const first = await logIn({ ...ada, sub: 'bok-1', email: 'Bok@Shop.test' })
    expect(first.session.account.email).toBe('bok@shop.test')
    const second = await logIn({ ...ada, sub: 'eve-1', email })
    expect(second.place).toBe('/login?error=sso_refused')
    const accounts = await call('GET /api/manage/v1/session', { headers: { cookie: second.cookie } })
    expect(accounts.status).toBe(401)
  })

  test('a refusal is in the log and the audit log, each with its reason', async () => {
    const environment = { OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'staff=viewer' }
    const { logIn, logs, call } = await startWithSingleSignOn(engine, environment)
    await logIn({ ...ada, groups: [] })
    await logIn({ ...ada, sub: 'eve-1', email: 'eve@shop.test', email_verified: false, groups: ['staff'] })
    const workspaces = await call('GET /api/manage/v1/workspaces', { token })
    const params = { workspaceId: workspaces.body.items[0].id as string }
    const { body } = await call('GET /api/manage/v1/workspaces/{workspaceId}/audit', { token, params })
    expect(body.items).toMatchObject([
      { action: 'login.failed', actor: 'eve@shop.test', target: 'SSO: the provider has not verified their address' },
      { action: 'login.failed', actor: 'Ada@Shop.test', target: 'SSO: none of their groups has a role' },
    ])
    for (const { target } of body.items) expect(logs()).toContain(target.replace('SSO: ', ''))
    expect(logs()).toContain('"subject":"ada-1"')
  })

  test('a provider that is down is called once in ten seconds, and logins per network are limited', async () => {
    const { provider, logIn, clock, baseUrl, logs } = await startWithSingleSignOn(engine, {
      OIDC_DEFAULT_ROLE: 'viewer',
    })
    const place = async (path: string) => {
      const { headers } = await fetch(`${baseUrl}${path}`, { redirect: 'manual' })
      return headers.get('location')
    }
    provider.isDown = true
    const places = await Promise.all([1, 2, 3].map(() => place('/auth/oidc')))
    clock.now += 9000
    expect([...places, await place('/auth/oidc')]).toEqual(Array(4).fill('/login?error=sso_failed'))
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
    const { logIn, provider } = await startWithSingleSignOn(engine, { OIDC_DEFAULT_ROLE: 'viewer' })
    provider.idToken = { email: 'eve@shop.test', email_verified: true }
    const { session } = await logIn({ sub: 'eve', email: 'ada@shop.test', name: 'Eve' })
    expect(session.account.email).toBe('eve@shop.test')
  })
})
