// Files that only their owner can read and write, regardless of folder and creator.
import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'

const OWNER_ONLY = 0o600
const OTHERS = 0o007

/** Creates the file if needed. */
export function makePrivateFile(path: string) {
  if (existsSync(path)) restrictToOwner(path)
  else closeSync(openSync(path, 'a', OWNER_ONLY))
}

export function restrictToOwner(path: string) {
  if (!existsSync(path) || (statSync(path).mode & 0o777) === OWNER_ONLY) return
  try {
    chmodSync(path, OWNER_ONLY)
  } catch {
    // Owned by another user who granted access.
  }
}

export function isOpenToOthers(folder: string): boolean {
  return process.platform !== 'win32' && existsSync(folder) && (statSync(folder).mode & OTHERS) !== 0
}
