// Actions that could take over an account or a workspace need the password again, and are reported by email.
import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { queryRows } from '../harness/database/rows.ts'
import { mailLink, mailText, type ReceivedMail, startMailServer } from '../harness/external/mail-server.ts'
import {
  authenticatorCode,
  createWorkspace,
  invite,
  joinWorkspace,
  logIn,
  MANAGE,
  PASSWORD,
  reauthenticate,
  setUpOwner,
  tokenFromLink,
} from '../harness/people.ts'
import { routeTable } from '../harness/samples/route-samples.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createMember } from '../harness/tenants.ts'

const MEMBERS = `${MANAGE}/workspaces/{workspaceId}/members`
const TWO_FACTOR = `${MANAGE}/account/two-factor`
const NEW_PASSWORD = 'CANARY another giraffe 7'
const MINUTE_MS = 60_000

async function withOwner(engine: (typeof engines)[number], environment = {}) {
  const server = await startServer(engine, { environment })
  const workspaceId = await createWorkspace(server.call)
  const owner = await joinWorkspace(server.call, workspaceId, 'owner')
  const member = await joinWorkspace(server.call, workspaceId, 'agent')
  const { body } = await owner.call(`GET ${MEMBERS}`, { params: { workspaceId } })
  const idOf = (email: string) => body.items.find((one: { email: string }) => one.email === email).id as string
  const params = { workspaceId, memberId: idOf(member.email) }
  const ownParams = { workspaceId, memberId: idOf(owner.email) }
  return { ...server, workspaceId, owner, member, params, ownParams }
}

/** Requests that need a confirmed session, with the bodies that make them sensitive. */
const requests: Record<string, object> = {
  [`POST ${MEMBERS}`]: { email: 'new@example.test', name: 'New', role: 'owner' },
  [`PATCH ${MEMBERS}/{memberId}`]: { role: 'owner' },
  [`POST ${MEMBERS}/{memberId}/tokens`]: { name: 'planted' },
  [`POST ${MEMBERS}/{memberId}/reset-link`]: {},
  [`POST ${MEMBERS}/{memberId}/email`]: { email: 'moved-member@example.test' },
  [`DELETE ${MEMBERS}/{memberId}/two-factor`]: {},
  [`POST ${MANAGE}/workspaces/{workspaceId}/invitations`]: { email: 'guest@example.test', role: 'owner' },
  [`PATCH ${MANAGE}/account`]: { name: 'Renamed', email: 'moved@example.test' },
  [`POST ${MANAGE}/account/password`]: { current_password: PASSWORD, new_password: NEW_PASSWORD },
  [`POST ${TWO_FACTOR}`]: {},
  [`POST ${TWO_FACTOR}/confirm`]: { code: '000000' },
  [`POST ${TWO_FACTOR}/recovery-codes`]: { code: '000000' },
  [`DELETE ${TWO_FACTOR}`]: { password: PASSWORD },
  [`DELETE ${MANAGE}/account/sso`]: {},
}

test('the requests tested here are those that the contract marks as sensitive', () => {
  const guardedRoutes = routeTable.filter(([, { errors }]) => errors.includes('reauthentication_required'))
  expect(Object.keys(requests).sort()).toEqual(guardedRoutes.map(([route]) => route).sort())
})

describe.each(engines)('a sensitive action on %s', (engine) => {
  test('is refused five minutes after login, and allowed for five more minutes with password and code', async () => {
    const { owner, params, ownParams, clock, database } = await withOwner(engine)
    const enrolment = await owner.call(`POST ${TWO_FACTOR}`)
    const code = () => authenticatorCode(enrolment.body.secret, clock.now)
    expect((await owner.call(`POST ${TWO_FACTOR}/confirm`, { body: { code: code() } })).status).toBe(200)
    const kept = async () => [
      await queryRows(database, 'SELECT * FROM members ORDER BY id'),
      await queryRows(database, 'SELECT * FROM accounts ORDER BY id'),
      await queryRows(database, 'SELECT * FROM management_tokens'),
      await queryRows(database, 'SELECT * FROM invitations'),
      await queryRows(database, 'SELECT * FROM link_tokens WHERE account_id IS NOT NULL'),
    ]
    clock.now += 5 * MINUTE_MS
    const before = await kept()
    for (const [route, body] of Object.entries(requests)) {
      const { status, body: responseBody } = await owner.call(route, { params, body })
      expect([route, status, responseBody?.error?.code]).toEqual([route, 403, 'reauthentication_required'])
    }
    expect(await kept()).toEqual(before)
    // Changes that make nobody an owner need no confirmation.
    const options = { params, body: { name: 'Renamed' } }
    expect((await owner.call(`PATCH ${MEMBERS}/{memberId}`, options)).status).toBe(200)

    for (const [proof, path] of [
      [{ password: 'wrong password', code: code() }, 'password'],
      [{}, 'code'],
      [{ code: '000000' }, 'code'],
    ] as const) {
      const { status, body } = await reauthenticate(owner, proof)
      expect([status, body.error.code, body.error.details[0].path]).toEqual([400, 'validation_failed', path])
    }
    const make = () => owner.call(`POST ${MEMBERS}/{memberId}/tokens`, { params: ownParams, body: { name: 'deploy' } })
    expect((await make()).status).toBe(403)
    expect((await reauthenticate(owner, { code: code() })).status).toBe(204)
    expect((await make()).status).toBe(201)
    clock.now += 5 * MINUTE_MS - 1
    expect((await make()).status).toBe(201)
    clock.now += 1
    expect((await make()).status).toBe(403)
    // Setting the clock back does not extend it.
    clock.now -= 24 * 60 * MINUTE_MS
    expect((await make()).status).toBe(403)
  })

  test('is confirmed for one session only, and guesses are limited', async () => {
    const { owner, call, params, clock } = await withOwner(engine)
    const otherLogIn = await logIn(call, owner.email)
    const cookie = otherLogIn.headers['set-cookie']?.split(';')[0] ?? ''
    clock.now += 5 * MINUTE_MS
    expect((await reauthenticate(owner)).status).toBe(204)
    const make = (callAs = call, headers = {}) => callAs(`POST ${MEMBERS}/{memberId}/reset-link`, { params, headers })
    const staleResponse = await make(call, { cookie, 'sec-fetch-site': 'same-origin' })
    expect([staleResponse.status, staleResponse.body.error.code]).toEqual([403, 'reauthentication_required'])
    expect((await make(owner.call)).status).toBe(201)
    const tries = await Promise.all(
      Array.from({ length: 11 }, () => reauthenticate(owner, { password: 'wrong password' })),
    )
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(1)
    expect((await reauthenticate(owner)).status).toBe(429)
  })

  test('is refused to management tokens, even an owner’s, and allowed to ADMIN_TOKEN', async () => {
    const { call, workspaceId, params } = await withOwner(engine)
    const robot = await createMember(call, workspaceId, 'owner', 'robot')
    for (const [route, body] of Object.entries(requests)) {
      if (!route.includes('{workspaceId}')) continue
      const { status, body: responseBody } = await call(route, { token: robot.token, params, body })
      expect([route, status, responseBody.error.code]).toEqual([route, 403, 'reauthentication_required'])
      expect(responseBody.error.message).toContain('management token cannot')
      expect([route, (await call(route, { token: ADMIN_TOKEN, params, body })).status < 300]).toEqual([route, true])
    }
    // An invitation to an existing member's address gives that member's role.
    const body = { email: 'owner-robot@example.test', role: 'viewer' }
    const asRobot = await call(`POST ${MANAGE}/workspaces/{workspaceId}/invitations`, {
      token: robot.token,
      params,
      body,
    })
    expect([asRobot.status, asRobot.body.error?.code]).toEqual([403, 'reauthentication_required'])
    const viewer = { email: 'viewer@example.test', name: 'V', role: 'viewer' }
    const memberResponse = await call(`POST ${MEMBERS}`, { token: robot.token, params, body: viewer })
    expect(memberResponse.status).toBe(201)
    // An invitation made without confirmation makes nobody an owner, even if the member has become one since.
    const { token } = await invite(call, workspaceId, 'boss@example.test', 'editor', { token: robot.token })
    const boss = { email: 'boss@example.test', name: 'B', role: 'owner' }
    expect((await call(`POST ${MEMBERS}`, { token: ADMIN_TOKEN, params, body: boss })).status).toBe(201)
    const acceptResponse = await call(`POST ${MANAGE}/invitations/accept`, {
      body: { token, name: 'Mallory', password: PASSWORD },
    })
    expect(acceptResponse.status).toBeGreaterThanOrEqual(400)
  })

  test('on one’s own account is not possible through the member routes or with a token', async () => {
    const { owner, call, ownParams, setUpToken } = await withOwner(engine)
    const token = await owner.call(`POST ${MEMBERS}/{memberId}/tokens`, { params: ownParams, body: { name: 'own' } })
    const instanceOwner = await setUpOwner({ call, setUpToken })
    const instanceParams = { workspaceId: 'ws_instance' }
    const { body } = await instanceOwner.call(`GET ${MEMBERS}`, { params: instanceParams })
    const ofInstanceOwner = { ...instanceParams, memberId: body.items[0].id as string }
    for (const route of [`POST ${MEMBERS}/{memberId}/reset-link`, `DELETE ${MEMBERS}/{memberId}/two-factor`]) {
      const responses = [
        await owner.call(route, { params: ownParams }),
        await call(route, { params: ownParams, token: token.body.token }),
        await instanceOwner.call(route, { params: ofInstanceOwner }),
      ]
      expect([route, ...responses.map(({ body }) => body.error?.code)]).toEqual([
        route,
        ...Array(3).fill('role_required'),
      ])
    }
  })

  test('a changed email address applies to login, all workspaces and the audit log, and invalidates reset links', async () => {
    const mail = await startMailServer()
    const environment = { SMTP_URL: mail.url, MAIL_FROM: 'bot@docent.test' }
    const { owner, member, call, params, workspaceId } = await withOwner(engine, environment)
    const otherWorkspaceId = await createWorkspace(call, 'Other')
    await joinWorkspace(call, otherWorkspaceId, 'viewer', member.email)
    const change = (email: string, person = member) => person.call(`PATCH ${MANAGE}/account`, { body: { email } })
    const { body } = await call(`POST ${MEMBERS}/{memberId}/reset-link`, { token: ADMIN_TOKEN, params })

    // Taken by an account, and by a member who cannot log in.
    await createMember(call, otherWorkspaceId, 'viewer', 'robot')
    for (const email of [owner.email.toUpperCase(), 'Viewer-Robot@example.test']) {
      const changeResponse = await change(email)
      expect([email, changeResponse.status, changeResponse.body.error.code]).toEqual([email, 409, 'already_exists'])
      expect(changeResponse.body.error.details).toEqual([{ path: 'email', message: 'This email is already in use.' }])
    }
    expect((await change('no address')).body.error.code).toBe('validation_failed')
    expect((await change(member.email.toUpperCase())).body.email).toBe(member.email)

    expect((await change('Moved@Example.test')).body.pending_email).toBe('moved@example.test')
    const sent = () => mail.mails.find(({ to, content }) => to.includes('moved@example.test') && /email#/.test(content))
    await expect.poll(() => sent()).toBeDefined()
    const token = tokenFromLink(mailLink(sent() as ReceivedMail))
    const response = await member.call(`POST ${MANAGE}/account/email`, { body: { token } })
    expect([response.status, response.body.email]).toEqual([200, 'moved@example.test'])
    expect((await member.call(`GET ${MANAGE}/session`)).body.account.email).toBe('moved@example.test')
    expect((await logIn(call, member.email)).status).toBe(401)
    expect((await logIn(call, 'moved@example.test')).status).toBe(200)
    const resetBody = { token: tokenFromLink(body.link), password: NEW_PASSWORD }
    expect((await call(`POST ${MANAGE}/password-reset`, { body: resetBody })).body.error.code).toBe('invalid_link')
    for (const id of [workspaceId, otherWorkspaceId]) {
      const at = { token: ADMIN_TOKEN, params: { workspaceId: id } }
      const emails = (await call(`GET ${MEMBERS}`, at)).body.items.map((one: { email: string }) => one.email)
      expect(emails).toContain('moved@example.test')
      expect(emails).not.toContain(member.email)
      expect((await call(`GET ${MANAGE}/workspaces/{workspaceId}/audit`, at)).body.items).toContainEqual(
        expect.objectContaining({ action: 'email.changed', actor: member.email, target: 'moved@example.test' }),
      )
    }
    // The old address is free again; the number of requests is limited.
    expect((await change(member.email, owner)).status).toBe(200)
    expect((await change('moved-2@example.test')).status).toBe(200)
    expect((await change('moved-3@example.test')).status).toBe(200)
    expect((await change('moved-4@example.test')).body.error.code).toBe('rate_limited')
  })

  test('an email address cannot be changed by a token', async () => {
    const { owner, call, params, ownParams, database } = await withOwner(engine)
    const tokenResponse = await owner.call(`POST ${MEMBERS}/{memberId}/tokens`, {
      params: ownParams,
      body: { name: 'own' },
    })
    const emails = () =>
      queryRows(database, 'SELECT email FROM members UNION SELECT email FROM accounts ORDER BY email')
    const before = await emails()
    const body = { email: 'moved@example.test' }
    expect((await call(`PATCH ${MANAGE}/account`, { token: tokenResponse.body.token, body })).status).toBe(401)
    const asOwner = await call(`POST ${MEMBERS}/{memberId}/email`, { token: tokenResponse.body.token, params, body })
    expect(asOwner.body.error.code).toBe('reauthentication_required')
    expect(await emails()).toEqual(before)
  })

  test('a reset ends sessions, and on request management tokens', async () => {
    const { owner, member, call, params, workspaceId } = await withOwner(engine)
    const otherWorkspaceId = await createWorkspace(call, 'Other')
    await joinWorkspace(call, otherWorkspaceId, 'viewer', member.email)
    const otherMembers = await call(`GET ${MEMBERS}`, { token: ADMIN_TOKEN, params: { workspaceId: otherWorkspaceId } })
    const otherParams = { workspaceId: otherWorkspaceId, memberId: otherMembers.body.items[0].id as string }
    const make = async (of: typeof params) =>
      (await call(`POST ${MEMBERS}/{memberId}/tokens`, { token: ADMIN_TOKEN, params: of, body: { name: 't' } })).body
        .token as string
    const tokens = [await make(params), await make(otherParams)]
    const otherMember = await createMember(call, workspaceId, 'viewer', 'robot')
    const status = (token: string) => call(`GET ${MANAGE}/bots`, { token }).then((response) => response.status)
    const reset = async (more: object) => {
      const { body } = await call(`POST ${MEMBERS}/{memberId}/reset-link`, { token: ADMIN_TOKEN, params })
      return call(`POST ${MANAGE}/password-reset`, {
        body: { token: tokenFromLink(body.link), password: NEW_PASSWORD, ...more },
      })
    }
    expect((await reset({})).status).toBe(204)
    expect((await member.call(`GET ${MANAGE}/session`)).status).toBe(401)
    expect(await Promise.all(tokens.map(status))).toEqual([200, 200])
    expect((await reset({ revoke_tokens: true })).status).toBe(204)
    expect(await Promise.all([...tokens, otherMember.token].map(status))).toEqual([401, 401, 200])
    const audit = await owner.call(`GET ${MANAGE}/workspaces/{workspaceId}/audit`, { params: { workspaceId } })
    expect(audit.body.items).toContainEqual(
      expect.objectContaining({ action: 'token.revoked', target: `all of ${member.email}` }),
    )
  })
})

test('the account holder is told by email of changes to the account and of actions in their name', async () => {
  const mailServer = await startMailServer()
  const environment = { SMTP_URL: mailServer.url, MAIL_FROM: 'bot@docent.test' }
  const { owner, member, call, params, ownParams, clock } = await withOwner('sqlite', environment)
  const expectMails = async (what: string, ...receivers: string[]) => {
    const told = () => mailServer.mails.filter((mail) => mailText(mail).includes(what)).flatMap(({ to }) => to)
    await expect.poll(() => told().sort()).toEqual(receivers.sort())
  }
  await owner.call(`POST ${MEMBERS}/{memberId}/tokens`, { params: ownParams, body: { name: 'deploy\nscript' } })
  await expectMails(`deploy script of ${owner.email}`, owner.email)
  await invite(owner.call, params.workspaceId, 'new@example.test', 'owner', { token: undefined })
  await expectMails('new@example.test was invited as an owner', owner.email)
  const enrolment = await member.call(`POST ${TWO_FACTOR}`)
  await member.call(`POST ${TWO_FACTOR}/confirm`, {
    body: { code: authenticatorCode(enrolment.body.secret, clock.now) },
  })
  await expectMails(`Two-factor authentication was turned on for ${member.email}`, member.email)
  await owner.call(`DELETE ${MEMBERS}/{memberId}/two-factor`, { params })
  await expectMails(`Two-factor authentication was turned off for ${member.email}`, owner.email, member.email)
  const link = await call(`POST ${MEMBERS}/{memberId}/reset-link`, { token: ADMIN_TOKEN, params })
  await expectMails('A password reset link was created', member.email)
  await call(`POST ${MANAGE}/password-reset`, {
    body: { token: tokenFromLink(link.body.link), password: NEW_PASSWORD },
  })
  await expectMails(`The password of ${member.email} was reset`, member.email)
  await owner.call(`POST ${MANAGE}/account/password`, {
    body: { current_password: PASSWORD, new_password: NEW_PASSWORD },
  })
  await expectMails(`The password of ${owner.email} was changed`, owner.email)
  await owner.call(`PATCH ${MANAGE}/account`, { body: { email: 'moved@example.test' } })
  await expectMails('wants to use this address instead', 'moved@example.test')
  const confirmationMail = mailServer.mails.at(-1) as ReceivedMail
  await owner.call(`POST ${MANAGE}/account/email`, { body: { token: tokenFromLink(mailLink(confirmationMail)) } })
  await expectMails('was changed to moved@example.test', owner.email, 'moved@example.test')
  const mailsText = JSON.stringify(mailServer.mails)
  for (const secret of [PASSWORD, NEW_PASSWORD, tokenFromLink(link.body.link)]) expect(mailsText).not.toContain(secret)
})
