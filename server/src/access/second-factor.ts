// An account's second factor: set up with a secret, enabled by a first code, required at every log-in.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { Fault } from '@docent/contract'
import type { Context } from '../context.ts'
import type { AccountRecord } from '../storage/accounts.ts'
import { ATTEMPT_LIMITS, type Attempts } from './rate-limits.ts'
import { hashSecret } from './secrets.ts'

const SECRET_BYTES = 20

export type SecondFactor = ReturnType<typeof openSecondFactor>

export function openSecondFactor({ storage: { secondFactors }, sealed, clock }: Context, attempts: Attempts) {
  const open = (account: AccountRecord, text: string | null) => {
    const secret = text === null ? null : sealed.open(text, secondFactorBinding(account.id))
    return secret === null ? null : Buffer.from(secret, 'base64url')
  }

  /** Consumes a code: of two log-ins with the same one, at most one succeeds. */
  async function check(account: AccountRecord, code: string): Promise<'code' | 'recovery_code' | null> {
    const secret = open(account, account.secondFactor)
    const step = secret && matchingStep(secret, withoutSpaces(code), clock())
    if (step !== null) return (await secondFactors.useStep(account.id, step)) ? 'code' : null
    return (await secondFactors.useRecoveryCode(account.id, hashRecoveryCode(code))) ? 'recovery_code' : null
  }

  return {
    async begin(account: AccountRecord) {
      if (account.secondFactor)
        throw new Fault('already_exists', { message: 'Two-factor authentication is already on.' })
      const secret = randomBytes(SECRET_BYTES)
      await secondFactors.begin(account.id, sealed.seal(secret.toString('base64url'), secondFactorBinding(account.id)))
      const label = encodeURIComponent(`Docent:${account.email}`)
      const text = base32(secret)
      return { secret: text, uri: `otpauth://totp/${label}?secret=${text}&issuer=Docent` }
    },

    /** Returns the recovery codes, only this once. */
    async confirm(account: AccountRecord, code: string): Promise<string[]> {
      if (account.secondFactor)
        throw new Fault('already_exists', { message: 'Two-factor authentication is already on.' })
      const pending = account.pendingSecondFactor
      const secret = open(account, pending)
      const step = secret && matchingStep(secret, withoutSpaces(code), clock())
      const codes = makeRecoveryCodes()
      const isConfirmed =
        pending !== null &&
        step !== null &&
        (await secondFactors.confirm(account.id, pending, step, codes.map(hashRecoveryCode)))
      if (!isConfirmed) throw wrongCode()
      return codes
    },

    check,

    /** Replaces the recovery codes, for a valid code. */
    async renewCodes(account: AccountRecord, code: string): Promise<string[]> {
      const tries = ATTEMPT_LIMITS.confirmationsOf(account.id)
      await attempts.require(tries)
      const codes = makeRecoveryCodes()
      const isRenewed =
        account.secondFactor !== null &&
        (await check(account, code)) !== null &&
        (await secondFactors.renewCodes(account.id, codes.map(hashRecoveryCode)))
      if (!isRenewed) throw wrongCode()
      await attempts.clear(tries)
      return codes
    },

    end: (accountId: string) => secondFactors.end(accountId, 'keep sessions'),
    /** By an owner; ends all sessions of the account. */
    remove: (accountId: string) => secondFactors.end(accountId, 'end sessions'),
  }
}

function wrongCode(): Fault {
  return new Fault('validation_failed', { details: [{ path: 'code', message: 'This code is incorrect.' }] })
}

/** Apps show "123 456". */
function withoutSpaces(code: string): string {
  return code.replaceAll(/\s/g, '')
}

/** Binding of the sealed secret. */
export function secondFactorBinding(accountId: string): string {
  return `second factor of ${accountId}`
}

const CODES = 10

function makeRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => (base32(randomBytes(10)).toLowerCase().match(/.{4}/g) ?? []).join('-'))
}

/** Ignores case and separators. */
function hashRecoveryCode(code: string): string {
  return hashSecret(code.toLowerCase().replace(/[^a-z2-7]/g, ''))
}

const STEP_MS = 30_000
const DIGITS = 6
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The matching step, current or adjacent to allow for clock skew. Null: no match. */
export function matchingStep(secret: Uint8Array, code: string, now: number): number | null {
  const current = Math.floor(now / STEP_MS)
  const givenCode = Buffer.from(code)
  let match: number | null = null
  for (const step of [current - 1, current, current + 1]) {
    const expectedCode = Buffer.from(totpCode(secret, step))
    if (givenCode.length === expectedCode.length && timingSafeEqual(givenCode, expectedCode)) match = step
  }
  return match
}

export function totpCode(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) as number) & 15
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

export function base32(bytes: Uint8Array): string {
  let text = ''
  let value = 0
  let bits = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32[(value >>> (bits - 5)) & 31]
    value &= 31
  }
  return bits > 0 ? text + BASE32[(value << (5 - bits)) & 31] : text
}
