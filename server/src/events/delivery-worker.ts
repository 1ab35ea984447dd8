// Delivers what waits: woken when something new was written, and by itself when something is due. Each endpoint has
// places of its own, so that one that hangs delays nobody else, and only what has a place is held in memory.
import type { DeliveryQueue, TakenDelivery, Waiting } from '../storage/delivery-queue.ts'
import { type Endpoint, isIdle, learn, newEndpoint, roomFor } from './endpoint.ts'

const MOST_UNDER_WAY = 1000
const LONGEST_SLEEP_MS = 1000
/** Endpoints whose number of places is remembered when they have no work. */
const REMEMBERED = 10_000

interface Deps {
  queue: Pick<DeliveryQueue, 'listWaiting' | 'listWaitingOf' | 'take' | 'giveBack'>
  /** Delivers one and records it. Tells how it went, or null when the endpoint is not there any more. */
  deliver: (endpoint: Endpoint, delivery: TakenDelivery) => Promise<{ succeeded: boolean; durationMs: number } | null>
  /** How long one attempt may take. */
  timeoutMs: number
  name: string
  /** Whether no other process can be at work on the same queue. */
  alone: boolean
  clock: () => number
  onError: (error: unknown) => void
}

export interface DeliveryWorker {
  start(): Promise<void>
  /** Something was written for endpoints of this bot. */
  wake(botId: string): void
  /** Lets what is under way end, for some time, and gives back the rest. */
  stop(graceMs: number): Promise<void>
}

export function deliveryWorker(deps: Deps): DeliveryWorker {
  const { queue, deliver, timeoutMs, name, alone, clock, onError } = deps
  // Longer than an attempt takes, with some waiting before it.
  const takenForMs = 2 * timeoutMs
  const endpoints = new Map<string, Endpoint>()
  const places = new Map<string, number>()
  const woken = new Set<string>()
  let underWay = 0
  let timer: NodeJS.Timeout | undefined
  let running = false
  let ended: (() => void) | undefined

  async function scan() {
    let sleepMs = LONGEST_SLEEP_MS
    try {
      const waiting = await queue.listWaiting()
      const now = clock()
      for (const { dueAt } of waiting) if (dueAt > now) sleepMs = Math.min(sleepMs, dueAt - now)
      attend(waiting)
    } catch (error) {
      onError(error)
    }
    if (running) timer = setTimeout(scan, sleepMs).unref()
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
      let endpoint = endpoints.get(webhookId)
      if (!endpoint) {
        endpoint = newEndpoint(botId, webhookId, places.get(webhookId))
        endpoints.set(webhookId, endpoint)
      }
      endpoint.due = true
      work(endpoint)
    }
  }

  /** Begins what has a place, and takes more when there is room. */
  function work(endpoint: Endpoint) {
    while (running && endpoint.underWay < endpoint.places && underWay < MOST_UNDER_WAY) {
      const next = endpoint.taken.shift()
      if (!next) break
      // What would not end in time is somebody else's by then.
      if (next.until - clock() >= timeoutMs) void run(endpoint, next.delivery)
    }
    if (endpoint.due && !endpoint.taking && roomFor(endpoint) > 0 && underWay < MOST_UNDER_WAY) void take(endpoint)
    if (isIdle(endpoint)) dismiss(endpoint)
  }

  async function take(endpoint: Endpoint) {
    if (!running) return
    endpoint.taking = true
    const room = roomFor(endpoint)
    const now = clock()
    try {
      const until = now + takenForMs
      const taken = await queue.take(endpoint, room, name, now, until)
      endpoint.due = taken.length === room
      for (const delivery of taken) endpoint.taken.push({ delivery, until })
    } catch (error) {
      endpoint.due = false
      onError(error)
    }
    endpoint.taking = false
    work(endpoint)
  }

  async function run(endpoint: Endpoint, delivery: TakenDelivery) {
    const wasFull = ++underWay >= MOST_UNDER_WAY
    endpoint.underWay++
    try {
      const outcome = await deliver(endpoint, delivery)
      if (outcome) learn(endpoint, outcome.succeeded, outcome.durationMs)
      else endpoint.taken.length = 0
    } catch (error) {
      // Not recorded, so it comes back by itself.
      onError(error)
    }
    endpoint.underWay--
    underWay--
    work(endpoint)
    if (wasFull) for (const other of endpoints.values()) work(other)
    if (underWay === 0) ended?.()
  }

  function dismiss({ webhookId, places: number }: Endpoint) {
    endpoints.delete(webhookId)
    if (places.size >= REMEMBERED) places.clear()
    places.set(webhookId, number)
  }

  return {
    wake,
    async start() {
      running = true
      if (alone) await queue.giveBack(clock(), null)
      await scan()
    },
    async stop(graceMs) {
      if (!running) return
      running = false
      clearTimeout(timer)
      if (underWay > 0) {
        await new Promise<void>((resolve) => {
          ended = resolve
          setTimeout(resolve, graceMs).unref()
        })
      }
      await queue.giveBack(clock(), name)
    },
  }
}
