// Compiles a large index, or a large change of one, away from the event loop. The thread lives for one build: such
// builds are rare.
import { Worker } from 'node:worker_threads'
import type { Passage } from './entry.ts'
import type { PassageIndex } from './passage-index.ts'
import { loadSnapshot, saveSnapshot } from './snapshot.ts'

export interface BuildOrder {
  /** The snapshot of the index to be changed; absent for a new one. */
  base?: Uint8Array
  put: Passage[]
  remove: string[]
}

export function buildInThread(
  put: Passage[],
  change?: { index: PassageIndex; remove: string[] },
): Promise<PassageIndex> {
  const order: BuildOrder = { put, remove: change?.remove ?? [], ...(change && { base: saveSnapshot(change.index) }) }
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
