// Secrets that a first start makes, kept in files that their owner alone can read.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Null when there is none; an empty file is what a crash may leave, so it counts as none. */
export function readSecretFile(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() || null : null
}

/** There whole or not at all, whatever happens in between. */
export function writeSecretFile(path: string, secret: string) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${secret}\n`, { mode: 0o600, flush: true })
  renameSync(draft, path)
}
