import { workerData } from 'node:worker_threads'
import { receiveItems } from '../run-in-thread.ts'
import type { IndexedPassage } from './passage.ts'
import { buildIndex, changeIndex } from './passage-index.ts'
import type { BuildOrder } from './passage-indexes.ts'
import { loadSnapshot, saveSnapshot } from './snapshot.ts'

const { base, remove } = workerData as BuildOrder
const { items: passages, port } = await receiveItems<IndexedPassage>()
const index = base && loadSnapshot(base)
const snapshot = new Uint8Array(
  saveSnapshot(index ? changeIndex(index, { put: passages, remove }) : buildIndex(passages)),
)
port.postMessage(snapshot, [snapshot.buffer])
port.close()
