// Compiles a large index, or a large change of one, away from the event loop. The thread lives for one build: such
// builds are rare. Where no thread can be had (its files are being replaced, perhaps), the event loop has to do it.
import { Worker } from 'node:worker_threads'
import type { Passage } from './entry.ts'
import { buildIndex, changeIndex, type PassageIndex } from './passage-index.ts'
import { loadSnapshot, saveSnapshot } from './snapshot.ts'

export interface BuildOrder {
  /** The snapshot of the index to be changed; absent for a new one. */
  base?: Uint8Array
  put: Passage[]
  remove: string[]
}

export async function buildInThread(
  put: Passage[],
  change?: { index: PassageIndex; remove: string[] },
): Promise<PassageIndex> {
  const remove = change?.remove ?? []
  try {
    return await runThread({ put, remove, ...(change && { base: saveSnapshot(change.index) }) })
  } catch (error) {
    // What is too large for a thread would end the server.
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') throw error
    return change ? changeIndex(change.index, { put, remove }) : buildIndex(put)
  }
}

function runThread(order: BuildOrder): Promise<PassageIndex> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./build-worker.ts', import.meta.url), { workerData: order })
    worker.once('message', (snapshot: Uint8Array) => {
      const index = loadSnapshot(snapshot)
      if (index) resolve(index)
      else reject(new Error('the index thread gave no index'))
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the index thread ended with code ${code}`)))
  })
}
