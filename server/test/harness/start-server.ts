// The real server within this process, on a real database and port, with a clock that tests can set.
import { Writable } from 'node:stream'
import type { Plan } from '@docent/contract'
import { onTestFinished } from 'vitest'
import { openApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { makeLogger } from '../../src/telemetry/logger.ts'
import { type Call, makeCall } from './call.ts'
import { createDatabase, type Engine, type TestDatabase } from './database/databases.ts'

export const ADMIN_TOKEN = 'test-owner-token-CANARY-4d1f'
export const SECRET_KEY = 'test-secret-key-CANARY-0123456789-9b7e'

export interface TestBot {
  botId: string
  workspaceId: string
  key: string
  keyId: string
}

export interface TestServer {
  baseUrl: string
  adminToken: string
  database: TestDatabase
  clock: { now: number }
  call: Call
  /** From the setup link printed on start; null once the instance is set up. */
  setUpToken: string | null
  /** Everything logged so far. */
  logs: () => string
  createBot: (options?: BotOptions) => Promise<TestBot>
  stop: () => Promise<void>
}

interface BotOptions {
  plan?: Plan
  documents?: object[]
  dailyLimit?: number
  language?: string
  /** Both the key's mirror webhook and a webhook of the bot. */
  webhookUrl?: string
}

export interface ServerOptions {
  environment?: Record<string, string>
  /** Starts another node on this database. */
  database?: TestDatabase
  /** Hashes passwords at production cost. */
  isPasswordCostly?: boolean
  /** Registers the function that stops the server; by default it runs at the end of the test. */
  onEnd?: ((stop: () => Promise<void>) => void) | undefined
}

export async function startServer(
  engine: Engine,
  { environment = {}, database, isPasswordCostly = false, onEnd = onTestFinished }: ServerOptions = {},
): Promise<TestServer> {
  const testDatabase = database ?? (await createDatabase(engine))
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: testDatabase.dataDir,
    ...(testDatabase.databaseUrl ? { DATABASE_URL: testDatabase.databaseUrl, SECRET_KEY } : {}),
    DEMO_BOT: 'off',
    EMBEDDINGS: 'off',
    LOG_LEVEL: 'debug',
    CRAWL_HOST_DELAY_MS: '0',
    // All tenants of a test share one IP address.
    WIDGET_FILES_PER_DAY: '100000',
    WIDGET_BOTS_PER_ADDRESS: '1000',
    DOWNLOADS_PER_MINUTE: '100000',
    BASE_URL: 'https://docent.test',
    // Nothing listens there, so lookups of invented host names fail at once.
    DNS_SERVERS: '127.0.0.1:9',
    ...environment,
  })
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const clock = { now: Date.UTC(2026, 10, 15, 12) }
  const logger = makeLogger(config.logLevel, sink)
  const passwordCost = isPasswordCostly ? undefined : { memoryCost: 8, timeCost: 1 }
  const app = await openApp(config, { logger, adminToken: ADMIN_TOKEN, clock: () => clock.now, passwordCost })
  const baseUrl = `http://127.0.0.1:${await app.listen()}`
  const call = makeCall(baseUrl)
  let isRunning = true

  async function stop() {
    if (!isRunning) return
    isRunning = false
    await app.stop()
  }
  onEnd(async () => {
    await stop()
    if (!database) await testDatabase.drop()
  })

  const { setUpToken } = app
  return {
    baseUrl,
    adminToken: ADMIN_TOKEN,
    database: testDatabase,
    clock,
    call,
    setUpToken,
    stop,
    logs: () => lines.join(''),
    createBot: botCreator(call),
  }
}

export function botCreator(call: Call) {
  return async (options: BotOptions = {}): Promise<TestBot> => {
    const { plan = 'business', documents, dailyLimit, language = 'en', webhookUrl } = options
    const token = ADMIN_TOKEN
    const workspace = await call('POST /api/manage/v1/workspaces', { token, body: { name: 'Test workspace', plan } })
    const workspaceId: string = workspace.body.id
    const bot = await call('POST /api/manage/v1/bots', {
      token,
      body: { name: 'Test bot', workspace_id: workspaceId, language, site_url: 'https://shop.test' },
    })
    const params = { botId: bot.body.id as string }
    if (documents) await call('POST /api/manage/v1/bots/{botId}/documents', { token, params, body: { documents } })
    const key = await call('POST /api/manage/v1/bots/{botId}/keys', {
      token,
      params,
      body: {
        name: 'test',
        ...(dailyLimit === undefined ? {} : { daily_limit: dailyLimit }),
        ...(webhookUrl ? { webhook_url: webhookUrl } : {}),
      },
    })
    if (webhookUrl)
      await call('POST /api/manage/v1/bots/{botId}/webhooks', { token, params, body: { url: webhookUrl } })
    return { botId: params.botId, workspaceId, key: key.body.key, keyId: key.body.id }
  }
}
