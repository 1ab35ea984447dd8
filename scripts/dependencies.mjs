// Runs on whatever Node bootstraps npm, so plain JavaScript: installs what is missing and finds the pinned Node.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const LEAST_MAJOR = 24

/** Installs when the lock file is not the one that was installed last. */
export function installMissing() {
  const wanted = createHash('sha256')
    .update(readFileSync(`${root}package-lock.json`))
    .digest('hex')
  const marker = `${root}node_modules/.docent-installed`
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return
  console.error('Installing what is missing (once) …')
  const { status } = spawnSync('npm', ['ci', '--no-progress'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) {
    console.error('npm ci failed; see the lines above.')
    process.exit(status ?? 1)
  }
  writeFileSync(marker, wanted)
}

/** The Node of the npm package for this platform, else the machine's own if it is new enough. */
export function nodePath() {
  const pinned = `${root}node_modules/.bin/node`
  if (existsSync(pinned)) return pinned
  if (Number(process.versions.node.split('.')[0]) >= LEAST_MAJOR) return process.execPath
  console.error(
    `Docent runs on Node ${LEAST_MAJOR} or later. npm has no ready-made Node for ${process.platform} ${process.arch}, ` +
      `and this machine's is ${process.version}: please install a newer one from nodejs.org.`,
  )
  process.exit(1)
}
