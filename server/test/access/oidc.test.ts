// Logging in through an OpenID provider: who gets in, with which role, and what is refused.
import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { createBrowser, OIDC_SECRET, startOpenIdProvider } from '../harness/outside/openid-provider.ts'
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
  /** Ends on one of our pages, with what the session says if there is one. */
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

describe.each(engines)('OpenID log-in on %s', (engine) => {
  test('groups give roles, each log-in anew, and who has none is refused', async () => {
    const environment = { OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'staff=viewer,bot-team=editor,admins=owner' }
    const { logIn, logs, call } = await start(engine, environment)
    const first = await logIn({ ...ada, groups: ['staff', 'bot-team'] }, '?next=/workspace/usage')
    expect(first.place).toBe('/workspace/usage')
    expect(first.session.account).toMatchObject({ email: 'ada@shop.test', name: 'Ada Example' })
    expect(first.session.workspaces).toMatchObject([{ role: 'editor' }])
    // The subject is the person, whatever the address is by now.
    const second = await logIn({ ...ada, email: 'ada.new@shop.test', groups: ['staff'] })
    expect(second.session.account.id).toBe(first.session.account.id)
    expect(second.session.workspaces).toMatchObject([{ role: 'viewer' }])
    expect((await logIn({ ...ada, groups: [] })).place).toBe('/login?error=sso_refused')
    expect((await logIn({ sub: 'eve', email: 'eve@shop.test', email_verified: false, groups: ['admins'] })).place).toBe(
      '/login?error=sso_refused',
    )
    // Another person at the provider does not get an account by its address.
    expect((await logIn({ ...ada, sub: 'eve', groups: ['admins'] })).place).toBe('/login?error=sso_refused')
    // Links lead to our own pages only.
    expect((await logIn({ ...ada, groups: ['staff'] }, '?next=//evil.test/')).place).toBe('/bots')
    const setup = await call('GET /api/manage/v1/setup', {})
    expect(setup.body).toMatchObject({ password_login: true, sso_name: 'Example ID' })
    expect(logs()).not.toContain('CANARY-71')
  }, 30_000)

  test('without groups people come by invitation, and passwords can be turned off', async () => {
    const { logIn, call, baseUrl, setUpToken } = await start(engine, { PASSWORD_LOGIN: 'off' })
    expect((await logIn(ada)).place).toBe('/login?error=sso_refused')
    const workspace = await call('POST /api/manage/v1/workspaces', { token, body: { name: 'Shop', plan: 'business' } })
    const params = { workspaceId: workspace.body.id as string }
    const body = { email: 'ada@shop.test', role: 'editor' }
    await call('POST /api/manage/v1/workspaces/{workspaceId}/invitations', { token, params, body })
    const { session, browser, cookie } = await logIn(ada)
    expect(session.workspaces).toMatchObject([{ id: params.workspaceId, role: 'editor' }])

    // What wants a password is confirmed at the provider: a log-in that it did not ask anew for is not enough.
    const headers = { cookie, origin: OURS, 'sec-fetch-site': 'same-origin' }
    const changing = { email: 'new@shop.test' }
    const refused = await call('PATCH /api/manage/v1/account', { headers, body: changing })
    expect(refused.body.error.code).toBe('reauthentication_required')
    const again = await logIn(ada, '?confirm=1&next=/account', browser)
    expect(again.place).toBe('/account')
    const fresh = { ...headers, cookie: again.cookie }
    expect((await call('PATCH /api/manage/v1/account', { headers: fresh, body: changing })).status).toBe(200)

    const owner = { token: setUpToken, email: 'owner@shop.test', name: 'Owner', password: 'three quiet zebras' }
    await call('POST /api/manage/v1/setup', { body: owner })
    for (const [route, given] of [
      ['POST /api/manage/v1/session', { email: owner.email, password: owner.password }],
      ['POST /api/manage/v1/password-reset/request', { email: owner.email }],
    ] as const)
      expect((await call(route, { body: given })).body.error.code).toBe('password_login_disabled')
    // A callback that this browser did not start.
    const stray = await fetch(`${baseUrl}/auth/oidc/callback?code=x&state=y`, { redirect: 'manual' })
    expect(stray.headers.get('location')).toBe('/login?error=sso_failed')
  }, 30_000)
})
