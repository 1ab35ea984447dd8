// Rate limits. Counted in memory first, so that a flood is refused cheaply; multiple nodes share counts in the database.
import { createHash } from 'node:crypto'
import { Fault } from '@docent/contract'
import ipaddr from 'ipaddr.js'
import type { ThrottlesTable } from '../storage/throttles.ts'

export interface Limit {
  calls: number
  lengthMs: number
}

/** Counts a call under each name; throws `RateLimited` when one has reached its limit. */
export type CountWithin = (counted: readonly { name: string; limit: Limit }[]) => Promise<void>

export class RateLimited extends Fault {
  /** Until then every call under the same name is refused. */
  readonly until: number

  constructor(until: number, now: number) {
    super('rate_limited', { headers: { 'retry-after': String(Math.max(1, Math.ceil((until - now) / 1000))) } })
    this.until = until
  }
}

interface Deps {
  /** Null for a single node, whose memory suffices. */
  throttles: Pick<ThrottlesTable, 'count' | 'endsAt'> | null
  clock: () => number
}

const MAX_REMEMBERED = 100_000

export function makeRateLimits({ throttles, clock }: Deps): CountWithin {
  const windows = new Map<string, { startedAt: number; calls: number; lengthMs: number }>()

  function countHere(name: string, { lengthMs }: Limit, now: number) {
    const known = windows.get(name)
    // A window that starts in the future dates from before the clock was set back.
    if (known && known.startedAt <= now && known.startedAt + lengthMs > now) {
      known.calls++
      return known
    }
    if (windows.size >= MAX_REMEMBERED) forgetOld(now)
    const begun = { startedAt: now, calls: 1, lengthMs }
    windows.set(name, begun)
    return begun
  }

  function forgetOld(now: number) {
    for (const [name, { startedAt, lengthMs }] of windows) if (startedAt + lengthMs <= now) windows.delete(name)
    // All are live: drop the oldest half.
    if (windows.size >= MAX_REMEMBERED) {
      for (const name of [...windows.keys()].slice(0, MAX_REMEMBERED / 2)) windows.delete(name)
    }
  }

  return async (counted) => {
    const now = clock()
    for (const { name, limit } of counted) {
      const { calls, startedAt } = countHere(name, limit, now)
      if (calls > limit.calls) throw new RateLimited(startedAt + limit.lengthMs, now)
    }
    if (!throttles) return
    const together = await Promise.all(
      counted.map(async ({ name, limit: { calls, lengthMs } }) => throttles.count(digest(name), calls, now, lengthMs)),
    )
    const refused = counted[together.indexOf(false)]
    if (!refused) return
    const { calls, lengthMs } = refused.limit
    const until = (await throttles.endsAt(digest(refused.name))) ?? now + lengthMs
    // Remember other nodes' counts, to refuse without asking again.
    windows.set(refused.name, { startedAt: until - lengthMs, calls, lengthMs })
    throw new RateLimited(until, now)
  }
}

/** IP addresses are not stored. */
function digest(name: string): string {
  return createHash('sha256').update(name).digest('base64url')
}

/** A provider's customer gets a whole IPv6 /64. */
export function networkOf(ip: string): string {
  return prefixOf(ip, 4, 8)
}

/** Networks in which one owner can have many addresses: IPv4 /24, IPv6 /48. */
export function wideNetworkOf(ip: string): string {
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
