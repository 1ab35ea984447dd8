// The server as operators run it: its own process, called from outside.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const START_TIMEOUT_MS = 120_000

/** Same as npm start. */
export const MEMORY_SETTINGS = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '131072',
  NODE_OPTIONS: '--max-semi-space-size=16',
}

export interface ServerProcess {
  pid: number
  /** Everything written to stdout and stderr so far. */
  output: () => string
  /** The exit code; null when a signal ended the process. */
  exited: Promise<number | null>
  /** `kill -9`; resolves when the process is gone. */
  kill: () => Promise<void>
  /** Asks it to stop and returns the exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>
  /** The port, once the welcome text shows it; rejects when the process ends first. */
  listening: Promise<number>
}

export interface SpawnOptions {
  dataDir: string
  environment?: Record<string, string>
  nodeOptions?: string[]
  /** Another copy of the server's main file. */
  main?: string
}

/** Runs in its data folder with an empty environment, so that no local setting leaks in. */
export function spawnServer(options: SpawnOptions): ServerProcess {
  const { dataDir, environment = {}, nodeOptions = [], main = MAIN } = options
  const child = spawn(process.execPath, [...nodeOptions, main], {
    cwd: dataDir,
    env: {
      ...MEMORY_SETTINGS,
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const exitCode = new Promise<number | null>((resolve) => child.on('close', resolve))
  const portPromise = new Promise<number>((resolve, reject) => {
    const failed = (reason: string) => reject(new Error(`${reason}\n${output}`))
    const timer = setTimeout(failed, START_TIMEOUT_MS, 'the server did not start in time')
    exitCode.then((code) => failed(`the server ended with exit code ${code}`)).finally(() => clearTimeout(timer))
    const hear = (chunk: Buffer) => {
      output += chunk
      const port = /Docent is running at http:\/\/localhost:(\d+)/.exec(output)?.[1]
      if (!port) return
      clearTimeout(timer)
      resolve(Number(port))
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
  })
  // Callers that do not wait for the port need not handle its rejection.
  portPromise.catch(() => {})

  return {
    pid: child.pid ?? -1,
    output: () => output,
    exited: exitCode,
    listening: portPromise,
    async kill() {
      child.kill('SIGKILL')
      await exitCode
    },
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return exitCode
    },
  }
}
