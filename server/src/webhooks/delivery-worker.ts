// Delivers queued events, woken by new ones and by a timer when retries are due. Each endpoint has its own slots, so
// that a hanging one does not delay others, and only deliveries with a slot are held in memory.
import { CLOCK_SKEW_MS } from '../days.ts'
import type { DeliveryQueue, LeasedDelivery, WaitingEndpoint } from '../storage/delivery-queue.ts'
import { LONGEST_DELAYS_MS, type Outcome } from './deliver.ts'

const MAX_UNDER_WAY = 1000
const LONGEST_SLEEP_MS = 1000
/** Scan less often when a scan takes long. */
const SLEEP_PER_SCAN = 20
const LEASE_MARGIN_MS = 5000
/** Idle endpoints whose slots are remembered. */
const MAX_IDLE_ENDPOINTS = 10_000

interface Deps {
  queue: Pick<DeliveryQueue, 'listWaiting' | 'listWaitingOf' | 'lease' | 'release' | 'releaseAll' | 'capWaits'>
  /** Delivers one and records the outcome. Null if the endpoint is gone; throws if nothing was recorded. */
  deliver: (endpoint: Endpoint, delivery: LeasedDelivery) => Promise<Outcome | null>
  /** Records completed deliveries that are not recorded yet. */
  settle: () => Promise<void>
  /** Longest duration of one attempt. */
  timeoutMs: number
  name: string
  /** Whether this is the only process working on the queue. */
  alone: boolean
  clock: () => number
  onError: (error: unknown) => void
}

interface DeliveryWorker {
  start(): Promise<void>
  /** Call when something was queued for endpoints of this bot. */
  wake(botId: string): void
  /** Call when the endpoint was changed: its requested pause no longer applies. */
  endPause(webhookId: string): void
  /**
   * Waits for deliveries in progress, then aborts the rest and releases what was not delivered. Anything still
   * unfinished is due again when its lease expires.
   */
  stop(graceMs: number, cutOff: () => Promise<void>): Promise<void>
}

export function openDeliveryWorker(deps: Deps): DeliveryWorker {
  const { queue, deliver, settle, timeoutMs, name, alone, clock, onError } = deps
  // Longer than an attempt, plus some waiting time before it.
  const leaseMs = 2 * timeoutMs + LEASE_MARGIN_MS
  /** Endpoints with current or recent work, least recently served first. */
  const endpoints = new Map<string, Endpoint>()
  const idle = new Map<string, Endpoint>()
  /** Aborted by our own shutdown. */
  const unfinishedDeliveries: LeasedDelivery[] = []
  const wokenBots = new Set<string>()
  let underWay = 0
  let leasing = 0
  let lastScanAt = clock()
  let timer: NodeJS.Timeout | undefined
  let running = false
  let onIdle: (() => void) | undefined

  async function scan() {
    let sleepMs = LONGEST_SLEEP_MS
    let scanStart = performance.now()
    try {
      const scanAt = clock()
      if (scanAt < lastScanAt - CLOCK_SKEW_MS) await capWaits(scanAt)
      lastScanAt = scanAt
      scanStart = performance.now()
      const waiting = await queue.listWaiting()
      const now = clock()
      for (const { dueAt } of waiting) if (dueAt > now) sleepMs = Math.min(sleepMs, dueAt - now)
      serve(waiting)
    } catch (error) {
      onError(error)
    }
    dismissIdle()
    sleepMs = Math.max(sleepMs, (performance.now() - scanStart) * SLEEP_PER_SCAN)
    if (running) timer = setTimeout(scan, sleepMs).unref()
  }

  /** After the clock was set back, due times computed before would be too far in the future. */
  async function capWaits(now: number) {
    await queue.capWaits(now, LONGEST_DELAYS_MS, leaseMs)
    for (const endpoint of [...endpoints.values(), ...idle.values()]) {
      capPause(endpoint, now)
      for (const leasedItem of endpoint.leased) leasedItem.until = Math.min(leasedItem.until, now + leaseMs)
    }
  }

  function wake(botId: string) {
    if (!running) return
    if (wokenBots.size === 0) setImmediate(scanWoken)
    wokenBots.add(botId)
  }

  async function scanWoken() {
    const botIds = [...wokenBots]
    wokenBots.clear()
    for (const botId of botIds) await queue.listWaitingOf(botId).then(serve, onError)
  }

  function serve(waiting: WaitingEndpoint[]) {
    const now = clock()
    for (const { botId, webhookId, dueAt } of waiting) {
      if (dueAt > now) continue
      const endpoint = endpointOf(botId, webhookId)
      if (endpoint.pausedUntil > now) continue
      idle.delete(webhookId)
      endpoints.set(webhookId, endpoint)
      endpoint.due = true
      work(endpoint)
    }
  }

  function endpointOf(botId: string, webhookId: string): Endpoint {
    return endpoints.get(webhookId) ?? idle.get(webhookId) ?? newEndpoint(botId, webhookId)
  }

  function hasSlot(endpoint: Endpoint): boolean {
    return running && endpoint.inFlight < endpoint.slots && underWay < MAX_UNDER_WAY
  }

  /** Otherwise another worker may have leased it by then. */
  function endsInTime(until: number): boolean {
    return until - clock() >= timeoutMs + LEASE_MARGIN_MS
  }

  /** Starts leased deliveries that have a slot, and leases more if slots remain. */
  function work(endpoint: Endpoint) {
    while (hasSlot(endpoint)) {
      const next = endpoint.leased.shift()
      if (!next) break
      if (!endsInTime(next.until)) continue
      takeSlot(endpoint)
      void run(endpoint, next.delivery)
    }
    const isOpen = endpoint.due && !endpoint.isLeasing && freeSlots(endpoint) > 0
    if (isOpen && underWay < MAX_UNDER_WAY) void lease(endpoint)
  }

  async function lease(endpoint: Endpoint) {
    if (!running) return
    leasing++
    endpoint.isLeasing = true
    // New deliveries set this again.
    endpoint.due = false
    const most = freeSlots(endpoint)
    try {
      // Delivered but unrecorded events would be leased again.
      await settle()
      const now = clock()
      const until = now + leaseMs
      const leasedDeliveries = running ? await queue.lease(endpoint, most, name, now, until) : []
      if (leasedDeliveries.length === most) endpoint.due = true
      for (const delivery of leasedDeliveries) endpoint.leased.push({ delivery, until })
    } catch (error) {
      onError(error)
    }
    leasing--
    endpoint.isLeasing = false
    work(endpoint)
    notifyEnd()
  }

  function takeSlot(endpoint: Endpoint) {
    underWay++
    endpoint.inFlight++
    // The order does not matter for a single endpoint.
    if (endpoints.size > 1) endpoints.delete(endpoint.webhookId)
    endpoints.set(endpoint.webhookId, endpoint)
  }

  async function run(endpoint: Endpoint, delivery: LeasedDelivery) {
    try {
      const outcome = await deliver(endpoint, delivery)
      if (outcome) recordOutcome(endpoint, outcome, clock())
      if (!outcome || outcome.pauseMs > 0) await release(withdraw(endpoint))
    } catch (error) {
      // Unrecorded deliveries are due again when the lease expires; those aborted by shutdown are released at once.
      if (running) onError(error)
      else unfinishedDeliveries.push(delivery)
    }
    freeSlot(endpoint)
  }

  function freeSlot(endpoint: Endpoint) {
    const wasFull = underWay >= MAX_UNDER_WAY
    endpoint.inFlight--
    underWay--
    // Serve the longest-waiting endpoint first.
    if (wasFull) for (const other of endpoints.values()) if (other !== endpoint) work(other)
    if (endpoint.pausedUntil > clock()) endpoint.due = false
    work(endpoint)
    notifyEnd()
  }

  function isBusy(): boolean {
    return underWay > 0 || leasing > 0
  }

  function notifyEnd() {
    if (!isBusy()) onIdle?.()
  }

  async function release(deliveries: Iterable<LeasedDelivery>) {
    for (const delivery of deliveries) await queue.release(delivery, clock()).catch(onError)
  }

  /** Removes and returns leased deliveries that have not started. */
  function withdraw({ leased }: Endpoint): LeasedDelivery[] {
    return leased.splice(0).map(({ delivery }) => delivery)
  }

  function dismissIdle() {
    for (const [webhookId, endpoint] of endpoints) {
      if (!isIdle(endpoint)) continue
      endpoints.delete(webhookId)
      if (idle.size >= MAX_IDLE_ENDPOINTS) idle.clear()
      idle.set(webhookId, endpoint)
    }
  }

  function waitUntilIdle(maxMs: number): Promise<void> {
    if (!isBusy()) return Promise.resolve()
    return new Promise((resolve) => {
      onIdle = resolve
      setTimeout(resolve, maxMs).unref()
    })
  }

  return {
    wake,
    endPause(webhookId) {
      const endpoint = endpoints.get(webhookId) ?? idle.get(webhookId)
      if (endpoint) endpoint.pausedUntil = 0
    },
    async start() {
      running = true
      if (alone) await queue.releaseAll(clock())
      await scan()
    },
    async stop(graceMs, cutOff) {
      running = false
      clearTimeout(timer)
      await waitUntilIdle(graceMs)
      await cutOff()
      await waitUntilIdle(graceMs)
      await settle()
      await release([...unfinishedDeliveries, ...[...endpoints.values()].flatMap(withdraw)])
    },
  }
}

// A worker's state of an active endpoint: leased and running deliveries, and its number of slots. Slots grow while it
// responds well and shrink when it is slow or fails, so that a hanging endpoint holds few of them.

const FIRST_SLOTS = 4
const MAX_SLOTS = 32
/** Endpoints that respond within this time get a queue beyond their slots. */
const QUICK_MS = 100
const SLOW_MS = 1000
const LONGEST_PAUSE_MS = 3_600_000

interface Endpoint {
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

function newEndpoint(botId: string, webhookId: string): Endpoint {
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
function capPause(endpoint: Endpoint, now: number) {
  endpoint.pausedUntil = Math.min(endpoint.pausedUntil, now + LONGEST_PAUSE_MS)
}

function isIdle(endpoint: Endpoint): boolean {
  return endpoint.inFlight === 0 && endpoint.leased.length === 0 && !endpoint.isLeasing && !endpoint.due
}

/** How many more to lease: one per slot, and for a quick endpoint the next round too. */
function freeSlots(endpoint: Endpoint): number {
  const wantedSlots = endpoint.quick ? 2 * endpoint.slots : endpoint.slots
  return wantedSlots - endpoint.inFlight - endpoint.leased.length
}

function recordOutcome(
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

// Wakes the workers of other nodes, batching bots over some milliseconds so that a busy node does not signal for every
// message.

const GATHER_MS = 10

/** To be called when events of a bot were written, so that they are sent at once. */
export type OnEvents = (botId: string) => void

export function makeWakeWorkers(signal: (text: string) => Promise<void>, onError: (error: unknown) => void): OnEvents {
  const botIds = new Set<string>()
  return (botId) => {
    if (botIds.size === 0)
      setTimeout(() => {
        for (const one of botIds) signal(one).catch(onError)
        botIds.clear()
      }, GATHER_MS).unref()
    botIds.add(botId)
  }
}
