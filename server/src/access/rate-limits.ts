// Rate limits, of two kinds. Calls are counted in memory first, so that a flood is refused cheaply; several nodes share
// their counts in the database. Attempts to log in and the like are counted in the database before they are made, so
// that neither concurrency nor a restart gives extra tries.
import { createHash } from 'node:crypto'
import { Fault } from '@docent/contract'
import ipaddr from 'ipaddr.js'
import type { ThrottlesTable } from '../storage/throttles.ts'

interface Limit {
  name: string
  calls: number
  windowMs: number
}

/** Counts a call under each limit; throws `RateLimited` when one is reached. */
export type CountWithin = (limits: readonly Limit[]) => Promise<void>

export class RateLimited extends Fault {
  /** Until then every call under the same name is refused. */
  readonly until: number

  constructor(until: number, now: number, messageFor?: (seconds: number) => string) {
    const seconds = Math.max(1, Math.ceil((until - now) / 1000))
    super('rate_limited', {
      headers: { 'retry-after': String(seconds) },
      ...(messageFor && { message: messageFor(seconds) }),
    })
    this.until = until
  }
}

const MINUTE_MS = 60_000

export const ATTEMPT_LIMITS = {
  logInFrom: (ip: string) => attemptLimit('log-in from', networkOf(ip), 50, 15),
  /** Applies to unknown accounts too, like the next two. */
  logInAs: (email: string, ip: string) => attemptLimit('log-in as', `${email} ${networkOf(ip)}`, 10, 15),
  /** All unknown devices together. Beyond it attempts are slowed, not refused, or strangers could lock people out. */
  unknownDevices: (email: string) => attemptLimit('unknown devices of', email, 50, 60),
  slowedDown: (email: string, ip: string) => attemptLimit('slowed down', `${email} ${wideNetworkOf(ip)}`, 3, 15),
  logInOn: (deviceId: string) => attemptLimit('log-in on', deviceId, 10, 15),
  /** Counted after a correct password, so that nobody else can use them up. */
  codesOf: (accountId: string) => attemptLimit('codes of', accountId, 10, 15),
  /** Passwords and codes re-entered within a session. */
  confirmationsOf: (accountId: string) => attemptLimit('confirmations of', accountId, 10, 15),
  /** Each change emails a stranger and reveals whether the address is taken. */
  emailChangesOf: (accountId: string) => attemptLimit('email changes of', accountId, 5, 60),
  resetFrom: (ip: string) => attemptLimit('reset from', networkOf(ip), 20, 60),
  resetOf: (email: string) => attemptLimit('reset of', email, 3, 60),
  invitationsOf: (workspaceId: string) => attemptLimit('invitations of', workspaceId, 60, 60),
  invitationsTo: (email: string) => attemptLimit('invitations to', email, 5, 24 * 60),
}

function attemptLimit(action: string, subject: string, calls: number, minutes: number): Limit {
  return { name: `${action} ${digest(subject)}`, calls, windowMs: minutes * MINUTE_MS }
}

interface Deps {
  throttles: ThrottlesTable
  /** Several nodes count together; the memory of a single one suffices. */
  isShared: boolean
  clock: () => number
}

const MAX_REMEMBERED = 100_000

export type RateLimits = ReturnType<typeof openRateLimits>
export type Attempts = RateLimits['attempts']

export function openRateLimits({ throttles, isShared, clock }: Deps) {
  const windows = new Map<string, { startedAt: number; calls: number; windowMs: number }>()

  function countHere({ name, windowMs }: Limit, now: number) {
    const window = windows.get(name)
    // A window that starts in the future dates from before the clock was set back.
    if (window && window.startedAt <= now && window.startedAt + windowMs > now) {
      window.calls++
      return window
    }
    if (windows.size >= MAX_REMEMBERED) forgetOld(now)
    const newWindow = { startedAt: now, calls: 1, windowMs }
    windows.set(name, newWindow)
    return newWindow
  }

  function forgetOld(now: number) {
    for (const [name, { startedAt, windowMs }] of windows) if (startedAt + windowMs <= now) windows.delete(name)
    // All are live: drop the oldest half.
    if (windows.size >= MAX_REMEMBERED) {
      for (const name of [...windows.keys()].slice(0, MAX_REMEMBERED / 2)) windows.delete(name)
    }
  }

  async function countWithin(limits: readonly Limit[]) {
    const now = clock()
    for (const limit of limits) {
      const { calls, startedAt } = countHere(limit, now)
      if (calls > limit.calls) throw new RateLimited(startedAt + limit.windowMs, now)
    }
    if (!isShared) return
    // One after another: what one limit refuses must not count under the next.
    for (const { name, calls, windowMs } of limits) {
      if (await throttles.count(digest(name), calls, now, windowMs)) continue
      const until = (await throttles.endsAt(digest(name))) ?? now + windowMs
      // Remember other nodes' counts, to refuse without asking again.
      windows.set(name, { startedAt: until - windowMs, calls, windowMs })
      throw new RateLimited(until, now)
    }
  }

  const count = ({ name, calls, windowMs }: Limit) => throttles.count(name, calls, clock(), windowMs)

  return {
    countWithin,
    attempts: {
      /** Whether the attempt is within the limit. */
      count,

      async require(...limits: Limit[]) {
        for (const limit of limits) {
          if (await count(limit)) continue
          const until = (await throttles.endsAt(limit.name)) ?? clock()
          throw new RateLimited(until, clock(), tooManyAttempts)
        }
      },

      /** Takes a count back: the attempt was not wrong. */
      release: ({ name }: Limit) => throttles.release(name),
      clear: ({ name }: Limit) => throttles.clear(name),
    },
    /** Removes expired counts. */
    forget: () => throttles.forget(clock()),
  }
}

function tooManyAttempts(seconds: number): string {
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `Too many attempts. Try again in ${count} ${unit}${count === 1 ? '' : 's'}.`
}

/** Neither IP addresses nor emails are stored. */
function digest(name: string): string {
  return createHash('sha256').update(name).digest('base64url')
}

/** A provider's customer gets a whole IPv6 /64. */
export function networkOf(ip: string): string {
  return prefixOf(ip, 4, 8)
}

/** Networks in which one owner can have many addresses: IPv4 /24, IPv6 /48. */
function wideNetworkOf(ip: string): string {
  return prefixOf(ip, 3, 6)
}

function prefixOf(ip: string, ipv4Bytes: number, ipv6Bytes: number): string {
  // A proxy may forward something that is not an address.
  if (!ipaddr.isValid(ip)) return 'nowhere'
  const address = ipaddr.process(ip)
  return address
    .toByteArray()
    .slice(0, address.kind() === 'ipv6' ? ipv6Bytes : ipv4Bytes)
    .join('.')
}
