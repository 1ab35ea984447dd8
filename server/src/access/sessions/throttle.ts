// How often may be tried. Counted before the try, so that many at once get no more than one after another.
import { createHash } from 'node:crypto'
import { Fault } from '@docent/contract'
import type { ThrottlesTable } from '../../storage/throttles.ts'
import { networkOf, wideNetworkOf } from '../network-of.ts'

const MINUTE_MS = 60_000

interface Limit {
  name: string
  most: number
  windowMs: number
}

export const limits = {
  logInFrom: (ip: string): Limit => ({
    name: `log-in from ${hashed(networkOf(ip))}`,
    most: 50,
    windowMs: 15 * MINUTE_MS,
  }),
  /** Whether there is such an account or not, as with the next two. */
  logInAs: (email: string, ip: string): Limit => ({
    name: `log-in as ${hashed(`${email} ${networkOf(ip)}`)}`,
    most: 10,
    windowMs: 15 * MINUTE_MS,
  }),
  /** From all devices that are not known. Who comes later is slowed down and not refused, or strangers could do that. */
  strangersAt: (email: string): Limit => ({
    name: `strangers at ${hashed(email)}`,
    most: 50,
    windowMs: 60 * MINUTE_MS,
  }),
  amongStrangers: (email: string, ip: string): Limit => ({
    name: `among strangers at ${hashed(`${email} ${wideNetworkOf(ip)}`)}`,
    most: 3,
    windowMs: 15 * MINUTE_MS,
  }),
  logInOn: (deviceId: string): Limit => ({
    name: `log-in on ${hashed(deviceId)}`,
    most: 10,
    windowMs: 15 * MINUTE_MS,
  }),
  /** Counted once the password was right, so that nobody else can use them up. */
  codesOf: (accountId: string): Limit => ({
    name: `codes of ${hashed(accountId)}`,
    most: 10,
    windowMs: 15 * MINUTE_MS,
  }),
  /** By who is logged in already. */
  proofOf: (accountId: string): Limit => ({
    name: `proof of ${hashed(accountId)}`,
    most: 10,
    windowMs: 15 * MINUTE_MS,
  }),
  resetFrom: (ip: string): Limit => ({
    name: `reset from ${hashed(networkOf(ip))}`,
    most: 20,
    windowMs: 60 * MINUTE_MS,
  }),
  resetOf: (email: string): Limit => ({ name: `reset of ${hashed(email)}`, most: 3, windowMs: 60 * MINUTE_MS }),
}

export type Throttle = ReturnType<typeof throttle>

export function throttle(throttles: ThrottlesTable, clock: () => number) {
  const count = ({ name, most, windowMs }: Limit) => throttles.count(name, most, clock(), windowMs)
  return {
    count,

    async require(...all: Limit[]) {
      for (const limit of all) {
        if (await count(limit)) continue
        const endsAt = (await throttles.endsAt(limit.name)) ?? clock()
        const seconds = Math.max(1, Math.ceil((endsAt - clock()) / 1000))
        throw new Fault('rate_limited', { headers: { 'retry-after': String(seconds) } })
      }
    },

    /** The try was no wrong one. */
    release: ({ name }: Limit) => throttles.release(name),
    clear: ({ name }: Limit) => throttles.clear(name),
  }
}

function hashed(name: string): string {
  return createHash('sha256').update(name).digest('base64url')
}
