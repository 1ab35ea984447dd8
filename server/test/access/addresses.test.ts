// An email address is changed by whoever can read its mail, and preparing an account for somebody else gains nothing.
import { describe, expect, test } from 'vitest'
import { type Engine, engines } from '../harness/database/databases.ts'
import { queryRows, runStatement } from '../harness/database/rows.ts'
import { type MailServer, mailLink, mailText, startMailServer } from '../harness/external/mail-server.ts'
import {
  authenticatorCode,
  createWorkspace,
  invite,
  joinWorkspace,
  logIn,
  MANAGE,
  openBrowser,
  PASSWORD,
  reauthenticate,
  setUpOwner,
  tokenFromLink,
} from '../harness/people.ts'
import { fromOurPage, startWithSingleSignOn } from '../harness/single-sign-on.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'

const MEMBERS = `${MANAGE}/workspaces/{workspaceId}/members`
const NEW_PASSWORD = 'CANARY another giraffe 7'
const mallory = { sub: 'mallory-1', email: 'mallory@shop.test', email_verified: true, name: 'Mallory' }
const victim = { sub: 'victim-1', email: 'victim@bank.test', email_verified: true, name: 'Victim' }

async function withMail(engine: Engine, more: Record<string, string> = {}) {
  const mail = await startMailServer()
  const environment = { SMTP_URL: mail.url, MAIL_FROM: 'docent@example.com', ...more }
  return { mail, ...(await startWithSingleSignOn(engine, environment)) }
}

/** The newest link that was mailed to an address. */
async function mailedLink({ mails }: MailServer, email: string, page: string): Promise<string> {
  const links = () => mails.filter(({ to }) => to.includes(email)).map(mailLink)
  const ofPage = () => links().filter((link) => link.includes(`/${page}#`))
  await expect.poll(() => ofPage().length).toBeGreaterThan(0)
  return tokenFromLink(ofPage().at(-1) ?? '')
}

describe.each(engines)('on %s', (engine) => {
  test('an account prepared for somebody’s address does not open what that person joins later', async () => {
    const { mail, call, logIn: withSso } = await withMail(engine, { OIDC_DEFAULT_ROLE: 'viewer' })
    const { cookie } = await withSso(mallory, '?confirm=1')
    const body = { email: victim.email }
    const accountResponse = await call(`PATCH ${MANAGE}/account`, { headers: fromOurPage(cookie), body })
    const isPrepared = accountResponse.body.email === victim.email

    const workspaceId = await createWorkspace(call, 'Bank')
    const { token } = await invite(call, workspaceId, victim.email, 'owner')
    const password = isPrepared ? NEW_PASSWORD : PASSWORD
    // What the owner of the address does if there is an account already.
    if (isPrepared) {
      await call(`POST ${MANAGE}/password-reset/request`, { body })
      const link = await mailedLink(mail, victim.email, 'reset')
      await call(`POST ${MANAGE}/password-reset`, { body: { token: link, password } })
    }
    const acceptResponse = await call(`POST ${MANAGE}/invitations/accept`, {
      body: { token, name: 'Victim', password },
    })
    expect(acceptResponse.status).toBe(200)

    const { session } = await withSso(mallory)
    expect(session.workspaces?.map(({ id }: { id: string }) => id)).not.toContain(workspaceId)
    expect(session.account?.email).not.toBe(victim.email)
  })

  test('a reset by email leaves no other way in: single sign-on and the second factor end', async () => {
    const { mail, call, database, clock, logIn: withSso } = await withMail(engine, { OIDC_DEFAULT_ROLE: 'viewer' })
    const { cookie, session } = await withSso(mallory, '?confirm=1')
    const headers = fromOurPage(cookie)
    const enrolment = await call(`POST ${MANAGE}/account/two-factor`, { headers })
    const code = authenticatorCode(enrolment.body.secret, clock.now)
    await call(`POST ${MANAGE}/account/two-factor/confirm`, { headers, body: { code } })
    // As a node of an earlier version did without proof.
    await runStatement(database, `UPDATE accounts SET email = '${victim.email}', verified_email = NULL`)
    await runStatement(database, `UPDATE members SET email = '${victim.email}'`)

    await call(`POST ${MANAGE}/password-reset/request`, { body: { email: victim.email } })
    const token = await mailedLink(mail, victim.email, 'reset')
    expect((await call(`POST ${MANAGE}/password-reset`, { body: { token, password: NEW_PASSWORD } })).status).toBe(204)
    const victimLogIn = await logIn(call, victim.email, NEW_PASSWORD)
    expect([victimLogIn.status, victimLogIn.body.account]).toEqual([
      200,
      expect.objectContaining({ id: session.account.id, sso: false, two_factor: false }),
    ])
    expect((await call(`GET ${MANAGE}/session`, { headers: { cookie } })).status).toBe(401)
    expect((await withSso(mallory)).session.account?.id).not.toBe(session.account.id)
    const audit = await queryRows(database, `SELECT action FROM audit_entries WHERE actor = '${victim.email}'`)
    expect(audit.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['password.reset', 'sso.unlinked', 'two_factor.disabled']),
    )
  })

  test('an address that the provider has verified wins over one that nobody has proven', async () => {
    const { call, database, logIn: withSso } = await withMail(engine, { OIDC_DEFAULT_ROLE: 'viewer' })
    const first = await withSso(mallory)
    const claim = async (email: string) => {
      await runStatement(database, `UPDATE accounts SET email = '${email}', verified_email = NULL`)
      await runStatement(database, `UPDATE members SET email = '${email}'`)
    }
    // Whoever claimed it gets their own address back.
    await claim(victim.email)
    const back = await withSso(mallory)
    expect(back.session.account).toMatchObject({ id: first.session.account.id, email: mallory.email })
    // And whose address it is gets in, and the other one out.
    await claim(victim.email)
    const victimLogIn = await withSso(victim)
    expect(victimLogIn.session.account).toMatchObject({ email: victim.email })
    expect((await call(`GET ${MANAGE}/session`, { headers: { cookie: back.cookie } })).status).toBe(401)
    expect((await withSso(mallory)).session.account?.id).not.toBe(victimLogIn.session.account.id)
    // A proven address is not given up.
    const otherLogIn = await withSso({ ...victim, sub: 'victim-2' })
    expect(otherLogIn.place).toBe('/login?error=sso_refused')
  })

  test('a new address counts once the link sent to it was opened by the person who asked', async () => {
    const { mail, call, clock, logIn: withSso } = await withMail(engine, { OIDC_DEFAULT_ROLE: 'viewer' })
    const { cookie } = await withSso({ ...mallory, sub: 'ada', email: 'ada@shop.test' }, '?confirm=1')
    const otherLogIn = await withSso({ ...mallory, sub: 'ada', email: 'ada@shop.test' })
    const headers = fromOurPage(cookie)
    const at = { token: ADMIN_TOKEN, params: { workspaceId: 'ws_instance' } }
    const [{ id: memberId }] = (await call(`GET ${MEMBERS}`, at)).body.items
    const tokenResponse = await call(`POST ${MEMBERS}/{memberId}/tokens`, {
      token: ADMIN_TOKEN,
      params: { ...at.params, memberId },
      body: { name: 'own' },
    })
    const change = (email: string) => call(`PATCH ${MANAGE}/account`, { headers, body: { email } })
    const confirm = (token: string, ownHeaders: object = headers) =>
      call(`POST ${MANAGE}/account/email`, { headers: { ...ownHeaders }, body: { token } })

    const changeResponse = await change('New@Shop.test')
    expect([changeResponse.status, changeResponse.body.email, changeResponse.body.pending_email]).toEqual([
      200,
      'ada@shop.test',
      'new@shop.test',
    ])
    const token = await mailedLink(mail, 'new@shop.test', 'email')
    const stranger = await joinWorkspace(call, await createWorkspace(call), 'viewer')
    for (const ownHeaders of [{}, fromOurPage(stranger.cookie())])
      expect([401, 410]).toContain((await confirm(token, ownHeaders)).status)
    clock.now += 3_600_000
    expect((await confirm(token)).body.error.code).toBe('invalid_link')
    clock.now -= 3_600_000

    expect((await call(`GET ${MANAGE}/bots`, { token: tokenResponse.body.token })).status).toBe(200)
    const confirmResponse = await confirm(token)
    expect([confirmResponse.status, confirmResponse.body.email, confirmResponse.body.sso]).toEqual([
      200,
      'new@shop.test',
      false,
    ])
    expect((await confirm(token)).body.error.code).toBe('invalid_link')
    expect((await call(`GET ${MANAGE}/session`, { headers: { cookie } })).body.account.email).toBe('new@shop.test')
    expect((await call(`GET ${MANAGE}/session`, { headers: { cookie: otherLogIn.cookie } })).status).toBe(401)
    expect((await call(`GET ${MANAGE}/bots`, { token: tokenResponse.body.token })).status).toBe(401)
    expect((await withSso({ ...mallory, sub: 'ada', email: 'ada@shop.test' })).session.account?.email).not.toBe(
      'new@shop.test',
    )
    const noticeText = 'was changed to new@shop.test'
    const receivers = () => mail.mails.filter((each) => mailText(each).includes(noticeText)).flatMap(({ to }) => to)
    await expect.poll(() => receivers().sort()).toEqual(['ada@shop.test', 'new@shop.test'])
  })

  test('without a mail server an owner changes addresses, except of people of other workspaces', async () => {
    const server = await startServer(engine)
    const { call, setUpToken, clock, database } = server
    const workspaceId = await createWorkspace(call)
    const owner = await joinWorkspace(call, workspaceId, 'owner')
    const member = await joinWorkspace(call, workspaceId, 'agent')
    const { body } = await owner.call(`GET ${MEMBERS}`, { params: { workspaceId } })
    const idOf = (email: string) => body.items.find((one: { email: string }) => one.email === email).id as string
    const [memberId, ownId] = [idOf(member.email), idOf(owner.email)]
    const tokenResponse = await call(`POST ${MEMBERS}/{memberId}/tokens`, {
      token: ADMIN_TOKEN,
      params: { workspaceId, memberId },
      body: { name: 'own' },
    })
    const accountResponse = await member.call(`PATCH ${MANAGE}/account`, { body: { email: 'moved@example.test' } })
    expect([accountResponse.status, accountResponse.body.error.code]).toEqual([409, 'email_proof_required'])

    const change = (email: string, id = memberId, person: Pick<typeof owner, 'call'> = owner) =>
      person.call(`POST ${MEMBERS}/{memberId}/email`, { params: { workspaceId, memberId: id }, body: { email } })
    expect((await change('moved@example.test', memberId, member)).body.error.code).toBe('role_required')
    expect((await change('moved@example.test', ownId)).body.error.code).toBe('role_required')
    expect((await change(owner.email.toUpperCase())).body.error.code).toBe('already_exists')
    clock.now += 5 * 60_000
    expect((await change('moved@example.test')).body.error.code).toBe('reauthentication_required')
    expect((await reauthenticate(owner)).status).toBe(204)
    expect((await change('Moved@Example.test')).status).toBe(204)
    expect((await member.call(`GET ${MANAGE}/session`)).status).toBe(401)
    expect((await call(`GET ${MANAGE}/bots`, { token: tokenResponse.body.token })).status).toBe(401)
    expect((await logIn(call, member.email)).status).toBe(401)
    expect((await logIn(call, 'moved@example.test')).status).toBe(200)
    expect(await queryRows(database, `SELECT actor, target FROM audit_entries WHERE action = 'email.changed'`)).toEqual(
      [expect.objectContaining({ actor: owner.email, target: `${member.email} → moved@example.test` })],
    )

    await joinWorkspace(call, await createWorkspace(call, 'Other'), 'viewer', 'moved@example.test')
    expect((await change('again@example.test')).body.error.code).toBe('role_required')
    const instanceOwner = await setUpOwner({ call, setUpToken })
    expect((await change('again@example.test', memberId, instanceOwner)).status).toBe(204)
    expect((await logIn(call, 'again@example.test')).status).toBe(200)
  })

  test('with a mail server, not even an owner changes an address without its proof', async () => {
    const { call } = await withMail(engine)
    const workspaceId = await createWorkspace(call)
    const owner = await joinWorkspace(call, workspaceId, 'owner')
    await joinWorkspace(call, workspaceId, 'agent')
    const { body } = await owner.call(`GET ${MEMBERS}`, { params: { workspaceId } })
    const { id: memberId } = body.items.find(({ role }: { role: string }) => role === 'agent')
    for (const token of [undefined, ADMIN_TOKEN]) {
      const callAs = token ? openBrowser(call).call : owner.call
      const response = await callAs(`POST ${MEMBERS}/{memberId}/email`, {
        token,
        params: { workspaceId, memberId },
        body: { email: victim.email },
      })
      expect([response.status, response.body.error.code]).toEqual([409, 'email_proof_required'])
    }
  })
})
