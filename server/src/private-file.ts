// Files that their owner alone can read and write, whatever folder they are in and whoever made them.
import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'

const OWNER_ONLY = 0o600
const OTHERS = 0o007

/** Made if it is not there. */
export function makePrivateFile(path: string) {
  if (existsSync(path)) restrictToOwner(path)
  else closeSync(openSync(path, 'a', OWNER_ONLY))
}

export function restrictToOwner(path: string) {
  if (!existsSync(path) || (statSync(path).mode & 0o777) === OWNER_ONLY) return
  try {
    chmodSync(path, OWNER_ONLY)
  } catch {
    // It belongs to somebody else, who has let us in.
  }
}

export function isOpenToOthers(folder: string): boolean {
  return process.platform !== 'win32' && existsSync(folder) && (statSync(folder).mode & OTHERS) !== 0
}
