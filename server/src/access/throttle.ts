// Limits on attempts. Counted before the attempt, so that concurrent ones get no extra tries.
import { createHash } from 'node:crypto'
import { Fault } from '@docent/contract'
import type { ThrottlesTable } from '../storage/throttles.ts'
import { networkOf, wideNetworkOf } from './rate-limits.ts'

const MINUTE_MS = 60_000

interface Limit {
  name: string
  most: number
  windowMs: number
}

export const limits = {
  logInFrom: (ip: string) => limit('log-in from', networkOf(ip), 50, 15),
  /** Applies to unknown accounts too, like the next two. */
  logInAs: (email: string, ip: string) => limit('log-in as', `${email} ${networkOf(ip)}`, 10, 15),
  /** All unknown devices together. Beyond it attempts are slowed, not refused, or strangers could lock people out. */
  unknownDevices: (email: string) => limit('unknown devices of', email, 50, 60),
  slowedDown: (email: string, ip: string) => limit('slowed down', `${email} ${wideNetworkOf(ip)}`, 3, 15),
  logInOn: (deviceId: string) => limit('log-in on', deviceId, 10, 15),
  /** Counted after a correct password, so that nobody else can use them up. */
  codesOf: (accountId: string) => limit('codes of', accountId, 10, 15),
  /** Passwords and codes re-entered within a session. */
  confirmationsOf: (accountId: string) => limit('confirmations of', accountId, 10, 15),
  /** Each change emails a stranger and reveals whether the address is taken. */
  emailChangesOf: (accountId: string) => limit('email changes of', accountId, 5, 60),
  resetFrom: (ip: string) => limit('reset from', networkOf(ip), 20, 60),
  invitationsOf: (workspaceId: string) => limit('invitations of', workspaceId, 60, 60),
  invitationsTo: (email: string) => limit('invitations to', email, 5, 24 * 60),
  resetOf: (email: string) => limit('reset of', email, 3, 60),
}

function limit(action: string, subject: string, most: number, minutes: number): Limit {
  const hash = createHash('sha256').update(subject).digest('base64url')
  return { name: `${action} ${hash}`, most, windowMs: minutes * MINUTE_MS }
}

function durationText(seconds: number): string {
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

export type Throttle = ReturnType<typeof openThrottle>

export function openThrottle(throttles: ThrottlesTable, clock: () => number) {
  const count = ({ name, most, windowMs }: Limit) => throttles.count(name, most, clock(), windowMs)
  return {
    count,

    async require(...all: Limit[]) {
      for (const each of all) {
        if (await count(each)) continue
        const endsAt = (await throttles.endsAt(each.name)) ?? clock()
        const seconds = Math.max(1, Math.ceil((endsAt - clock()) / 1000))
        const message = `Too many attempts. Try again in ${durationText(seconds)}.`
        throw new Fault('rate_limited', { message, headers: { 'retry-after': String(seconds) } })
      }
    },

    /** Takes a count back: the attempt was not wrong. */
    release: ({ name }: Limit) => throttles.release(name),
    clear: ({ name }: Limit) => throttles.clear(name),
  }
}
