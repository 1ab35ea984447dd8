import { parentPort, workerData } from 'node:worker_threads'
import type { Passage } from './entry.ts'
import { buildIndex } from './passage-index.ts'
import { saveSnapshot } from './snapshot.ts'

const snapshot = new Uint8Array(saveSnapshot(buildIndex(workerData as Passage[])))
parentPort?.postMessage(snapshot, [snapshot.buffer])
