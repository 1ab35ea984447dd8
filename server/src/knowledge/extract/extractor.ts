// Takes pages and files apart in a thread of its own, one after the other: a page made to keep a parser busy ends with the thread,
// and nobody else waits for it. The thread goes when there is nothing to do.
import { Worker } from 'node:worker_threads'
import type { FileText } from '../files/read-file.ts'
import type { ExtractedPage } from './extract-page.ts'
import type { Sitemap } from './read-sitemap.ts'

const MEMORY_MB = 512
const YOUNG_MEMORY_MB = 16

export type ExtractOrder =
  | { kind: 'page'; bytes: Uint8Array; contentType: string }
  | { kind: 'sitemap'; bytes: Uint8Array; limitBytes: number }
  | { kind: 'file'; bytes: Uint8Array; name: string }

export interface Extractor {
  page(bytes: Uint8Array, contentType: string): Promise<ExtractedPage>
  /** Null when it is no sitemap. */
  sitemap(bytes: Uint8Array, limitBytes: number): Promise<Sitemap | null>
  file(bytes: Uint8Array, name: string): Promise<FileText>
  close(): Promise<void>
}

/** The page cannot be read, now or later. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

interface Job {
  order: ExtractOrder
  resolve: (result: never) => void
  reject: (error: Error) => void
}

export function startExtractor({ timeoutMs = 10_000, restAfterMs = 5000 } = {}): Extractor {
  const waiting: Job[] = []
  let current: Job | null = null
  let worker: Worker | null = null
  // How long a thread takes to start says nothing of the page.
  let isReady = false
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function next() {
    if (current) return
    clearTimeout(timer)
    current = waiting.shift() ?? null
    if (!current) {
      timer = setTimeout(() => void endThread(), restAfterMs)
      timer.unref()
      return
    }
    worker ??= startThread()
    worker.postMessage(current.order)
    if (isReady) limitTime()
  }

  function limitTime() {
    timer = setTimeout(() => fail('it takes too long to read'), timeoutMs)
  }

  function startThread(): Worker {
    const thread = new Worker(new URL('./extract-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: YOUNG_MEMORY_MB },
    })
    isReady = false
    thread.on('message', (message: 'ready' | { result?: unknown; error?: string }) => {
      if (thread !== worker || !current) return
      if (message === 'ready') {
        isReady = true
        limitTime()
        return
      }
      const { result, error } = message
      if (error === undefined) current.resolve(result as never)
      else current.reject(new Unreadable(error))
      current = null
      next()
    })
    thread.on('error', (error) => thread === worker && fail(String(error)))
    return thread
  }

  function fail(reason: string) {
    const job = current
    current = null
    clearTimeout(timer)
    void endThread()
    job?.reject(new Unreadable(reason))
    next()
  }

  async function endThread() {
    const thread = worker
    worker = null
    await thread?.terminate()
  }

  function enqueue<T>(order: ExtractOrder): Promise<T> {
    if (closed) return Promise.reject(new Error('the extractor is closed'))
    return new Promise<T>((resolve, reject) => {
      waiting.push({ order, resolve, reject })
      next()
    })
  }

  return {
    page: (bytes, contentType) => enqueue({ kind: 'page', bytes, contentType }),
    sitemap: (bytes, limitBytes) => enqueue({ kind: 'sitemap', bytes, limitBytes }),
    file: (bytes, name) => enqueue({ kind: 'file', bytes, name }),
    async close() {
      closed = true
      clearTimeout(timer)
      for (const { reject } of [...(current ? [current] : []), ...waiting.splice(0)])
        reject(new Error('the extractor is closed'))
      current = null
      await endThread()
    },
  }
}
