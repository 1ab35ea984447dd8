// Work that takes longer than the event loop may be held, in a thread that lives for this one piece of work.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Transferable, Worker } from 'node:worker_threads'

// Copying what a thread is given takes time of the event loop, so a long list goes in parts.
const ITEMS_AT_ONCE = 500

/** The thread is posted the items in lists, then null, and posts one result. */
export async function runInThread<Item, Result>(
  file: URL,
  { items, ...rest }: { items: readonly Item[]; workerData?: unknown; transferList?: Transferable[] },
): Promise<Result> {
  const worker = new Worker(file, rest)
  const result = new Promise<Result>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`a thread ended with code ${code}`)))
  })
  // It may fail before anybody waits for it.
  result.catch(() => {})
  for (let from = 0; from < items.length; from += ITEMS_AT_ONCE) {
    worker.postMessage(items.slice(from, from + ITEMS_AT_ONCE))
    await nextTurn()
  }
  worker.postMessage(null)
  return result
}
