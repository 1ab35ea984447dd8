// A folder in memory where there is room, else on disk: tests kill processes, not machines, so nothing has to reach a
// disk.
import { existsSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY_FOLDER = '/dev/shm'
const MIN_BYTES = 4 * 1024 ** 3

/** `runs`: programs are run from there, which some machines do not allow. */
export function createMemoryFolder(prefix: string, { runs = false } = {}): string {
  return mkdtempSync(join(hasRoom() && (!runs || mayRun()) ? MEMORY_FOLDER : tmpdir(), prefix))
}

function hasRoom(): boolean {
  if (!existsSync(MEMORY_FOLDER)) return false
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
  return bavail * bsize >= MIN_BYTES
}

function mayRun(): boolean {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  return !mounts.some((line) => line.includes(` ${MEMORY_FOLDER} `) && line.includes('noexec'))
}
