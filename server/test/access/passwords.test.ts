// Changing and resetting passwords: links that work once, and what the old password invalidates.
import { describe, expect, test } from 'vitest'
import { type Engine, engines } from '../harness/database/databases.ts'
import { mailLink, startMailServer } from '../harness/external/mail-server.ts'
import {
  createWorkspace,
  invite,
  joinWorkspace,
  logIn,
  MANAGE,
  openBrowser,
  PASSWORD,
  setUpOwner,
  tokenFromLink,
} from '../harness/people.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'

const NEW_PASSWORD = 'CANARY another giraffe 7'
const HOUR_MS = 3_600_000
const MEMBERS = `${MANAGE}/workspaces/{workspaceId}/members`

async function withMember(engine: Engine, environment = {}) {
  const server = await startServer(engine, { environment })
  const workspaceId = await createWorkspace(server.call)
  const member = await joinWorkspace(server.call, workspaceId, 'editor')
  const members = await server.call(`GET ${MEMBERS}`, { token: ADMIN_TOKEN, params: { workspaceId } })
  const params = { workspaceId, memberId: members.body.items[0].id as string }
  const resetLink = () => server.call(`POST ${MEMBERS}/{memberId}/reset-link`, { token: ADMIN_TOKEN, params })
  const reset = (token: string, password = NEW_PASSWORD) =>
    server.call(`POST ${MANAGE}/password-reset`, { body: { token, password } })
  return { ...server, workspaceId, member, params, resetLink, reset }
}

describe.each(engines)('a password on %s', (engine) => {
  test('can be changed by somebody who knows it, which ends all other sessions', async () => {
    const { call, member } = await withMember(engine)
    const otherBrowser = openBrowser(call)
    await otherBrowser.call(`POST ${MANAGE}/session`, { body: { email: member.email, password: PASSWORD } })
    const change = (current_password: string, new_password: string) =>
      member.call(`POST ${MANAGE}/account/password`, { body: { current_password, new_password } })
    const wrong = await change('wrong password', NEW_PASSWORD)
    expect([wrong.status, wrong.body.error.details[0].path]).toEqual([400, 'current_password'])
    const weak = await change(PASSWORD, 'password1234')
    expect([weak.status, weak.body.error.details[0].path]).toEqual([400, 'new_password'])
    expect((await otherBrowser.call(`GET ${MANAGE}/session`)).status).toBe(200)

    expect((await change(PASSWORD, NEW_PASSWORD)).status).toBe(204)
    expect((await otherBrowser.call(`GET ${MANAGE}/session`)).status).toBe(401)
    expect((await member.call(`GET ${MANAGE}/session`)).status).toBe(200)
    expect((await logIn(call, member.email)).status).toBe(401)
    expect((await logIn(call, member.email, NEW_PASSWORD)).status).toBe(200)
  })

  test('cannot be guessed without limit from an open session', async () => {
    const { member } = await withMember(engine)
    const body = { current_password: 'wrong password', new_password: NEW_PASSWORD }
    const tries = await Promise.all(
      Array.from({ length: 11 }, () => member.call(`POST ${MANAGE}/account/password`, { body })),
    )
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(1)
  })

  test('can be reset by a link, once, which ends all sessions', async () => {
    const { call, member, resetLink, reset, clock } = await withMember(engine)
    const linkResponse = await resetLink()
    expect(linkResponse.status).toBe(201)
    expect(linkResponse.body.link).toMatch(/^https:\/\/docent\.test\/reset#[\w-]{43}$/)
    expect(Date.parse(linkResponse.body.expires_at)).toBe(clock.now + HOUR_MS)
    const token = tokenFromLink(linkResponse.body.link)
    expect((await reset(token, 'password1234')).status).toBe(400)
    const responses = await Promise.all([reset(token), reset(token)])
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 410])
    expect((await member.call(`GET ${MANAGE}/session`)).status).toBe(401)
    expect((await logIn(call, member.email)).status).toBe(401)
    expect((await logIn(call, member.email, NEW_PASSWORD)).status).toBe(200)
    expect((await reset(token)).body.error.code).toBe('invalid_link')
  })

  test('cannot be reset by a link that is expired, replaced, older than the last change, or meant for something else', async () => {
    const server = await withMember(engine)
    const { call, member, resetLink, reset, clock, setUpToken, workspaceId } = server
    const refused = async (token: string) => {
      const response = await reset(token)
      expect([response.status, response.body.error.code]).toEqual([410, 'invalid_link'])
    }
    const link = async () => tokenFromLink((await resetLink()).body.link)
    await refused(setUpToken ?? '')
    const invitation = await invite(call, workspaceId, 'guest@example.test', 'viewer')
    await refused(invitation.token)
    await refused('x'.repeat(43))
    const olderLink = await link()
    const current = await link()
    await refused(olderLink)
    await member.call(`POST ${MANAGE}/account/password`, {
      body: { current_password: PASSWORD, new_password: NEW_PASSWORD },
    })
    await refused(current)
    const expiredLink = await link()
    clock.now += HOUR_MS
    await refused(expiredLink)
    // A reset link works for no other purpose.
    const otherLink = await link()
    const body = { token: otherLink, name: 'N', email: 'n@example.test', password: PASSWORD }
    for (const route of [`POST ${MANAGE}/setup`, `POST ${MANAGE}/invitations/accept`]) {
      expect([route, (await call(route, { body })).status]).toEqual([route, 410])
    }
    expect((await reset(otherLink)).status).toBe(204)
  })

  test('of an account in several workspaces can be reset only by the instance owner', async () => {
    const { call, workspaceId, params, resetLink, reset, member, ...server } = await withMember(engine)
    const owner = await joinWorkspace(call, workspaceId, 'owner')
    const byOwner = () => owner.call(`POST ${MEMBERS}/{memberId}/reset-link`, { params })
    const before = await byOwner()
    expect(before.status).toBe(201)
    const otherWorkspaceId = await createWorkspace(call, 'Other')
    const { token } = await invite(call, otherWorkspaceId, member.email, 'owner')
    await openBrowser(call).call(`POST ${MANAGE}/invitations/accept`, {
      body: { token, name: 'M', password: PASSWORD },
    })

    const response = await byOwner()
    expect([response.status, response.body.error.code]).toEqual([403, 'role_required'])
    // An earlier link gives no access to a workspace joined since.
    expect((await reset(tokenFromLink(before.body.link))).status).toBe(410)
    expect((await resetLink()).status).toBe(201)

    const instanceOwner = await setUpOwner({ call, setUpToken: server.setUpToken })
    const invitation = await invite(call, workspaceId, instanceOwner.email, 'viewer')
    await openBrowser(call).call(`POST ${MANAGE}/invitations/accept`, {
      body: { token: invitation.token, name: 'O', password: PASSWORD },
    })
    const members = await call(`GET ${MEMBERS}`, { token: ADMIN_TOKEN, params })
    const joinedMember = members.body.items.find(({ email }: { email: string }) => email === instanceOwner.email)
    const ofInstanceOwner = await owner.call(`POST ${MEMBERS}/{memberId}/reset-link`, {
      params: { workspaceId, memberId: joinedMember.id },
    })
    expect(ofInstanceOwner.status).toBe(403)
  })

  test('of a member without an account has no reset link', async () => {
    const { call, workspaceId } = await withMember(engine)
    const body = { email: 'robot@example.test', name: 'Robot', role: 'viewer' }
    const robot = await call(`POST ${MEMBERS}`, { token: ADMIN_TOKEN, params: { workspaceId }, body })
    const params = { workspaceId, memberId: robot.body.id as string }
    const response = await call(`POST ${MEMBERS}/{memberId}/reset-link`, { token: ADMIN_TOKEN, params })
    expect([response.status, response.body.error.code]).toEqual([409, 'no_account'])
  })

  test('reset link is emailed only to accounts, and the response does not reveal who has one', async () => {
    const mailServer = await startMailServer()
    const environment = { SMTP_URL: mailServer.url, MAIL_FROM: 'bot@docent.test' }
    const { call, member, reset, logs } = await withMember(engine, environment)
    expect((await member.call(`GET ${MANAGE}/session`)).body.smtp).toBe(true)
    const sentBefore = mailServer.mails.length
    const ask = (email: string) => call(`POST ${MANAGE}/password-reset/request`, { body: { email } })
    const answers = [await ask('nobody@example.test'), await ask('The-Editor@Example.test')]
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [202, ''],
      [202, ''],
    ])
    const mails = await mailServer.waitForMails(sentBefore + 1)
    const mail = mails.at(-1)
    expect(mail?.to).toEqual([member.email])
    const token = tokenFromLink(mail ? mailLink(mail) : '')
    expect((await reset(token)).status).toBe(204)
    expect(logs()).not.toContain(token)

    // At most three mails per hour to one address.
    for (let number = 0; number < 6; number++) expect((await ask(member.email)).status).toBe(202)
    // One of them is the notice of the reset.
    await mailServer.waitForMails(sentBefore + 4)
    for (let number = 0; number < 12; number++) expect((await ask('nobody@example.test')).status).toBe(202)
    const response = await ask('nobody@example.test')
    expect([response.status, response.body.error.code]).toEqual([429, 'rate_limited'])
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    expect(mailServer.mails.slice(sentBefore)).toHaveLength(4)
  })
})
