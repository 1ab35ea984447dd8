// Compiles a large index, or a large change of one, away from the event loop. Where no thread can be had (its files are
// being replaced, perhaps), the event loop has to do it.
import { runInThread } from '../run-in-thread.ts'
import type { Passage } from './entry.ts'
import { buildIndex, changeIndex, type PassageIndex } from './passage-index.ts'
import { loadSnapshot, saveSnapshot } from './snapshot.ts'

export interface BuildOrder {
  /** The snapshot of the index to be changed; absent for a new one. */
  base?: Uint8Array
  remove: string[]
}

export async function buildInThread(
  put: Passage[],
  change?: { index: PassageIndex; remove: string[] },
): Promise<PassageIndex> {
  const remove = change?.remove ?? []
  try {
    return await runThread(put, { remove, ...(change && { base: saveSnapshot(change.index) }) })
  } catch (error) {
    // What is too large for a thread would end the server.
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') throw error
    return change ? changeIndex(change.index, { put, remove }) : buildIndex(put)
  }
}

async function runThread(put: Passage[], order: BuildOrder): Promise<PassageIndex> {
  const { base } = order
  const snapshot = await runInThread<Passage, Uint8Array>(new URL('./build-worker.ts', import.meta.url), {
    items: put,
    workerData: order,
    ...(base && { transferList: [base.buffer as ArrayBuffer] }),
  })
  const index = loadSnapshot(snapshot)
  if (!index) throw new Error('the index thread gave no index')
  return index
}
