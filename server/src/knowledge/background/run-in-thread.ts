// Work that takes longer than the event loop may be held, in a thread that lives for this one piece of work. Where no
// thread can be had (its files are being replaced, perhaps), the event loop has to do it.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Transferable, Worker } from 'node:worker_threads'

// Copying what a thread is given takes time of the event loop, so a long list goes in parts.
const ITEMS_AT_ONCE = 500
// Each has a heap of its own: the others wait.
const THREADS_AT_ONCE = 2
// The default lets objects that live for a moment take 48 MB.
const resourceLimits = { maxYoungGenerationSizeMb: 16 }

interface Work<Item, Posted, Result> {
  items: readonly Item[]
  /** Made when the thread starts: it may be large. */
  options?: () => { workerData: unknown; transferList: Transferable[] }
  /** Makes the result of what the thread posts. */
  receive: (posted: Posted) => Result
  /** The same work on the event loop. */
  inPlace: () => Result
}

let running = 0
const waiting: (() => void)[] = []

/** The thread is posted the items in lists, then null, and posts one message. */
export async function runInThread<Item, Posted, Result>(
  file: URL,
  { items, options, receive, inPlace }: Work<Item, Posted, Result>,
): Promise<Result> {
  if (running < THREADS_AT_ONCE) running++
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return receive(await postAll<Item, Posted>(new Worker(file, { ...options?.(), resourceLimits }), items))
  } catch (error) {
    // What is too large for a thread would end the server.
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') throw error
    return inPlace()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

async function postAll<Item, Posted>(worker: Worker, items: readonly Item[]): Promise<Posted> {
  const posted = new Promise<Posted>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`a thread ended with code ${code}`)))
  })
  // It may fail before anybody waits for it.
  posted.catch(() => {})
  for (let from = 0; from < items.length; from += ITEMS_AT_ONCE) {
    worker.postMessage(items.slice(from, from + ITEMS_AT_ONCE))
    await nextTurn()
  }
  worker.postMessage(null)
  return posted
}
