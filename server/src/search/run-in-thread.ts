// Runs work that would block the event loop in a short-lived thread. When no thread can start, perhaps because its
// files are being replaced, the work runs on the event loop.
import { availableParallelism } from 'node:os'
import { setImmediate as yieldToLoop } from 'node:timers/promises'
import { type MessagePort, parentPort, type Transferable, Worker } from 'node:worker_threads'

// Copying items to a thread blocks the event loop, so a long list is sent in parts.
const ITEMS_AT_ONCE = 500
// Each has its own heap, so more have to wait. One core stays with the event loop.
const THREADS_AT_ONCE = availableParallelism() > 2 ? 2 : 1
// By default short-lived objects may take 48 MB.
const resourceLimits = { maxYoungGenerationSizeMb: 4 }

interface Work<Item, Posted, Result> {
  items: readonly Item[]
  /** Called when the thread starts, since the data may be large. */
  options?: () => { workerData: unknown; transferList: Transferable[] }
  /** Turns what the thread posts into the result. */
  receive: (message: Posted) => Result
  /** The same work on the event loop. */
  runDirectly: () => Result
}

let running = 0
const waiting: (() => void)[] = []

/** The thread is posted the items in lists, then null, and posts one message. */
export async function runInThread<Item, Posted, Result>(
  file: URL,
  { items, options, receive, runDirectly }: Work<Item, Posted, Result>,
): Promise<Result> {
  if (running < THREADS_AT_ONCE) running++
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return receive(await postAll<Item, Posted>(new Worker(file, { ...options?.(), resourceLimits }), items))
  } catch (error) {
    // Data too large for a thread would crash the server.
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') throw error
    return runDirectly()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

async function postAll<Item, Posted>(worker: Worker, items: readonly Item[]): Promise<Posted> {
  const message = new Promise<Posted>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`a thread ended with code ${code}`)))
  })
  // It may reject before anything awaits it.
  message.catch(() => {})
  for (let from = 0; from < items.length; from += ITEMS_AT_ONCE) {
    worker.postMessage(items.slice(from, from + ITEMS_AT_ONCE))
    await yieldToLoop()
  }
  worker.postMessage(null)
  return message
}

/** Receives everything that `runInThread` sends to its thread. */
export function receiveItems<Item>(): Promise<{ items: Item[]; port: MessagePort }> {
  return new Promise((resolve, reject) => {
    const port = parentPort
    if (!port) return reject(new Error('this runs only in a thread'))
    const items: Item[] = []
    port.on('message', (some: Item[] | null) => {
      if (some) for (const item of some) items.push(item)
      else resolve({ items, port })
    })
  })
}
