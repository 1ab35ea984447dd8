// Runs on whatever Node bootstraps npm, so plain JavaScript: installs what is missing and finds the pinned Node.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const LEAST_MAJOR = 24

/** Installs when the lock file is not the one that was installed last. Serving needs less than developing. */
export function installMissing(scope) {
  const lock = createHash('sha256')
    .update(readFileSync(`${root}package-lock.json`))
    .digest('hex')
  const marker = `${root}node_modules/.docent-installed`
  const installed = existsSync(marker) ? readFileSync(marker, 'utf8') : ''
  if (installed === `${lock} all` || installed === `${lock} ${scope}`) return
  console.error('Installing what is missing (once) …')
  const given = ['ci', '--no-progress', ...(scope === 'serving' ? ['--omit=dev'] : [])]
  const { status } = spawnSync('npm', given, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) {
    console.error('npm ci failed; see the lines above.')
    process.exit(status ?? 1)
  }
  writeFileSync(marker, `${lock} ${scope}`)
}

/** Runs a command of node_modules/.bin in its place: its output is ours, its end is ours, our signals are its. */
export function runInPlace(command, given) {
  const program = command === 'node' ? nodePath() : `${root}node_modules/.bin/${command}`
  // Compiled code is kept between starts: quicker, and TypeScript need not be stripped again.
  const cache = `${root}node_modules/.cache/docent`
  const env = { NODE_COMPILE_CACHE: cache, ...process.env, PATH: `${root}node_modules/.bin:${process.env.PATH}` }
  const child = spawn(program, given, { cwd: root, stdio: 'inherit', env })
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : code))
}

/** The Node of the npm package for this platform, else the machine's own if it is new enough. */
function nodePath() {
  const pinned = `${root}node_modules/.bin/node`
  if (existsSync(pinned)) return pinned
  if (Number(process.versions.node.split('.')[0]) >= LEAST_MAJOR) return process.execPath
  console.error(
    `Docent runs on Node ${LEAST_MAJOR} or later. npm has no ready-made Node for ${process.platform} ${process.arch}, ` +
      `and this machine's is ${process.version}: please install a newer one from nodejs.org.`,
  )
  process.exit(1)
}
