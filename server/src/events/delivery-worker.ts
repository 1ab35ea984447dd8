// Delivers what waits: woken when something new was written, and by itself when something is due. Each endpoint has
// places of its own, so that one that hangs delays nobody else, and only what has a place is held in memory.
import { CLOCK_SKEW_MS } from '../days.ts'
import { deliveryId, type EventRecord } from '../storage/deliveries.ts'
import type { DeliveryQueue, TakenDelivery, Waiting } from '../storage/delivery-queue.ts'
import type { Outcome } from './deliver.ts'
import { capRest, type Endpoint, isIdle, learn, newEndpoint, roomFor } from './endpoint.ts'
import { longestDelaysMs } from './retry-delay.ts'

const MOST_UNDER_WAY = 1000
const LONGEST_SLEEP_MS = 1000
/** Where looking takes long, because much waits for later, it is done less often. */
const SLEEP_PER_LOOK = 20
const LEASE_MARGIN_MS = 5000
/** Endpoints that are remembered when they have no work. */
const REMEMBERED = 10_000

interface Deps {
  queue: Pick<DeliveryQueue, 'listWaiting' | 'listWaitingOf' | 'take' | 'giveBack' | 'giveBackAll' | 'capWaits'>
  /** Delivers one and sees to its record. Null when the endpoint is not there any more; throws when it has no record. */
  deliver: (endpoint: Endpoint, delivery: TakenDelivery) => Promise<Outcome | null>
  /** Records what was delivered and is not recorded yet. */
  settle: () => Promise<void>
  /** How long one attempt may take. */
  timeoutMs: number
  name: string
  /** Whether no other process can be at work on the same queue. */
  alone: boolean
  clock: () => number
  onError: (error: unknown) => void
}

/** Room at an endpoint for a delivery that is about to be written, as taken by this worker. */
export interface KeptPlace {
  taker: string
  until: number
  /** It was written: from here on the worker has it. */
  begin(event: EventRecord): void
  /** It was not. */
  release(): void
}

export interface DeliveryWorker {
  start(): Promise<void>
  /** Null when the endpoint has no room now: then what is written waits its turn. */
  keepPlace(botId: string, webhookId: string): KeptPlace | null
  /** Something was written for endpoints of this bot. */
  wake(botId: string): void
  /** The endpoint was changed: that it asked to be left alone holds no longer. */
  endRest(webhookId: string): void
  /**
   * Lets what is under way end, for some time, then cuts it off, and gives back what was taken and not delivered. What
   * does not end even then comes back by itself.
   */
  stop(graceMs: number, cutOff: () => Promise<void>): Promise<void>
}

export function deliveryWorker(deps: Deps): DeliveryWorker {
  const { queue, deliver, settle, timeoutMs, name, alone, clock, onError } = deps
  // Longer than an attempt takes, with some waiting before it.
  const takenForMs = 2 * timeoutMs + LEASE_MARGIN_MS
  /** Those with work, now or a moment ago; who began a delivery last stands last. */
  const endpoints = new Map<string, Endpoint>()
  const idle = new Map<string, Endpoint>()
  /** Begun, and cut off by our own end. */
  const leftOver: TakenDelivery[] = []
  const woken = new Set<string>()
  let underWay = 0
  let takes = 0
  let lastLookAt = clock()
  let timer: NodeJS.Timeout | undefined
  let running = false
  let ended: (() => void) | undefined

  async function scan() {
    let sleepMs = LONGEST_SLEEP_MS
    let begun = performance.now()
    try {
      const lookedAt = clock()
      if (lookedAt < lastLookAt - CLOCK_SKEW_MS) await capWaits(lookedAt)
      lastLookAt = lookedAt
      begun = performance.now()
      const waiting = await queue.listWaiting()
      const now = clock()
      for (const { dueAt } of waiting) if (dueAt > now) sleepMs = Math.min(sleepMs, dueAt - now)
      attend(waiting)
    } catch (error) {
      onError(error)
    }
    dismissIdle()
    sleepMs = Math.max(sleepMs, (performance.now() - begun) * SLEEP_PER_LOOK)
    if (running) timer = setTimeout(scan, sleepMs).unref()
  }

  /** The clock was set back: what was to wait for a time of before would wait as much longer. */
  async function capWaits(now: number) {
    await queue.capWaits(now, longestDelaysMs, takenForMs)
    for (const endpoint of [...endpoints.values(), ...idle.values()]) {
      capRest(endpoint, now)
      for (const taken of endpoint.taken) taken.until = Math.min(taken.until, now + takenForMs)
    }
  }

  function wake(botId: string) {
    if (!running) return
    if (woken.size === 0) setImmediate(look)
    woken.add(botId)
  }

  async function look() {
    const botIds = [...woken]
    woken.clear()
    for (const botId of botIds) await queue.listWaitingOf(botId).then(attend, onError)
  }

  function attend(waiting: Waiting[]) {
    const now = clock()
    for (const { botId, webhookId, dueAt } of waiting) {
      if (dueAt > now) continue
      const endpoint = endpointOf(botId, webhookId)
      if (endpoint.restsUntil > now) continue
      idle.delete(webhookId)
      endpoints.set(webhookId, endpoint)
      endpoint.due = true
      work(endpoint)
    }
  }

  function endpointOf(botId: string, webhookId: string): Endpoint {
    return endpoints.get(webhookId) ?? idle.get(webhookId) ?? newEndpoint(botId, webhookId)
  }

  function hasPlace(endpoint: Endpoint): boolean {
    return running && endpoint.underWay < endpoint.places && underWay < MOST_UNDER_WAY
  }

  /** What would not end in time is somebody else's by then. */
  function endsInTime(until: number): boolean {
    return until - clock() >= timeoutMs + LEASE_MARGIN_MS
  }

  /** Begins what has a place, and takes more when there is room. */
  function work(endpoint: Endpoint) {
    while (hasPlace(endpoint)) {
      const next = endpoint.taken.shift()
      if (!next) break
      if (!endsInTime(next.until)) continue
      occupy(endpoint)
      void run(endpoint, next.delivery)
    }
    const isOpen = endpoint.due && !endpoint.taking && roomFor(endpoint) > 0
    if (isOpen && underWay < MOST_UNDER_WAY) void take(endpoint)
  }

  async function take(endpoint: Endpoint) {
    if (!running) return
    takes++
    endpoint.taking = true
    // What comes in from now on is due again.
    endpoint.due = false
    const room = roomFor(endpoint)
    try {
      // Else it would be taken once more when its time is up.
      await settle()
      const now = clock()
      const until = now + takenForMs
      const taken = running ? await queue.take(endpoint, room, name, now, until) : []
      if (taken.length === room) endpoint.due = true
      for (const delivery of taken) endpoint.taken.push({ delivery, until })
    } catch (error) {
      onError(error)
    }
    takes--
    endpoint.taking = false
    work(endpoint)
    tellEnd()
  }

  function keepPlace(botId: string, webhookId: string): KeptPlace | null {
    const endpoint = endpointOf(botId, webhookId)
    if (!hasPlace(endpoint) || endpoint.restsUntil > clock()) return null
    idle.delete(webhookId)
    occupy(endpoint)
    const until = clock() + takenForMs
    return {
      taker: name,
      until,
      begin({ id: eventId, payload }) {
        const id = deliveryId(eventId, webhookId)
        const delivery = { botId, id, eventId, payload, attempts: 0, taker: name }
        // The reply to the caller goes out first.
        setImmediate(() => {
          if (running && endsInTime(until)) return void run(endpoint, delivery)
          if (!running) leftOver.push(delivery)
          leave(endpoint)
        })
      },
      release: () => leave(endpoint),
    }
  }

  function occupy(endpoint: Endpoint) {
    underWay++
    endpoint.underWay++
    // Alone it stands last as it is.
    if (endpoints.size > 1) endpoints.delete(endpoint.webhookId)
    endpoints.set(endpoint.webhookId, endpoint)
  }

  async function run(endpoint: Endpoint, delivery: TakenDelivery) {
    try {
      const outcome = await deliver(endpoint, delivery)
      if (outcome) learn(endpoint, outcome, clock())
      if (!outcome || outcome.restMs > 0) await giveBack(withdraw(endpoint))
    } catch (error) {
      // Not recorded, so it comes back by itself; what our own end cut off is given back.
      if (running) onError(error)
      else leftOver.push(delivery)
    }
    leave(endpoint)
  }

  function leave(endpoint: Endpoint) {
    const wasFull = underWay >= MOST_UNDER_WAY
    endpoint.underWay--
    underWay--
    // Who waited longest for a place goes before who just had one.
    if (wasFull) for (const other of endpoints.values()) if (other !== endpoint) work(other)
    if (endpoint.restsUntil > clock()) endpoint.due = false
    work(endpoint)
    tellEnd()
  }

  function isBusy(): boolean {
    return underWay > 0 || takes > 0
  }

  function tellEnd() {
    if (!isBusy()) ended?.()
  }

  async function giveBack(deliveries: Iterable<TakenDelivery>) {
    for (const delivery of deliveries) await queue.giveBack(delivery, clock()).catch(onError)
  }

  /** What was taken for it and has not begun is no longer its. */
  function withdraw({ taken }: Endpoint): TakenDelivery[] {
    return taken.splice(0).map(({ delivery }) => delivery)
  }

  function dismissIdle() {
    for (const [webhookId, endpoint] of endpoints) {
      if (!isIdle(endpoint)) continue
      endpoints.delete(webhookId)
      if (idle.size >= REMEMBERED) idle.clear()
      idle.set(webhookId, endpoint)
    }
  }

  function untilNothingIsUnderWay(mostMs: number): Promise<void> {
    if (!isBusy()) return Promise.resolve()
    return new Promise((resolve) => {
      ended = resolve
      setTimeout(resolve, mostMs).unref()
    })
  }

  return {
    wake,
    keepPlace,
    endRest(webhookId) {
      const endpoint = endpoints.get(webhookId) ?? idle.get(webhookId)
      if (endpoint) endpoint.restsUntil = 0
    },
    async start() {
      running = true
      if (alone) await queue.giveBackAll(clock())
      await scan()
    },
    async stop(graceMs, cutOff) {
      running = false
      clearTimeout(timer)
      await untilNothingIsUnderWay(graceMs)
      await cutOff()
      await untilNothingIsUnderWay(graceMs)
      await settle()
      await giveBack([...leftOver, ...[...endpoints.values()].flatMap(withdraw)])
    },
  }
}
