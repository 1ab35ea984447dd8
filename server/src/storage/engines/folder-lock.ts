// One process per data folder. The lock is SQLite's own, on an empty database beside the real one, so that the operating
// system releases it however the process ends, and backups can still read the real one.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makePrivateFile } from '../../private-file.ts'

const BUSY = 5
// A process that is shutting down may still hold it.
const WAIT_MS = 1000

/** Returns the release function. */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'docent.lock')
  makePrivateFile(path)
  const lock = new DatabaseSync(path, { timeout: WAIT_MS })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== BUSY) throw error
    throw new Error(
      `The data folder ${folder} is in use by another Docent process. Stop that one first, or set DATA_DIR to another ` +
        'folder. Several processes on the same data need PostgreSQL (DATABASE_URL).',
    )
  }
  return () => lock.close()
}

export function isFolderInUse(folder: string): boolean {
  try {
    lockFolder(folder)()
    return false
  } catch {
    return true
  }
}
