// Builds or changes large indexes in a thread.
import { runInThread } from '../../thread/run-in-thread.ts'
import type { Passage } from '../passage.ts'
import { buildIndex, changeIndex, type PassageIndex } from '../passage-index.ts'
import { loadSnapshot, saveSnapshot } from '../snapshot.ts'

export interface BuildOrder {
  /** Snapshot of the index to change; absent for a new one. */
  base?: Uint8Array
  remove: string[]
}

export function buildInThread(
  put: Passage[],
  change?: { index: PassageIndex; remove: string[] },
): Promise<PassageIndex> {
  const remove = change?.remove ?? []
  return runInThread(new URL('./build-worker.ts', import.meta.url), {
    items: put,
    options() {
      if (!change) return { workerData: { remove } satisfies BuildOrder, transferList: [] }
      const base = saveSnapshot(change.index)
      return { workerData: { remove, base } satisfies BuildOrder, transferList: [base.buffer as ArrayBuffer] }
    },
    receive: readSnapshot,
    runDirectly: () => (change ? changeIndex(change.index, { put, remove }) : buildIndex(put)),
  })
}

function readSnapshot(snapshot: Uint8Array): PassageIndex {
  const index = loadSnapshot(snapshot)
  if (!index) throw new Error('the index thread returned no index')
  return index
}
