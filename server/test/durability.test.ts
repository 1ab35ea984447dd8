// What was acknowledged survives `kill -9` at any point, and every webhook that reports it arrives.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import postgres from 'postgres'
import { expect, onTestFinished, test } from 'vitest'
import { startEventReceiver } from '../../bench/src/event-receiver.ts'
import { type KillReport, killLoop } from '../../bench/src/kill-loop.ts'
import type { Engine } from './harness/databases.ts'
import { spawnProcess, startProcess, testDatabase } from './harness/start-process.ts'
import { botCreator } from './harness/start-server.ts'

// Restarts are slow on a busy machine, and that is no failure.
const TIMEOUT_MS = 180_000
const NO_LIMIT = 100_000_000
const documents = [{ id: 'kept', title: 'Kept', text: 'Whatever was acknowledged is kept.' }]

async function databaseWithBot(engine: Engine) {
  const database = await testDatabase(engine)
  const receiver = await startEventReceiver()
  onTestFinished(() => receiver.close())
  const environment = { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1', WEBHOOK_TIMEOUT_SECONDS: '2' }
  const server = await startProcess({ database, environment })
  const bot = await botCreator(server.call)({ documents, dailyLimit: NO_LIMIT, webhookUrl: receiver.url })
  await server.stop()
  return { database, bot, receiver, start: () => spawnProcess({ database, environment }) }
}

async function killsOnSqlite(kills: number) {
  const { database, bot, receiver, start } = await databaseWithBot('sqlite')
  const file = new DatabaseSync(join(database.dataDir, 'docent.sqlite'), { readOnly: true })
  onTestFinished(() => file.close())
  const report = await killLoop({ kills, start, bot, receiver, read: async (sql) => file.prepare(sql).all() })
  return { report, integrity: file.prepare('PRAGMA integrity_check').all() }
}

function expectNothingLost(report: KillReport) {
  expect(report.lost).toEqual([])
  expect(report.torn).toBe(0)
  expect(report.unheard).toEqual([])
  expect(report.renamed).toBe(0)
  expect(report.acknowledged).toBeGreaterThanOrEqual(report.kills)
  expect(report.counted).toBeGreaterThanOrEqual(report.acknowledged)
}

test('on SQLite, no acknowledged turn is lost or torn by 20 kills under load, its webhooks arrive, and the file stays whole', {
  timeout: TIMEOUT_MS,
}, async () => {
  // Two servers on two files side by side, because most of the time is waiting for restarts.
  const runs = await Promise.all([killsOnSqlite(10), killsOnSqlite(10)])
  for (const { report, integrity } of runs) {
    expectNothingLost(report)
    expect(integrity).toEqual([{ integrity_check: 'ok' }])
  }
})

test('on PostgreSQL, no acknowledged turn is lost or torn by 5 kills of the server under load, and its webhooks arrive', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { database, bot, receiver, start } = await databaseWithBot('postgres')
  const sql = postgres(database.databaseUrl ?? '', { max: 1 })
  onTestFinished(() => sql.end())
  expectNothingLost(
    await killLoop({ kills: 5, start, bot, receiver, read: async (text) => [...(await sql.unsafe(text))] }),
  )
})
