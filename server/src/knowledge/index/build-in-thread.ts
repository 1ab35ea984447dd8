// Compiles a large index, or a large change of one, away from the event loop.
import { runInThread } from '../run-in-thread.ts'
import type { Passage } from './entry.ts'
import type { PassageIndex } from './passage-index.ts'
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
  const base = change && saveSnapshot(change.index)
  const order: BuildOrder = { remove: change?.remove ?? [], ...(base && { base }) }
  const snapshot = await runInThread<Passage, Uint8Array>(new URL('./build-worker.ts', import.meta.url), {
    items: put,
    workerData: order,
    ...(base && { transferList: [base.buffer as ArrayBuffer] }),
  })
  const index = loadSnapshot(snapshot)
  if (!index) throw new Error('the index thread gave no index')
  return index
}
