// Runs on whatever Node bootstraps npm, so plain JavaScript: installs what is missing and finds the pinned Node.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findNode } from './find-node.mjs'
import { installAside, MARKER } from './install-aside.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Installs when the lock file differs from the last installed one. Serving needs less than developing. */
export function installMissing(scope) {
  const lock = createHash('sha256')
    .update(readFileSync(`${root}package-lock.json`))
    .digest('hex')
  const marker = `${root}node_modules/${MARKER}`
  const installed = existsSync(marker) ? readFileSync(marker, 'utf8') : ''
  if (installed === `${lock} all` || installed === `${lock} ${scope}`) return
  console.error('Installing what is missing (once) …')
  const status = installAside(root, scope === 'serving' ? ['--omit=dev'] : [], `${lock} ${scope}`)
  if (status === 0) return
  console.error('npm ci failed; see the lines above.')
  process.exit(status)
}

/** Runs a command of node_modules/.bin with our stdio and exit code, forwarding signals. */
export function runInPlace(command, given) {
  const node = nodePath()
  const program = command === 'node' ? node : `${root}node_modules/.bin/${command}`
  const child = spawn(program, given, { cwd: root, stdio: 'inherit', env: environment() })
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`${program} could not be started: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(signal ? 1 : code))
}

/** Puts node_modules/.bin, and so its Node, first on the PATH. */
export function environment() {
  // Caches compiled code between starts: faster, and TypeScript is not stripped again.
  const cache = `${root}node_modules/.cache/docent`
  return { NODE_COMPILE_CACHE: cache, ...process.env, PATH: `${root}node_modules/.bin:${process.env.PATH}` }
}

/** Node from the npm package for this platform, else the system's if it is new enough. */
function nodePath() {
  const pinned = `${root}node_modules/.bin/node`
  const found = findNode(pinned)
  // One that cannot run here (for example, another C library) would shadow the system's.
  if (found !== pinned) rmSync(pinned, { force: true })
  return found
}
