// What a worker knows of an endpoint while it has work for it: what was taken, what is under way, and how many
// deliveries it bears at once. That number grows while it answers well and falls when it is slow or fails, so that an
// endpoint that hangs holds few of the places that all share.
import type { TakenDelivery } from '../storage/delivery-queue.ts'

const FIRST_PLACES = 4
const MOST_PLACES = 32
/** An endpoint that answers within this long is given more than it can begin at once. */
const QUICK_MS = 100
const SLOW_MS = 1000
const LONGEST_REST_MS = 3_600_000

export interface Endpoint {
  botId: string
  webhookId: string
  places: number
  underWay: number
  quick: boolean
  taken: { delivery: TakenDelivery; until: number }[]
  /** Being asked for more right now. */
  taking: boolean
  /** Something may be due that was not taken yet. */
  due: boolean
  /** It asked to be left alone until then. */
  restsUntil: number
}

export function newEndpoint(botId: string, webhookId: string): Endpoint {
  const places = FIRST_PLACES
  return { botId, webhookId, places, underWay: 0, quick: false, taken: [], taking: false, due: false, restsUntil: 0 }
}

export function isIdle(endpoint: Endpoint): boolean {
  return endpoint.underWay === 0 && endpoint.taken.length === 0 && !endpoint.taking && !endpoint.due
}

/** The clock was set back. */
export function capRest(endpoint: Endpoint, now: number) {
  endpoint.restsUntil = Math.min(endpoint.restsUntil, now + LONGEST_REST_MS)
}

/** How many more to take: what has a place, and for a quick one the next round with it. */
export function roomFor(endpoint: Endpoint): number {
  const wanted = endpoint.quick ? 2 * endpoint.places : endpoint.places
  return wanted - endpoint.underWay - endpoint.taken.length
}

export function learn(
  endpoint: Endpoint,
  outcome: { succeeded: boolean; durationMs: number; restMs: number },
  now: number,
) {
  const { succeeded, durationMs, restMs } = outcome
  endpoint.quick = succeeded && durationMs < QUICK_MS
  if (!succeeded) endpoint.places = 1
  else if (durationMs < SLOW_MS) endpoint.places = Math.min(endpoint.places + 1, MOST_PLACES)
  else endpoint.places = Math.max(1, endpoint.places - 1)
  endpoint.restsUntil = restMs > 0 ? now + Math.min(restMs, LONGEST_REST_MS) : 0
}
