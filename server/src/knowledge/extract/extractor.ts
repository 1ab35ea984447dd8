// Takes pages and files apart in a thread of its own, one after the other and in turn by whom they are for: a page made
// to keep a parser busy or to fill the memory ends with the thread. The thread goes when there is nothing to do.
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { FileText } from '../files/read-file.ts'
import type { ExtractedPage } from './extract-page.ts'
import { fairQueue } from './fair-queue.ts'
import type { Sitemap } from './read-sitemap.ts'

const MEMORY_MB = 512
const YOUNG_MEMORY_MB = 16
// The limits of a thread are for objects only, and what is unpacked is none.
const UNPACKED_BYTES = 400 * 1024 ** 2
const LOOK_MS = 50
const WAITING_BYTES = 200 * 1024 ** 2

export type ExtractOrder =
  | { kind: 'page'; bytes: Uint8Array; contentType: string }
  | { kind: 'sitemap'; bytes: Uint8Array; limitBytes: number }
  | { kind: 'file'; bytes: Uint8Array; name: string }

export interface Extractor {
  /** `fairTo` names whom it is for: each of them has a turn before anybody has the next. */
  page(bytes: Uint8Array, contentType: string, fairTo: string): Promise<ExtractedPage>
  /** Null when it is no sitemap. */
  sitemap(bytes: Uint8Array, limitBytes: number, fairTo: string): Promise<Sitemap | null>
  file(bytes: Uint8Array, name: string, fairTo: string): Promise<FileText>
  close(): Promise<void>
}

/** The page cannot be read, now or later. The message is for people; what went wrong inside, if it did, is the cause. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** Too much is waiting already; later there may be room. */
export class ExtractorFull extends Error {
  override readonly name = 'ExtractorFull'
}

interface Failure {
  message: string
  /** Else it is an error of ours or of a parser, which nobody else should see. */
  isForPeople: boolean
}

interface Job {
  fairTo: string
  sizeBytes: number
  order: ExtractOrder
  resolve: (result: never) => void
  reject: (error: Error) => void
}

export function startExtractor({
  timeoutMs = 10_000,
  restAfterMs = 5000,
  waitingBytes = WAITING_BYTES,
} = {}): Extractor {
  const waiting = fairQueue<Job>(waitingBytes)
  let current: Job | null = null
  let worker: Worker | null = null
  // How long a thread takes to start says nothing of the page.
  let isReady = false
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function next() {
    if (current) return
    clearTimeout(timer)
    current = waiting.take()
    if (!current) {
      timer = setTimeout(() => void endThread(), restAfterMs)
      timer.unref()
      return
    }
    worker ??= startThread()
    worker.postMessage(current.order)
    if (isReady) limit(worker, current)
  }

  function limit(thread: Worker, job: Job) {
    timer = setTimeout(() => fail(`The ${job.order.kind} takes too long to read.`), timeoutMs)
    void limitMemory(thread, job)
  }

  async function limitMemory(thread: Worker, job: Job) {
    const before = await unpackedBytes(thread)
    while (job === current) {
      if ((await unpackedBytes(thread)) - before > UNPACKED_BYTES && job === current)
        fail(`The ${job.order.kind} holds too much once unpacked.`)
      await pause(LOOK_MS, undefined, { ref: false })
    }
  }

  function startThread(): Worker {
    const thread = new Worker(new URL('./extract-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: YOUNG_MEMORY_MB },
    })
    isReady = false
    thread.on('message', (message: 'ready' | { result?: unknown; error?: Failure }) => {
      if (thread !== worker || !current) return
      if (message === 'ready') {
        isReady = true
        limit(thread, current)
        return
      }
      const { result, error } = message
      if (error === undefined) current.resolve(result as never)
      else if (error.isForPeople) current.reject(new Unreadable(error.message))
      else current.reject(new Unreadable(unreadable(current), { cause: error.message }))
      current = null
      next()
    })
    thread.on('error', (error: NodeJS.ErrnoException) => {
      if (thread !== worker || !current) return
      const isTooMuch = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      fail(isTooMuch ? `The ${current.order.kind} takes too much memory to read.` : unreadable(current), error)
    })
    return thread
  }

  function fail(reason: string, cause?: unknown) {
    const job = current
    current = null
    clearTimeout(timer)
    void endThread()
    job?.reject(new Unreadable(reason, cause === undefined ? {} : { cause }))
    next()
  }

  async function endThread() {
    const thread = worker
    worker = null
    await thread?.terminate()
  }

  function enqueue<T>(fairTo: string, order: ExtractOrder): Promise<T> {
    if (closed) return Promise.reject(new Error('the extractor is closed'))
    return new Promise<T>((resolve, reject) => {
      const isTaken = waiting.add({ fairTo, sizeBytes: order.bytes.length, order, resolve, reject })
      if (isTaken) next()
      else reject(new ExtractorFull('too much is waiting to be read'))
    })
  }

  return {
    page: (bytes, contentType, fairTo) => enqueue(fairTo, { kind: 'page', bytes, contentType }),
    sitemap: (bytes, limitBytes, fairTo) => enqueue(fairTo, { kind: 'sitemap', bytes, limitBytes }),
    file: (bytes, name, fairTo) => enqueue(fairTo, { kind: 'file', bytes, name }),
    async close() {
      closed = true
      clearTimeout(timer)
      for (const { reject } of [...(current ? [current] : []), ...waiting.takeAll()])
        reject(new Error('the extractor is closed'))
      current = null
      await endThread()
    },
  }
}

function unreadable({ order }: Job): string {
  return `The ${order.kind} cannot be read; it may be damaged.`
}

/** Of this thread alone, whatever else the process is at. A thread that has ended cannot tell. */
async function unpackedBytes(thread: Worker): Promise<number> {
  try {
    return (await thread.getHeapStatistics()).external_memory
  } catch {
    return 0
  }
}
