// Reads the configuration, starts the server, and stops it on a signal.
import { join, relative } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { SCREENS } from '@docent/contract'
import { destination, type Logger } from 'pino'
import { type App, openApp } from './app.ts'
import { type Config, processEnvironment, readConfig } from './config.ts'
import { isOpenToOthers, readOrCreateSecret } from './private-file.ts'
import { makeLogger } from './telemetry/logger.ts'

const SET_UP_NOTE = '               (creates your account; works once, within 24 hours)'
// An unresponsive database must not keep the process from exiting.
const LAST_RESORT_MS = 4000

// Node cuts small buffers from blocks of 64 KB, which outlive the young generation: with webhooks to deliver, the whole
// heap was collected after 5,000 turns. Blocks of 8 KB: after 9,000 (lab/reports/performance.md, "Webhooks").
Buffer.poolSize = 8 * 1024

// Return a finished thread's memory to the system at once instead of pooling it.
setFlagsFromString('--no-memory-pool-share-memory-on-teardown')
// Set at start for the main thread (scripts/limit-memory.mjs); it would override the limits of other threads.
setFlagsFromString('--max-semi-space-size=0')
// With much memory in the machine, V8 lets the heap grow fourfold between collections.
setFlagsFromString('--heap-growing-percent=50')

try {
  const config = readConfig(processEnvironment())
  const logger = makeLogger(config.logLevel, destination({ sync: false, minLength: 4096, periodicFlush: 500 }))
  for (const warning of config.warnings) logger.warn(warning)
  const { adminToken, tokenPath } = ownerToken(config)
  const app = await openApp(config, { logger, adminToken })
  if (isOpenToOthers(config.dataDir))
    logger.warn({ dataDir: config.dataDir }, 'other users of this machine can read the data folder: use chmod 700')
  const port = await app.listen()
  process.stdout.write(welcomeText({ config, port, demo: app.demo, setUpToken: app.setUpToken, tokenPath }))
  stopOnSignal(app, config.stopTimeoutMs + LAST_RESORT_MS, logger)
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  // Not exitCode: open connections to the database would keep a failed start alive.
  process.exit(1)
}

function explain(error: unknown): string {
  const { code, port, message } = error as { code?: string; port?: number; message?: string }
  if (code === 'EADDRINUSE') return `Port ${port} is already in use. Set PORT to another one.`
  return message ?? String(error)
}

/** Without ADMIN_TOKEN, a first start creates one in a private file. */
function ownerToken(config: Config): { adminToken: string; tokenPath: string | null } {
  if (config.adminToken) return { adminToken: config.adminToken, tokenPath: null }
  const tokenPath = join(config.dataDir, 'admin-token')
  return { adminToken: readOrCreateSecret(tokenPath), tokenPath }
}

function stopOnSignal(app: App, deadlineMs: number, logger: Logger) {
  let stopping = false
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    logger.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), deadlineMs).unref()
    await app.stop()
    logger.flush()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

interface WelcomeDetails {
  config: Config
  port: number
  demo: App['demo']
  setUpToken: App['setUpToken']
  tokenPath: string | null
}

/** Where things are, and one API call that works as is. */
function welcomeText({ config, port, demo, setUpToken, tokenPath }: WelcomeDetails): string {
  const local = `http://localhost:${port}`
  const lines = ['', `  Docent is running at ${local}`, '', `  Dashboard    ${local}/`, `  Docs         ${local}/docs`]
  if (setUpToken) lines.push(`  Set up       ${publicUrl(config, local)}${SCREENS.setUp}#${setUpToken}`, SET_UP_NOTE)
  if (demo) lines.push(`  Demo shop    ${local}/demo`)
  if (tokenPath) lines.push(`  Owner token  in ${displayPath(tokenPath)} (for the management API)`)
  lines.push(`  Data         ${config.databaseUrl ? 'PostgreSQL' : displayPath(config.dataDir)}`, '')
  if (demo) {
    const body = JSON.stringify({ bot_id: demo.botId, message: 'When is standard shipping free?' })
    lines.push(
      '  Ask the demo bot:',
      '',
      `    curl -s ${local}/api/v1/chat \\`,
      `      -H "Authorization: Bearer $(cat ${displayPath(demo.keyPath)})" \\`,
      `      -H "Content-Type: application/json" \\`,
      `      -d '${body}'`,
      '',
    )
  }
  return `${lines.join('\n')}\n`
}

/** The port may have been chosen by the system. */
function publicUrl({ baseUrl, port }: Config, local: string): string {
  return baseUrl === `http://localhost:${port}` ? local : baseUrl
}

function displayPath(path: string): string {
  const nearby = relative(process.cwd(), path)
  return nearby && !nearby.startsWith('..') ? nearby : path
}
