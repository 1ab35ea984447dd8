// Joining a workspace: by invitation only, once, and never in somebody else's name.
import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { countRows } from '../harness/database/rows.ts'
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
import { createMember } from '../harness/tenants.ts'

const INVITATIONS = `${MANAGE}/workspaces/{workspaceId}/invitations`
const MEMBERS = `${MANAGE}/workspaces/{workspaceId}/members`
const DAY_MS = 86_400_000

describe.each(engines)('an invitation on %s', (engine) => {
  async function withWorkspace(environment = {}) {
    const server = await startServer(engine, { environment })
    const workspaceId = await createWorkspace(server.call)
    const accept = (token: string, more: object = {}) =>
      openBrowser(server.call).call(`POST ${MANAGE}/invitations/accept`, {
        body: { token, name: 'Guest', password: PASSWORD, ...more },
      })
    return { ...server, workspaceId, accept, params: { workspaceId } }
  }

  test('lets the holder of its link join with the invited role, once', async () => {
    const { call, params, workspaceId } = await withWorkspace()
    const { response } = await invite(call, workspaceId, 'Editor@Example.test', 'editor')
    expect(response.status).toBe(201)
    expect(response.body).toMatchObject({ email: 'editor@example.test', role: 'editor', sent: false })
    expect(response.body.link).toMatch(/^https:\/\/docent\.test\/invitation#[\w-]{43}$/)
    const invitations = await call(`GET ${INVITATIONS}`, { token: ADMIN_TOKEN, params })
    expect(invitations.body.items.map(({ id }: { id: string }) => id)).toEqual([response.body.id])
    expect(invitations.text).not.toContain(tokenFromLink(response.body.link))

    const guest = openBrowser(call)
    const body = { token: tokenFromLink(response.body.link), name: ' Eddie ', password: PASSWORD }
    const session = await guest.call(`POST ${MANAGE}/invitations/accept`, { body })
    expect(session.body).toMatchObject({
      account: { email: 'editor@example.test', name: 'Eddie' },
      instance_owner: false,
      workspace_id: workspaceId,
      workspaces: [{ id: workspaceId, role: 'editor' }],
    })
    expect((await guest.call(`POST ${MANAGE}/bots`, { body: { name: 'Bot' } })).body.workspace_id).toBe(workspaceId)
    expect((await call(`GET ${INVITATIONS}`, { token: ADMIN_TOKEN, params })).body.items).toEqual([])
    expect((await guest.call(`POST ${MANAGE}/invitations/accept`, { body })).body.error.code).toBe('invalid_link')
    const secondInvitation = await invite(call, workspaceId, 'editor@example.test', 'owner')
    expect([secondInvitation.response.status, secondInvitation.response.body.error.code]).toEqual([
      409,
      'already_exists',
    ])
  })

  test('tells who invites which address to which workspace, to whoever has the link', async () => {
    const server = await withWorkspace()
    const owner = await setUpOwner(server)
    const body = { email: 'Guest@Example.test', role: 'agent' }
    const { params, call } = server
    const invitation = await owner.call(`POST ${INVITATIONS}`, { params, body })
    const read = (token: string) => call(`POST ${MANAGE}/invitations/read`, { body: { token } })
    const token = tokenFromLink(invitation.body.link)
    const { name } = (await call(`GET ${MANAGE}/workspaces/{workspaceId}`, { token: ADMIN_TOKEN, params })).body
    expect((await read(token)).body.invitation).toEqual({
      workspace: name,
      email: 'guest@example.test',
      role: 'agent',
      invited_by: expect.stringMatching(/^.+ \(owner@example\.test\)$/),
      expires_at: invitation.body.expires_at,
    })
    // Nobody is named for a script.
    const { response } = await invite(call, params.workspaceId, 'other@example.test', 'viewer')
    expect((await read(tokenFromLink(response.body.link))).body.invitation.invited_by).toBeNull()
    // With a token, its member, but not what they call the token.
    const robot = await createMember(call, params.workspaceId, 'owner', 'robot')
    const third = { token: robot.token, params, body: { email: 'third@example.test', role: 'viewer' } }
    const { link } = (await call(`POST ${INVITATIONS}`, third)).body
    expect((await read(tokenFromLink(link))).body.invitation.invited_by).toBe('owner-robot@example.test')
    await server.accept(token)
    expect((await read(token)).body).toEqual({ invitation: null })
  })

  test('works for only one of many parallel uses, and not if unknown, expired, withdrawn or replaced', async () => {
    const { call, params, workspaceId, accept, clock, database } = await withWorkspace()
    const one = await invite(call, workspaceId, 'one@example.test', 'viewer')
    const acceptances = await Promise.all([accept(one.token), accept(one.token), accept(one.token)])
    expect(acceptances.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await countRows(database, 'members')).toBe(1)

    const first = await invite(call, workspaceId, 'two@example.test', 'owner')
    const second = await invite(call, workspaceId, 'two@example.test', 'viewer')
    const third = await invite(call, workspaceId, 'three@example.test', 'viewer')
    await call(`DELETE ${INVITATIONS}/{invitationId}`, {
      token: ADMIN_TOKEN,
      params: { ...params, invitationId: third.response.body.id },
    })
    for (const token of [first.token, third.token, 'x'.repeat(43), `${second.token}x`]) {
      const response = await accept(token)
      expect([response.status, response.body.error.code]).toEqual([410, 'invalid_link'])
    }
    clock.now += 7 * DAY_MS
    expect((await accept(second.token)).status).toBe(410)
    expect((await call(`GET ${INVITATIONS}`, { token: ADMIN_TOKEN, params })).body.items).toEqual([])
    expect(await countRows(database, 'accounts')).toBe(1)
  })

  test('to the address of an existing account needs its password, and adds the workspace to it', async () => {
    const { call, workspaceId, accept } = await withWorkspace()
    const guest = await joinWorkspace(call, workspaceId, 'viewer', 'guest@example.test')
    const otherWorkspaceId = await createWorkspace(call, 'Other')
    const { token } = await invite(call, otherWorkspaceId, 'guest@example.test', 'editor')
    const wrong = await accept(token, { password: 'another password' })
    expect([wrong.status, wrong.body.error.code]).toEqual([401, 'invalid_login'])
    const acceptance = await accept(token, { name: 'Not renamed' })
    expect(acceptance.body.account.name).toBe('viewer')
    expect(acceptance.body.workspace_id).toBe(otherWorkspaceId)
    expect(new Set(acceptance.body.workspaces.map(({ id }: { id: string }) => id))).toEqual(
      new Set([workspaceId, otherWorkspaceId]),
    )

    const session = await guest.call(`PATCH ${MANAGE}/session`, { body: { workspace_id: otherWorkspaceId } })
    expect(session.body.workspace_id).toBe(otherWorkspaceId)
    expect((await guest.call(`POST ${MANAGE}/bots`, { body: { name: 'Bot' } })).body.workspace_id).toBe(
      otherWorkspaceId,
    )
    const responses = [await createWorkspace(call, 'Third'), 'ws_unknown'].map((workspace_id) =>
      guest.call(`PATCH ${MANAGE}/session`, { body: { workspace_id } }),
    )
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([404, 404])
  })

  test('is the only way in: whoever claimed an address earlier gains nothing when it is made a member', async () => {
    const { call, workspaceId } = await withWorkspace()
    // An owner invites somebody else's address and accepts the invitation themselves.
    const boss = await joinWorkspace(call, workspaceId, 'viewer', 'boss@example.test')
    const target = await createWorkspace(call, 'Target')
    const body = { email: 'boss@example.test', name: 'Boss', role: 'owner' }
    const member = await call(`POST ${MEMBERS}`, { token: ADMIN_TOKEN, params: { workspaceId: target }, body })
    expect(member.body.has_account).toBe(false)
    expect((await boss.call(`GET ${MANAGE}/session`)).body.workspaces).toHaveLength(1)
    expect((await boss.call(`PATCH ${MANAGE}/session`, { body: { workspace_id: target } })).status).toBe(404)
    const invitation = await invite(call, target, 'boss@example.test', 'viewer')
    // With the role of the member.
    expect(invitation.response.body.role).toBe('owner')
    expect((await boss.call(`GET ${MANAGE}/session`)).body.workspaces).toHaveLength(1)
  })

  test('refuses a weak password without using up the link', async () => {
    const { call, workspaceId, accept } = await withWorkspace()
    const { token } = await invite(call, workspaceId, 'longmailaddress@example.test', 'viewer')
    const weak = [
      'short',
      'Password123',
      'aaaaaaaaaaaa',
      'longmailaddress@example.test',
      'LongMailAddress',
      'x'.repeat(201),
    ]
    for (const password of weak) {
      const response = await accept(token, { password })
      expect([password, response.status, response.body.error.details?.[0].path]).toEqual([password, 400, 'password'])
    }
    expect((await accept(token)).status).toBe(200)
  })

  test('is sent by email if there is a mail server, and created even if sending fails', async () => {
    const mailServer = await startMailServer()
    const { call, workspaceId } = await withWorkspace({
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'Docent <bot@docent.test>',
    })
    const { response } = await invite(call, workspaceId, 'a,b@example.test', 'viewer')
    expect(response.body.sent).toBe(true)
    const [mail] = await mailServer.waitForMails(1)
    expect([mail?.from, mail?.to.length]).toEqual(['bot@docent.test', 1])
    expect(mail && mailLink(mail)).toBe(response.body.link)
    expect(mailServer.logins[0]).toContain('SMTP-CANARY-5a')

    const brokenMailServer = await startMailServer({ refuses: true })
    const second = await withWorkspace({ SMTP_URL: brokenMailServer.url, MAIL_FROM: 'bot@docent.test' })
    const invitation = await invite(second.call, second.workspaceId, 'guest@example.test', 'viewer')
    expect([invitation.response.status, invitation.response.body.sent]).toEqual([201, false])
    expect(second.logs()).toContain('The email was not sent')
    expect(second.logs()).not.toContain('SMTP-CANARY-5a')
    expect(second.logs()).not.toContain(invitation.token)
  })

  test('is limited like other mails: per workspace and hour, and per address and day over all workspaces', async () => {
    const mails = await startMailServer()
    const { call, clock, workspaceId } = await withWorkspace({ SMTP_URL: mails.url, MAIL_FROM: 'docent@example.test' })
    const otherWorkspaceId = await createWorkspace(call)
    const statusOf = async (email: string, id = workspaceId) =>
      (await invite(call, id, email, 'viewer')).response.status
    for (let n = 0; n < 5; n++) expect(await statusOf('Same@example.test')).toBe(201)
    expect(await statusOf('same@example.test', otherWorkspaceId)).toBe(429)
    for (let n = 5; n < 60; n++) expect(await statusOf(`guest${n}@example.test`)).toBe(201)
    const response = (await invite(call, workspaceId, 'one-too-many@example.test', 'viewer')).response
    expect([response.status, response.body.error.code]).toEqual([429, 'rate_limited'])
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    clock.now += 3_600_001
    expect(await statusOf('one-too-many@example.test')).toBe(201)
    expect(await statusOf('same@example.test')).toBe(429)
    clock.now += DAY_MS
    expect(await statusOf('same@example.test')).toBe(201)
  })

  test('an owner can invite only to their own workspace', async () => {
    const { call, workspaceId } = await withWorkspace()
    const owner = await joinWorkspace(call, workspaceId, 'owner')
    const foreign = await createWorkspace(call, 'Foreign')
    const body = { email: 'spy@example.test', role: 'owner' }
    expect((await owner.call(`POST ${INVITATIONS}`, { params: { workspaceId }, body })).status).toBe(201)
    expect((await owner.call(`POST ${INVITATIONS}`, { params: { workspaceId: foreign }, body })).status).toBe(404)
    expect((await logIn(call, owner.email)).body.workspaces).toHaveLength(1)
  })
})

test('the instance owner lists and creates bots in the selected workspace, and can access all workspaces', async () => {
  const server = await startServer('sqlite')
  const owner = await setUpOwner(server)
  const { botId, workspaceId } = await server.createBot()
  const list = async () => (await owner.call(`GET ${MANAGE}/bots`)).body.items.map(({ id }: { id: string }) => id)
  expect(await list()).toEqual([])
  expect((await owner.call(`GET ${MANAGE}/bots/{botId}`, { params: { botId } })).status).toBe(200)
  expect((await owner.call(`PATCH ${MANAGE}/session`, { body: { workspace_id: workspaceId } })).body).toMatchObject({
    workspace_id: workspaceId,
  })
  expect(await list()).toEqual([botId])
  expect((await owner.call(`POST ${MANAGE}/bots`, { body: { name: 'Here' } })).body.workspace_id).toBe(workspaceId)
})
test('fields that are not in the contract are ignored', async () => {
  const server = await startServer('sqlite')
  const more = { role: 'owner', instance_owner: true, workspace_id: 'ws_instance', account_id: 'acc_x', id: 'acc_x' }
  const workspaceId = await createWorkspace(server.call)
  const owner = await setUpOwner(server)
  const invitation = await owner.call(`POST ${MANAGE}/workspaces/{workspaceId}/invitations`, {
    params: { workspaceId },
    body: {
      email: 'viewer@example.test',
      ...more,
      role: 'viewer',
      workspaceId: 'ws_instance',
      expires_at: '2099-01-01',
    },
  })
  expect(invitation.body).toMatchObject({ role: 'viewer', id: expect.stringMatching(/^inv_/) })
  const viewer = openBrowser(server.call)
  const token = invitation.body.link.split('#')[1]
  const session = await viewer.call(`POST ${MANAGE}/invitations/accept`, {
    body: { token, name: 'V', password: PASSWORD, ...more, email: 'owner@example.test' },
  })
  const expected = {
    instance_owner: false,
    workspace_id: workspaceId,
    workspaces: [{ id: workspaceId, role: 'viewer' }],
  }
  expect(session.body).toMatchObject({ ...expected, account: { email: 'viewer@example.test' } })
  await viewer.call(`PATCH ${MANAGE}/account`, { body: { name: 'Vera', two_factor: true, ...more } })
  const newSession = await viewer.call(`POST ${MANAGE}/session`, {
    body: { email: 'viewer@example.test', password: PASSWORD, ...more },
  })
  expect(newSession.body).toMatchObject({
    ...expected,
    account: { email: 'viewer@example.test', name: 'Vera', two_factor: false },
  })
  expect((await viewer.call(`PATCH ${MANAGE}/session`, { body: { workspace_id: 'ws_instance' } })).status).toBe(404)
  expect(
    (await viewer.call(`GET ${MANAGE}/workspaces/{workspaceId}`, { params: { workspaceId: 'ws_instance' } })).status,
  ).toBe(404)
})
