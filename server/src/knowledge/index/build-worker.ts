import { parentPort, workerData } from 'node:worker_threads'
import type { BuildOrder } from './build-in-thread.ts'
import { buildIndex, changeIndex } from './passage-index.ts'
import { loadSnapshot, saveSnapshot } from './snapshot.ts'

const { base, put, remove } = workerData as BuildOrder
const index = base && loadSnapshot(base)
const snapshot = new Uint8Array(saveSnapshot(index ? changeIndex(index, { put, remove }) : buildIndex(put)))
parentPort?.postMessage(snapshot, [snapshot.buffer])
