// Files that only their owner can read and write, regardless of folder and creator: databases, archives, and secrets that are
// generated at the first start.
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

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

/** Null when there is none; an empty file, as a crash may leave, counts as none. */
export function readSecretFile(path: string): string | null {
  restrictToOwner(path)
  return existsSync(path) ? readFileSync(path, 'utf8').trim() || null : null
}

/** Atomic: the file appears complete or not at all. */
export function writeSecretFile(path: string, secret: string) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${secret}\n`, { mode: OWNER_ONLY, flush: true })
  renameSync(draft, path)
}

/** The secret in this file, created if missing. */
export function readOrCreateSecret(path: string): string {
  const secret = readSecretFile(path)
  if (secret) return secret
  writeSecretFile(path, randomBytes(32).toString('base64url'))
  // Read again: another process may have been faster.
  return readSecretFile(path) ?? readOrCreateSecret(path)
}
