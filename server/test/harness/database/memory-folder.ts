// A folder in memory where there is room, else on disk: tests kill processes, not machines, so nothing has to reach a
// disk.
import { existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY_FOLDER = '/dev/shm'
const LEAST_BYTES = 4 * 1024 ** 3

export function createMemoryFolder(prefix: string): string {
  return mkdtempSync(join(hasRoom() ? MEMORY_FOLDER : tmpdir(), prefix))
}

function hasRoom(): boolean {
  if (!existsSync(MEMORY_FOLDER)) return false
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
  return bavail * bsize >= LEAST_BYTES
}
