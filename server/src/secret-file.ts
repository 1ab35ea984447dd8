// Secrets generated at first start, in files that only their owner can read.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { restrictToOwner } from './private-file.ts'

/** Null when there is none; an empty file, as a crash may leave, counts as none. */
export function readSecretFile(path: string): string | null {
  restrictToOwner(path)
  return existsSync(path) ? readFileSync(path, 'utf8').trim() || null : null
}

/** Atomic: the file appears complete or not at all. */
export function writeSecretFile(path: string, secret: string) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${secret}\n`, { mode: 0o600, flush: true })
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
