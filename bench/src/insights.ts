// How long the figures, the unanswered questions and a search for a visitor take with 10,000 conversations of 100,000
// messages in the database. node bench/src/insights.ts [conversations]
// DATABASE_URL names an empty PostgreSQL to take instead of SQLite.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../server/src/storage/storage.ts'
import { createBot } from './create-bot.ts'
import { spawnServer } from './spawn-server.ts'

const ADMIN_TOKEN = 'bench-owner-token-of-insights'
const count = Number(process.argv[2] ?? 10_000)
const TURNS = 5
const DAY_MS = 86_400_000
const SPAN_DAYS = 30
const ROUNDS = 15
const databaseUrl = process.env.DATABASE_URL ?? null
const folder = mkdtempSync(join(tmpdir(), 'docent-insights-'))
const environment = {
  ADMIN_TOKEN,
  DEMO_BOT: 'off',
  EMBEDDINGS: 'off',
  ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
}

try {
  let server = spawnServer({ dataDir: folder, environment })
  const { botId } = await createBot(`http://127.0.0.1:${await server.listening}`, ADMIN_TOKEN, [])
  await server.stop()
  await fill(botId)
  server = spawnServer({ dataDir: folder, environment })
  try {
    const bot = `http://127.0.0.1:${await server.listening}/api/manage/v1/bots/${botId}`
    console.log(`${databaseUrl ? 'PostgreSQL' : 'SQLite'}, ${count} conversations, ${count * TURNS * 2} messages`)
    const measured = (name: string, url: string) => measure(name, url, server.pid)
    await measured('figures of 30 days', `${bot}/analytics`)
    await measured('figures of 400 days', `${bot}/analytics?from=${dayText(Date.now() - 399 * DAY_MS)}`)
    await measured('unanswered questions', `${bot}/unanswered`)
    await measured('newest visitors', `${bot}/visitors`)
    await measured('visitors by name', `${bot}/visitors?q=visitor+77`)
    await measured('export of a visitor', `${bot}/visitors/vis_77`)
  } finally {
    await server.kill()
  }
} finally {
  rmSync(folder, { recursive: true })
}

async function measure(name: string, url: string, pid: number) {
  const times: number[] = []
  let cpuBefore = 0
  for (let round = 0; round <= ROUNDS; round++) {
    if (round === 1) cpuBefore = cpuMs(pid)
    const start = performance.now()
    const answer = await fetch(url, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })
    await answer.text()
    if (answer.status !== 200) throw new Error(`${url}: ${answer.status}`)
    if (round > 0) times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  const shown = [times[0], times[Math.floor(times.length / 2)]].map((time) => `${time?.toFixed(0)} ms`)
  const cpu = (cpuMs(pid) - cpuBefore) / ROUNDS
  console.log(
    `${name.padEnd(24)} least ${shown[0]}, median ${shown[1]}; processor time of the server ${cpu.toFixed(0)} ms`,
  )
}

/** Of the server, so that a busy machine changes the figure less; with PostgreSQL most of the work is elsewhere. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** As turns would leave it: a third over the chat API, a fifth without an answer, few questions asked often. */
async function fill(botId: string) {
  const database = await openDatabase({ dataDir: folder, databaseUrl, databasePoolSize: 4 }, Date.now())
  for (let from = 0; from < count; from += 50) {
    await database.transaction(async (tx) => {
      for (let index = from; index < Math.min(from + 50, count); index++) {
        const createdAt = Date.now() - Math.floor(((count - index) / count) * SPAN_DAYS * DAY_MS)
        const isApi = index % 3 === 0
        const id = `cnv_${String(index).padStart(21, '0')}`
        await tx.query(
          `INSERT INTO conversations (bot_id, id, channel, session_id, user_id, page_url, message_count, created_at,
             updated_at, visitor_id, language, ended_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, 'en', $8)`,
          [
            ...[botId, id, isApi ? 'api' : 'widget', `ses_${index}`, isApi ? `user-${index}` : null],
            ...[`https://shop.test/page-${index % 40}?utm=${index}`, TURNS * 2, createdAt],
            isApi ? null : `vis_${index}`,
          ],
        )
        if (!isApi) {
          await tx.query(
            `INSERT INTO visitors (bot_id, id, token_hash, name, email, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
            [botId, `vis_${index}`, `hash ${index}`, `Visitor ${index}`, `visitor${index}@shop.test`, createdAt],
          )
        }
        for (let turn = 0; turn < TURNS; turn++) await addTurn(tx, botId, id, isApi, index * TURNS + turn, createdAt)
      }
    })
  }
  if (databaseUrl) await database.write('ANALYZE')
  await database.close()
}

type Transaction = Parameters<Parameters<Awaited<ReturnType<typeof openDatabase>>['transaction']>[0]>[0]

async function addTurn(tx: Transaction, botId: string, id: string, isApi: boolean, number: number, at: number) {
  const message = (order: number) => `msg_${String(number * 2 + order).padStart(21, '0')}`
  const key = Math.floor(((number * 7919) % 100_003) ** 2 / 2_000_000).toString(16)
  const answered = number % 5 === 0 ? 0 : 1
  await tx.query(
    `INSERT INTO messages (bot_id, conversation_id, id, role, text, created_at) VALUES ($1, $2, $3, 'user', $4, $5)`,
    [botId, id, message(0), `How long does delivery number ${key} to Austria take?`, at + number],
  )
  await tx.query(
    `INSERT INTO messages (bot_id, conversation_id, id, role, text, created_at, answered, confidence, question_key,
       question_id, question_language)
     VALUES ($1, $2, $3, 'assistant', $4, $5, $6, 0.7, $7, $8, 'en')`,
    [
      botId,
      id,
      message(1),
      'It takes three to five days. '.repeat(12),
      at + number,
      answered,
      key.padStart(24, '0'),
      message(0),
    ],
  )
  await tx.query(
    `INSERT INTO activity_days (bot_id, day, channel, slot, messages, questions, answered, confidence)
     VALUES ($1, $2, $3, $4, 2, 1, $5, 0.7)
     ON CONFLICT (bot_id, day, channel, slot) DO UPDATE SET messages = activity_days.messages + 2,
       questions = activity_days.questions + 1, answered = activity_days.answered + $5,
       confidence = activity_days.confidence + 0.7`,
    [botId, Math.floor(at / DAY_MS), isApi ? 'api' : 'widget', number % 8, answered],
  )
}

function dayText(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
