// Codes of an authenticator app: as the standard has them, each good for one log-in.
import { describe, expect, test } from 'vitest'
import { base32, matchingStep, totpCode } from '../src/access/second-factor/totp.ts'
import { engines } from './harness/databases.ts'
import { appCode, browser, logIn, M, PASSWORD, setUpOwner } from './harness/people.ts'
import { rows } from './harness/rows.ts'
import { startServer, type TestServer } from './harness/start-server.ts'

const TWO_FACTOR = `${M}/account/two-factor`
const STEP_MS = 30_000

async function withSecondFactor(server: TestServer) {
  const owner = await setUpOwner(server)
  const begun = await owner.call(`POST ${TWO_FACTOR}`)
  const code = () => appCode(begun.body.secret, server.clock.now)
  const confirmed = await owner.call(`POST ${TWO_FACTOR}/confirm`, { body: { code: code() } })
  return { owner, code, secret: begun.body.secret as string, codes: confirmed.body.recovery_codes as string[] }
}

describe('codes', () => {
  // RFC 6238, appendix B, for SHA-1: eight digits of the secret "12345678901234567890".
  test.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('at second %i are those of the standard', (second, code) => {
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
  ])('"%s" is written as %s', (text, written) => expect(base32(Buffer.from(text))).toBe(written))

  test('of the step before and after fit, those beyond do not', () => {
    const secret = Buffer.from('12345678901234567890')
    const now = 1_700_000_000_000
    const at = (steps: number) => matchingStep(secret, totpCode(secret, Math.floor(now / STEP_MS) + steps), now)
    expect([-2, -1, 0, 1, 2].map((steps) => at(steps) !== null)).toEqual([false, true, true, true, false])
    for (const wrong of ['', '1', '0000000', 'abcdef']) expect(matchingStep(secret, wrong, now)).toBeNull()
  })
})

describe.each(engines)('a second factor on %s', (engine) => {
  test('is on once a first code was right, and is then asked for', async () => {
    const server = await startServer(engine)
    const owner = await setUpOwner(server)
    const begun = await owner.call(`POST ${TWO_FACTOR}`)
    expect(begun.body.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(begun.body.uri).toBe(
      `otpauth://totp/Docent%3Aowner%40example.test?secret=${begun.body.secret}&issuer=Docent`,
    )
    const wrong = await owner.call(`POST ${TWO_FACTOR}/confirm`, { body: { code: '000000' } })
    expect([wrong.status, wrong.body.error.details[0].path]).toEqual([400, 'code'])
    expect((await logIn(server.call, owner.email)).status).toBe(200)

    const code = appCode(begun.body.secret, server.clock.now)
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`
    const confirmed = await owner.call(`POST ${TWO_FACTOR}/confirm`, { body: { code: spaced } })
    expect(confirmed.status).toBe(200)
    expect(new Set(confirmed.body.recovery_codes).size).toBe(10)
    expect((await owner.call(`GET ${M}/session`)).body.account.two_factor).toBe(true)
    for (const route of [`POST ${TWO_FACTOR}`, `POST ${TWO_FACTOR}/confirm`]) {
      expect([route, (await owner.call(route, { body: { code } })).status]).toEqual([route, 409])
    }

    const without = await logIn(server.call, owner.email)
    expect([without.status, without.body.error.code]).toEqual([401, 'second_factor_required'])
    expect(without.headers['set-cookie']).toBeUndefined()
    // Only to who knows the password.
    expect((await logIn(server.call, owner.email, 'wrong password')).body.error.code).toBe('invalid_login')
    const stored = JSON.stringify(await rows(server.database, 'SELECT * FROM accounts'))
    expect(stored).not.toContain(begun.body.secret)
    expect(stored).not.toContain(confirmed.body.recovery_codes[0])
  })

  test('a code lets in once, not again and not two at the same moment, nor does an older one', async () => {
    const server = await startServer(engine)
    const { owner, code, secret } = await withSecondFactor(server)
    const enter = (given: string) => logIn(server.call, owner.email, PASSWORD, { code: given })
    expect((await enter(code())).body.error.code).toBe('invalid_login')
    server.clock.now += STEP_MS
    const both = await Promise.all([enter(code()), enter(code())])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
    expect((await enter(code())).status).toBe(401)
    expect((await enter(appCode(secret, server.clock.now - STEP_MS))).status).toBe(401)
    server.clock.now += STEP_MS
    expect((await enter(code())).status).toBe(200)
  })

  test('a recovery code lets in once, however it is typed', async () => {
    const server = await startServer(engine)
    const { owner, codes } = await withSecondFactor(server)
    const [first = '', second = ''] = codes
    const enter = (code: string) => logIn(server.call, owner.email, PASSWORD, { code })
    const both = await Promise.all([enter(first), enter(first)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
    expect((await enter(second.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
    expect((await enter(second)).status).toBe(401)
  })

  test('guessing codes is refused after ten tries, and asking without one does not give more', async () => {
    const server = await startServer(engine)
    const { owner, code } = await withSecondFactor(server)
    for (let number = 0; number < 10; number++) {
      expect((await logIn(server.call, owner.email, PASSWORD, { code: '000000' })).status).toBe(401)
      if (number < 9) expect((await logIn(server.call, owner.email)).body.error.code).toBe('second_factor_required')
    }
    server.clock.now += STEP_MS
    expect((await logIn(server.call, owner.email, PASSWORD, { code: code() })).status).toBe(429)
  })

  test('goes off with the password only, and its recovery codes with it', async () => {
    const server = await startServer(engine)
    const { owner, codes } = await withSecondFactor(server)
    const wrong = await owner.call(`DELETE ${TWO_FACTOR}`, { body: { password: 'wrong password' } })
    expect([wrong.status, wrong.body.error.details[0].path]).toEqual([400, 'password'])
    expect((await owner.call(`DELETE ${TWO_FACTOR}`, { body: { password: PASSWORD } })).status).toBe(204)
    expect((await logIn(server.call, owner.email)).status).toBe(200)
    expect(await rows(server.database, 'SELECT * FROM recovery_codes')).toEqual([])
    expect(codes).toHaveLength(10)
  })

  test('an invitation does not get around it', async () => {
    const server = await startServer(engine)
    const { owner, code } = await withSecondFactor(server)
    const workspace = await owner.call(`POST ${M}/workspaces`, { body: { name: 'Other' } })
    const invited = await owner.call(`POST ${M}/workspaces/{workspaceId}/invitations`, {
      params: { workspaceId: workspace.body.id },
      body: { email: owner.email, role: 'viewer' },
    })
    const accept = (more: object) =>
      browser(server.call).call(`POST ${M}/invitations/accept`, {
        body: { token: invited.body.link.split('#')[1], name: 'O', password: PASSWORD, ...more },
      })
    expect((await accept({})).body.error.code).toBe('second_factor_required')
    server.clock.now += STEP_MS
    expect((await accept({ code: code() })).status).toBe(200)
  })
})
