// The long run of the durability test: 200 kills on SQLite. `node bench/src/kills.ts [kills]`
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createBot } from './create-bot.ts'
import { killLoop } from './kill-loop.ts'
import { spawnServer } from './spawn-server.ts'

const kills = Number(process.argv[2] ?? 200)
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
    },
  })

try {
  const server = start()
  const bot = await createBot(`http://127.0.0.1:${await server.listening}`, ADMIN_TOKEN, [
    { id: 'kept', title: 'Kept', text: 'Whatever was acknowledged is kept.' },
  ])
  await server.stop()
  const file = new DatabaseSync(join(dataDir, 'docent.sqlite'), { readOnly: true })
  const report = await killLoop({ kills, start, bot, read: async (sql) => file.prepare(sql).all() })
  const integrity = file.prepare('PRAGMA integrity_check').all()
  file.close()
  console.log(
    `${report.kills} kills, ${report.acknowledged} turns acknowledged, ${report.lost.length} lost, ${report.torn} torn, ` +
      `${report.counted} counted, integrity ${JSON.stringify(integrity)}`,
  )
  if (report.lost.length + report.torn > 0 || report.counted < report.acknowledged) process.exitCode = 1
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
