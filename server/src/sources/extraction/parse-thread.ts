// A thread that parses one document at a time. A document that takes too much time or memory ends the thread; the
// next gets a new one. Idle threads end.
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { DocumentFormat } from '../../storage/documents.ts'
import type { FileProblem, ParseLimits } from './parse-limits.ts'

const HEAP_MB = 256
const YOUNG_HEAP_MB = 16
const LOOK_MS = 50

export interface ThreadLimits extends ParseLimits {
  /** For one document. */
  timeoutMs: number
}

/** The document cannot be read, now or later. The message is for users; an internal error is the cause. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
  readonly problem: FileProblem

  constructor(message: string, { problem = 'unreadable', cause }: { problem?: FileProblem; cause?: unknown } = {}) {
    super(message, { cause })
    this.problem = problem
  }
}

interface Job {
  /** Called when the thread is free. */
  order: () => Promise<ParseOrder>
  /** Ends the thread afterwards, to free its memory at once. */
  isLarge: boolean
}

interface Running {
  isLarge: boolean
  kind: ParseOrder['kind'] | null
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

export interface ParseThread {
  isBusy(): boolean
  run(job: Job): Promise<unknown>
  /** Running jobs fail with the error. */
  close(error: Error): Promise<void>
}

export function openParseThread(limits: ThreadLimits, idleAfterMs: number): ParseThread {
  let current: Running | null = null
  let worker: Worker | null = null
  let timer: NodeJS.Timeout | undefined

  function limit(thread: Worker, running: Running) {
    const seconds = limits.timeoutMs / 1000
    timer = setTimeout(
      () => fail(`${nameOf(running)} takes longer than ${seconds} seconds to read. Split it into smaller parts.`),
      limits.timeoutMs,
    )
    void limitUnpacked(thread, running)
  }

  /** Resource limits of threads do not cover buffers, where decompressed data is. */
  async function limitUnpacked(thread: Worker, running: Running) {
    const before = await externalBytes(thread)
    while (running === current) {
      if ((await externalBytes(thread)) - before > 2 * limits.maxBytes && running === current)
        fail(`${nameOf(running)} is too large once decompressed.`)
      await pause(LOOK_MS, undefined, { ref: false })
    }
  }

  function send(running: Running, order: ParseOrder) {
    if (running !== current) return
    running.kind = order.kind
    worker ??= start()
    // Files are large and used only here: transfer instead of copying.
    worker.postMessage(order, order.kind === 'file' ? ownBuffer(order.bytes) : [])
  }

  function start(): Worker {
    const thread = new Worker(new URL('./parse-worker.ts', import.meta.url), {
      workerData: { maxDepth: limits.maxDepth, maxBytes: limits.maxBytes } satisfies ParseLimits,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
    })
    thread.on('message', (message: ThreadMessage) => {
      if (thread !== worker || !current) return
      if (message === 'ready') limit(thread, current)
      else if ('error' in message) settle((running) => running.reject(unreadable(running, message.error)))
      else settle(({ resolve }) => resolve(message.result))
    })
    thread.on('error', (error: NodeJS.ErrnoException) => {
      if (thread !== worker || !current) return
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      fail(
        isMemory ? `${nameOf(current)} needs too much memory to read. Split it into smaller parts.` : damaged(current),
        error,
      )
    })
    return thread
  }

  function settle(tell: (running: Running) => void) {
    const running = current
    current = null
    clearTimeout(timer)
    if (running?.isLarge) void end()
    else timer = setTimeout(() => void end(), idleAfterMs).unref()
    if (running) tell(running)
  }

  function fail(reason: string, cause?: Error) {
    void end()
    settle(({ reject }) => reject(new Unreadable(reason, { cause })))
  }

  async function end() {
    const thread = worker
    worker = null
    await thread?.terminate()
  }

  return {
    isBusy: () => current !== null,
    run({ order, isLarge }) {
      return new Promise((resolve, reject) => {
        clearTimeout(timer)
        const running: Running = { isLarge, kind: null, resolve, reject }
        current = running
        // Also when no thread can start.
        order()
          .then((result) => send(running, result))
          .catch((error) => running === current && settle(() => reject(error)))
      })
    },
    async close(error) {
      const closing = end()
      settle(({ reject }) => reject(error))
      clearTimeout(timer)
      await closing
    },
  }
}

function nameOf({ kind }: Running): string {
  return `This ${kind ?? 'file'}`
}

function damaged(running: Running): string {
  return `${nameOf(running)} cannot be read. It may be damaged.`
}

function unreadable(running: Running, { message, problem }: ThreadFailure): Unreadable {
  return problem ? new Unreadable(message, { problem }) : new Unreadable(damaged(running), { cause: message })
}

function ownBuffer({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []
}

/** Memory of this thread alone. An ended thread cannot report it. */
async function externalBytes(thread: Worker): Promise<number> {
  try {
    return (await thread.getHeapStatistics()).external_memory
  } catch {
    return 0
  }
}

/** A job for a parser thread. */
export type ParseOrder =
  | { kind: 'page'; bytes: Uint8Array; contentType: string }
  | { kind: 'sitemap'; bytes: Uint8Array; limitBytes: number }
  | { kind: 'file'; bytes: Uint8Array; name: string }
  | { kind: 'website'; bytes: Uint8Array; contentType: string }
  | { kind: 'stylesheet'; declared: readonly string[]; styles: string }
  | { kind: 'document'; format: DocumentFormat; content: string; title: string; language: string }

interface ThreadFailure {
  message: string
  /** Missing for internal errors, whose message users must not see. */
  problem?: FileProblem
}

export type ThreadMessage = 'ready' | { result: unknown } | { error: ThreadFailure }
