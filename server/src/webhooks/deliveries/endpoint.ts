// A worker's state of an active endpoint: leased and running deliveries, and its number of slots. Slots grow while it
// responds well and shrink when it is slow or fails, so that a hanging endpoint holds few of them.
import type { LeasedDelivery } from '../../storage/delivery-queue.ts'

const FIRST_SLOTS = 4
const MAX_SLOTS = 32
/** Endpoints that respond within this time get a queue beyond their slots. */
const QUICK_MS = 100
const SLOW_MS = 1000
const LONGEST_PAUSE_MS = 3_600_000

export interface Endpoint {
  botId: string
  webhookId: string
  slots: number
  inFlight: number
  quick: boolean
  leased: { delivery: LeasedDelivery; until: number }[]
  isLeasing: boolean
  /** Unleased deliveries may be due. */
  due: boolean
  /** Set by Retry-After. */
  pausedUntil: number
}

export function newEndpoint(botId: string, webhookId: string): Endpoint {
  const slots = FIRST_SLOTS
  return {
    botId,
    webhookId,
    slots,
    inFlight: 0,
    quick: false,
    leased: [],
    isLeasing: false,
    due: false,
    pausedUntil: 0,
  }
}

/** After the clock was set back: no pause may last longer than one that starts now. */
export function capPause(endpoint: Endpoint, now: number) {
  endpoint.pausedUntil = Math.min(endpoint.pausedUntil, now + LONGEST_PAUSE_MS)
}

export function isIdle(endpoint: Endpoint): boolean {
  return endpoint.inFlight === 0 && endpoint.leased.length === 0 && !endpoint.isLeasing && !endpoint.due
}

/** How many more to lease: one per slot, and for a quick endpoint the next round too. */
export function freeSlots(endpoint: Endpoint): number {
  const wanted = endpoint.quick ? 2 * endpoint.slots : endpoint.slots
  return wanted - endpoint.inFlight - endpoint.leased.length
}

export function recordOutcome(
  endpoint: Endpoint,
  outcome: { succeeded: boolean; durationMs: number; pauseMs: number },
  now: number,
) {
  const { succeeded, durationMs, pauseMs } = outcome
  endpoint.quick = succeeded && durationMs < QUICK_MS
  if (!succeeded) endpoint.slots = 1
  else if (durationMs < SLOW_MS) endpoint.slots = Math.min(endpoint.slots + 1, MAX_SLOTS)
  else endpoint.slots = Math.max(1, endpoint.slots - 1)
  endpoint.pausedUntil = pauseMs > 0 ? now + Math.min(pauseMs, LONGEST_PAUSE_MS) : 0
}
