// Compiles a large index away from the event loop. The thread lives for one build: such builds are rare.
import { Worker } from 'node:worker_threads'
import type { Passage } from './entry.ts'
import type { PassageIndex } from './passage-index.ts'
import { loadSnapshot } from './snapshot.ts'

export function buildInThread(passages: Passage[]): Promise<PassageIndex> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./build-worker.ts', import.meta.url), { workerData: passages })
    worker.once('message', (snapshot: Uint8Array) => {
      const index = loadSnapshot(snapshot)
      if (index) resolve(index)
      else reject(new Error('the index thread gave no index'))
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the index thread ended with code ${code}`)))
  })
}
