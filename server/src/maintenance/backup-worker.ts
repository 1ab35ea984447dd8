// Makes one backup in a thread: reading and packing a database would block the event loop for seconds.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { backUp, deleteOlderBackups } from './backups.ts'
import type { BackupOrder, BackupResult } from './scheduled-backups.ts'

const { location, file, keep, now } = workerData as BackupOrder
const folder = dirname(file)
mkdirSync(folder, { recursive: true, mode: 0o700 })
const { bytes } = await backUp(location, { output: file, withSecrets: true, force: true, onRows: () => {}, now })
const result: BackupResult = { bytes, deleted: deleteOlderBackups(folder, keep).length }
parentPort?.postMessage(result)
