// Authenticator codes: standard TOTP, each valid for one login.
import { describe, expect, test } from 'vitest'
import { base32, matchingStep, totpCode } from '../../src/access/second-factor.ts'
import type { Call } from '../harness/call.ts'
import { engines } from '../harness/database/databases.ts'
import { queryRows } from '../harness/database/rows.ts'
import {
  authenticatorCode,
  createWorkspace,
  joinWorkspace,
  logIn,
  MANAGE,
  openBrowser,
  PASSWORD,
  reauthenticate,
  setUpOwner,
} from '../harness/people.ts'
import { ADMIN_TOKEN, startServer, type TestServer } from '../harness/start-server.ts'

const TWO_FACTOR = `${MANAGE}/account/two-factor`
const MEMBER = `${MANAGE}/workspaces/{workspaceId}/members/{memberId}`
const STEP_MS = 30_000

async function withSecondFactor(server: TestServer) {
  const owner = await setUpOwner(server)
  const enrolment = await owner.call(`POST ${TWO_FACTOR}`)
  const code = () => authenticatorCode(enrolment.body.secret, server.clock.now)
  const confirmation = await owner.call(`POST ${TWO_FACTOR}/confirm`, { body: { code: code() } })
  return { owner, code, secret: enrolment.body.secret as string, codes: confirmation.body.recovery_codes as string[] }
}

describe('codes', () => {
  // RFC 6238, appendix B: eight-digit SHA-1 codes of the secret "12345678901234567890".
  test.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('at second %i match the standard', (second, code) => {
    expect(totpCode(Buffer.from('12345678901234567890'), Math.floor(second / 30), 8)).toBe(code)
  })

  // RFC 4648, section 10.
  test.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('"%s" is written as %s', (text, encoding) => expect(base32(Buffer.from(text))).toBe(encoding))

  test('of the previous and next step are accepted, others are not', () => {
    const secret = Buffer.from('12345678901234567890')
    const now = 1_700_000_000_000
    const at = (steps: number) => matchingStep(secret, totpCode(secret, Math.floor(now / STEP_MS) + steps), now)
    expect([-2, -1, 0, 1, 2].map((steps) => at(steps) !== null)).toEqual([false, true, true, true, false])
    for (const wrong of ['', '1', '0000000', 'abcdef']) expect(matchingStep(secret, wrong, now)).toBeNull()
  })
})

describe.each(engines)('a second factor on %s', (engine) => {
  test('is turned on by a first correct code, and then required', async () => {
    const server = await startServer(engine)
    const owner = await setUpOwner(server)
    const enrolment = await owner.call(`POST ${TWO_FACTOR}`)
    expect(enrolment.body.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(enrolment.body.uri).toBe(
      `otpauth://totp/Docent%3Aowner%40example.test?secret=${enrolment.body.secret}&issuer=Docent`,
    )
    const wrong = await owner.call(`POST ${TWO_FACTOR}/confirm`, { body: { code: '000000' } })
    expect([wrong.status, wrong.body.error.details[0].path]).toEqual([400, 'code'])
    expect((await logIn(server.call, owner.email)).status).toBe(200)

    const code = authenticatorCode(enrolment.body.secret, server.clock.now)
    const spacedCode = `${code.slice(0, 3)} ${code.slice(3)}`
    const confirmation = await owner.call(`POST ${TWO_FACTOR}/confirm`, { body: { code: spacedCode } })
    expect(confirmation.status).toBe(200)
    expect(new Set(confirmation.body.recovery_codes).size).toBe(10)
    expect((await owner.call(`GET ${MANAGE}/session`)).body.account.two_factor).toBe(true)
    for (const route of [`POST ${TWO_FACTOR}`, `POST ${TWO_FACTOR}/confirm`]) {
      expect([route, (await owner.call(route, { body: { code } })).status]).toEqual([route, 409])
    }

    const responseWithoutCode = await logIn(server.call, owner.email)
    expect([responseWithoutCode.status, responseWithoutCode.body.error.code]).toEqual([401, 'second_factor_required'])
    expect(responseWithoutCode.headers['set-cookie']).toBeUndefined()
    // Whether a code is needed is revealed only with the right password.
    expect((await logIn(server.call, owner.email, 'wrong password')).body.error.code).toBe('invalid_login')
    const accountRows = JSON.stringify(await queryRows(server.database, 'SELECT * FROM accounts'))
    expect(accountRows).not.toContain(enrolment.body.secret)
    expect(accountRows).not.toContain(confirmation.body.recovery_codes[0])
  })

  test('a code works once, even in parallel logins, and an older code does not work afterwards', async () => {
    const server = await startServer(engine)
    const { owner, code, secret } = await withSecondFactor(server)
    const enter = (text: string) => logIn(server.call, owner.email, PASSWORD, { code: text })
    expect((await enter(code())).body.error.code).toBe('invalid_login')
    server.clock.now += STEP_MS
    const responses = await Promise.all([enter(code()), enter(code())])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401])
    expect((await enter(code())).status).toBe(401)
    expect((await enter(authenticatorCode(secret, server.clock.now - STEP_MS))).status).toBe(401)
    server.clock.now += STEP_MS
    expect((await enter(code())).status).toBe(200)
  })

  test('a recovery code works once, however it is typed', async () => {
    const server = await startServer(engine)
    const { owner, codes } = await withSecondFactor(server)
    const [first = '', second = ''] = codes
    const enter = (code: string) => logIn(server.call, owner.email, PASSWORD, { code })
    const responses = await Promise.all([enter(first), enter(first)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401])
    expect((await enter(second.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
    expect((await enter(second)).status).toBe(401)
  })

  test('guessing codes is blocked after ten tries, and requests without a code do not add any', async () => {
    const server = await startServer(engine)
    const { owner, code } = await withSecondFactor(server)
    for (let number = 0; number < 10; number++) {
      expect((await logIn(server.call, owner.email, PASSWORD, { code: '000000' })).status).toBe(401)
      if (number < 9) expect((await logIn(server.call, owner.email)).body.error.code).toBe('second_factor_required')
    }
    server.clock.now += STEP_MS
    expect((await logIn(server.call, owner.email, PASSWORD, { code: code() })).status).toBe(429)
  })

  test('can be turned off only with the password, along with its recovery codes', async () => {
    const server = await startServer(engine)
    const { owner, codes } = await withSecondFactor(server)
    const wrong = await owner.call(`DELETE ${TWO_FACTOR}`, { body: { password: 'wrong password' } })
    expect([wrong.status, wrong.body.error.details[0].path]).toEqual([400, 'password'])
    expect((await owner.call(`DELETE ${TWO_FACTOR}`, { body: { password: PASSWORD } })).status).toBe(204)
    expect((await logIn(server.call, owner.email)).status).toBe(200)
    expect(await queryRows(server.database, 'SELECT * FROM recovery_codes')).toEqual([])
    expect(codes).toHaveLength(10)
  })

  test('new recovery codes need a code, and invalidate the old ones', async () => {
    const server = await startServer(engine)
    const { owner, code, codes } = await withSecondFactor(server)
    const renew = (text: string) => owner.call(`POST ${TWO_FACTOR}/recovery-codes`, { body: { code: text } })
    const enter = (text: string) => logIn(server.call, owner.email, PASSWORD, { code: text })
    const wrong = await renew('000000')
    expect([wrong.status, wrong.body.error.details[0].path]).toEqual([400, 'code'])
    server.clock.now += STEP_MS
    const renewal = await renew(code())
    expect(renewal.status).toBe(200)
    const fresh: string[] = renewal.body.recovery_codes
    expect(new Set([...fresh, ...codes]).size).toBe(20)
    expect((await enter(codes[0] ?? '')).status).toBe(401)
    expect((await enter(fresh[0] ?? '')).status).toBe(200)
    // A recovery code works too; the app's code was already used.
    expect((await renew(code())).status).toBe(400)
    expect((await renew(fresh[1] ?? '')).status).toBe(200)
    expect((await enter(fresh[2] ?? '')).status).toBe(401)
  })

  test('new recovery codes cannot be obtained by guessing or without a second factor', async () => {
    const server = await startServer(engine)
    const { owner, code } = await withSecondFactor(server)
    const renew = (text: string) => owner.call(`POST ${TWO_FACTOR}/recovery-codes`, { body: { code: text } })
    for (let number = 0; number < 10; number++) expect((await renew('000000')).status).toBe(400)
    server.clock.now += STEP_MS
    expect((await renew(code())).status).toBe(429)
    server.clock.now += 15 * 60_000
    expect((await reauthenticate(owner, { code: code() })).status).toBe(204)
    expect((await owner.call(`DELETE ${TWO_FACTOR}`, { body: { password: PASSWORD } })).status).toBe(204)
    expect((await renew(code())).status).toBe(400)
    expect(await queryRows(server.database, 'SELECT * FROM recovery_codes')).toEqual([])
  })

  test('an owner can turn it off for a member who has lost it, which ends the member’s sessions', async () => {
    const server = await startServer(engine)
    const workspaceId = await createWorkspace(server.call)
    const owner = await joinWorkspace(server.call, workspaceId, 'owner')
    const member = await joinWorkspace(server.call, workspaceId, 'agent')
    const enrolment = await member.call(`POST ${TWO_FACTOR}`)
    const code = authenticatorCode(enrolment.body.secret, server.clock.now)
    await member.call(`POST ${TWO_FACTOR}/confirm`, { body: { code } })
    const members = async (as = owner) => {
      const { body } = await as.call(`GET ${MANAGE}/workspaces/{workspaceId}/members`, { params: { workspaceId } })
      return Object.fromEntries(body.items.map((each: { email: string }) => [each.email, each]))
    }
    expect((await members())[member.email]).toMatchObject({ two_factor: true })
    expect((await members(member))[member.email]).not.toHaveProperty('two_factor')

    const memberId = (await members())[member.email].id
    const turnOff = (id: string) => owner.call(`DELETE ${MEMBER}/two-factor`, { params: { workspaceId, memberId: id } })
    const response = await turnOff((await members())[owner.email].id)
    expect([response.status, response.body.error.code]).toEqual([403, 'role_required'])
    expect((await turnOff(memberId)).status).toBe(204)
    expect((await members())[member.email]).toMatchObject({ two_factor: false })
    expect((await member.call(`GET ${MANAGE}/session`)).status).toBe(401)
    expect((await logIn(server.call, member.email)).status).toBe(200)
    const audit = await owner.call(`GET ${MANAGE}/workspaces/{workspaceId}/audit`, { params: { workspaceId } })
    expect(audit.body.items).toContainEqual(
      expect.objectContaining({ action: 'two_factor.disabled', actor: owner.email, target: member.email }),
    )
  })

  test('of a member of other workspaces or of the instance owner can be turned off only by the instance owner', async () => {
    const server = await startServer(engine)
    const instanceOwner = await setUpOwner(server)
    const [firstWorkspaceId, secondWorkspaceId] = [
      await createWorkspace(server.call),
      await createWorkspace(server.call, 'There'),
    ]
    const owner = await joinWorkspace(server.call, firstWorkspaceId, 'owner')
    const member = await joinWorkspace(server.call, firstWorkspaceId, 'agent')
    await joinWorkspace(server.call, secondWorkspaceId, 'viewer', member.email)
    await joinWorkspace(server.call, firstWorkspaceId, 'viewer', instanceOwner.email)
    const { body } = await owner.call(`GET ${MANAGE}/workspaces/{workspaceId}/members`, {
      params: { workspaceId: firstWorkspaceId },
    })
    const idOf = (email: string) => body.items.find((each: { email: string }) => each.email === email).id as string
    const turnOff = (callAs: Call, email: string, token?: string) =>
      callAs(`DELETE ${MEMBER}/two-factor`, { token, params: { workspaceId: firstWorkspaceId, memberId: idOf(email) } })
    for (const { email } of [member, instanceOwner]) {
      expect([email, (await turnOff(owner.call, email)).status]).toEqual([email, 403])
    }
    // Not their own: an open session does not prove the password.
    expect((await turnOff(instanceOwner.call, instanceOwner.email)).status).toBe(403)
    expect((await turnOff(instanceOwner.call, member.email)).status).toBe(204)
    expect((await turnOff(server.call, instanceOwner.email, ADMIN_TOKEN)).status).toBe(204)
  })

  test('cannot be bypassed by an invitation', async () => {
    const server = await startServer(engine)
    const { owner, code } = await withSecondFactor(server)
    const workspace = await owner.call(`POST ${MANAGE}/workspaces`, { body: { name: 'Other' } })
    const invitation = await owner.call(`POST ${MANAGE}/workspaces/{workspaceId}/invitations`, {
      params: { workspaceId: workspace.body.id },
      body: { email: owner.email, role: 'viewer' },
    })
    const accept = (more: object) =>
      openBrowser(server.call).call(`POST ${MANAGE}/invitations/accept`, {
        body: { token: invitation.body.link.split('#')[1], name: 'O', password: PASSWORD, ...more },
      })
    expect((await accept({})).body.error.code).toBe('second_factor_required')
    server.clock.now += STEP_MS
    expect((await accept({ code: code() })).status).toBe(200)
  })
})
