// The long run of the durability test: `node bench/src/kills.ts [kills] [longest load between two kills, ms]`, on SQLite,
// or on the empty PostgreSQL database that DATABASE_URL names.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import postgres from 'postgres'
import { createBot } from './create-bot.ts'
import { startEventReceiver } from './event-receiver.ts'
import { killLoop } from './kill-loop.ts'
import { spawnServer } from './spawn-server.ts'

const kills = Number(process.argv[2] ?? 200)
const mostLoadMs = Number(process.argv[3] ?? 300)
const databaseUrl = process.env.DATABASE_URL
const receiver = await startEventReceiver()
const dataDir = mkdtempSync(join(tmpdir(), 'docent-kills-'))
const ADMIN_TOKEN = 'bench-owner-token-0123456789'
const start = () =>
  spawnServer({
    dataDir,
    environment: {
      ADMIN_TOKEN,
      DEMO_BOT: 'off',
      LOG_LEVEL: 'warn',
      NODE_COMPILE_CACHE: join(dataDir, 'compile-cache'),
      ALLOWED_PRIVATE_NETWORKS: '127.0.0.1',
      WEBHOOK_TIMEOUT_SECONDS: '2',
      ...(databaseUrl ? { DATABASE_URL: databaseUrl, SECRET_KEY: ADMIN_TOKEN.padEnd(32, '0') } : {}),
    },
  })

try {
  const server = start()
  const kept = [{ id: 'kept', title: 'Kept', text: 'Whatever was acknowledged is kept.' }]
  const url = `http://127.0.0.1:${await server.listening}`
  const bot = await createBot(url, ADMIN_TOKEN, kept, receiver.url)
  await server.stop()
  const { read, check, close } = databaseUrl ? openPostgres(databaseUrl) : openFile()
  const report = await killLoop({ kills, start, bot, receiver, mostLoadMs, read })
  const integrity = await check()
  await close()
  console.log(
    `${report.kills} kills, ${report.acknowledged} turns acknowledged, ${report.lost.length} lost, ${report.torn} torn, ` +
      `${report.counted} counted, integrity ${integrity}; ${report.deliveries} webhook deliveries, ` +
      `${report.unheard.length} messages unheard of, ${report.renamed} under two event ids`,
  )
  const wrong = report.lost.length + report.torn + report.unheard.length + report.renamed
  if (wrong > 0 || report.counted < report.acknowledged) process.exitCode = 1
} finally {
  receiver.close()
  rmSync(dataDir, { recursive: true, force: true })
}

function openFile() {
  const file = new DatabaseSync(join(dataDir, 'docent.sqlite'), { readOnly: true })
  return {
    read: async (sql: string) => file.prepare(sql).all(),
    check: async () => JSON.stringify(file.prepare('PRAGMA integrity_check').all()),
    close: async () => file.close(),
  }
}

function openPostgres(url: string) {
  const sql = postgres(url, { max: 1 })
  return {
    read: async (text: string) => [...(await sql.unsafe(text))],
    check: async () => 'left to PostgreSQL',
    close: () => sql.end(),
  }
}
