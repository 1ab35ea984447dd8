// What a worker knows of an endpoint while it has work for it: what was taken, what is under way, and how many
// deliveries it bears at once. That number grows while it answers well and falls to one when it does not, so that a
// dead endpoint holds few of the places that all share.
import type { TakenDelivery } from '../storage/delivery-queue.ts'

const FIRST_PLACES = 4
const MOST_PLACES = 32
/** An endpoint that answers within this long is given more than it can begin at once. */
const QUICK_MS = 100

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
}

export function newEndpoint(botId: string, webhookId: string, places = FIRST_PLACES): Endpoint {
  return { botId, webhookId, places, underWay: 0, quick: false, taken: [], taking: false, due: false }
}

export function isIdle(endpoint: Endpoint): boolean {
  return endpoint.underWay === 0 && endpoint.taken.length === 0 && !endpoint.taking && !endpoint.due
}

/** How many more to take: what has a place, and for a quick one the next round with it. */
export function roomFor(endpoint: Endpoint): number {
  const wanted = endpoint.quick ? 2 * endpoint.places : endpoint.places
  return wanted - endpoint.underWay - endpoint.taken.length
}

export function learn(endpoint: Endpoint, succeeded: boolean, durationMs: number) {
  endpoint.quick = succeeded && durationMs < QUICK_MS
  endpoint.places = succeeded ? Math.min(endpoint.places + 1, MOST_PLACES) : 1
}
