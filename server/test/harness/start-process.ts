// `node server/src/main.ts` as a separate process, killed when the test has finished.
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { type Call, makeCall } from './call.ts'
import { createDatabase, type Engine, type TestDatabase } from './database/databases.ts'
import { type ServerProcess, spawnServer } from './spawn-server.ts'
import { ADMIN_TOKEN, SECRET_KEY } from './start-server.ts'

// Saves a third of the work per start, and tests start many.
const COMPILE_CACHE = fileURLToPath(new URL('../../../node_modules/.cache/docent', import.meta.url))

export interface StartedProcess extends ServerProcess {
  port: number
  baseUrl: string
  call: Call
}

interface ProcessOptions {
  database: TestDatabase
  environment?: Record<string, string>
  /** Another copy of the server's main file. */
  main?: string
}

/** A data folder and a database that outlive a test's processes. On SQLite it is empty, as before a first start. */
export async function createTestDatabase(engine: Engine): Promise<TestDatabase> {
  const database = await createDatabase(engine, { isEmpty: engine === 'sqlite' })
  onTestFinished(() => database.drop())
  return database
}

/** Does not wait until the server is ready. */
export function spawnProcess({ database, environment = {}, ...options }: ProcessOptions): ServerProcess {
  const server = spawnServer({
    dataDir: database.dataDir,
    ...options,
    environment: {
      ADMIN_TOKEN,
      DEMO_BOT: 'off',
      EMBEDDINGS: 'off',
      LOG_LEVEL: 'warn',
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...(database.databaseUrl ? { DATABASE_URL: database.databaseUrl, SECRET_KEY } : {}),
      ...environment,
    },
  })
  onTestFinished(() => server.kill())
  return server
}

export async function startProcess(options: ProcessOptions): Promise<StartedProcess> {
  const server = spawnProcess(options)
  const port = await server.listening
  const baseUrl = `http://127.0.0.1:${port}`
  return { ...server, port, baseUrl, call: makeCall(baseUrl) }
}
