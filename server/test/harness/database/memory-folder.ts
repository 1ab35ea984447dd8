// A folder in memory if there is enough space, else on disk. Tests kill processes, not machines, so nothing has to
// reach the disk.
import { existsSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY_FOLDER = '/dev/shm'
const MIN_BYTES = 4 * 1024 ** 3

/** `isExecutable`: programs are run from the folder, which some machines do not allow. */
export function createMemoryFolder(prefix: string, { runs: isExecutable = false } = {}): string {
  return mkdtempSync(join(hasSpace() && (!isExecutable || allowsExecution()) ? MEMORY_FOLDER : tmpdir(), prefix))
}

function hasSpace(): boolean {
  if (!existsSync(MEMORY_FOLDER)) return false
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
  return bavail * bsize >= MIN_BYTES
}

function allowsExecution(): boolean {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  return !mounts.some((line) => line.includes(` ${MEMORY_FOLDER} `) && line.includes('noexec'))
}
