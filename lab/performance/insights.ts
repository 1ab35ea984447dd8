// Latency of figures, unanswered questions and visitor search with 10,000 conversations of 100,000
// messages. node lab/performance/insights.ts [conversations]
// DATABASE_URL: an empty PostgreSQL database to use instead of SQLite.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database, Value } from '../../server/src/storage/database.ts'
import { writeMany } from '../../server/src/storage/statements.ts'
import { openDatabase } from '../../server/src/storage/storage.ts'
import { spawnServer } from '../../server/test/harness/spawn-server.ts'
import { createBot } from './load/create-bot.ts'

const ADMIN_TOKEN = 'bench-owner-token-of-insights'
const count = Number(process.argv[2] ?? 10_000)
const TURNS = 5
const DAY_MS = 86_400_000
const SPAN_DAYS = 30
const ROUNDS = 15
const AT_ONCE = 100
const databaseUrl = process.env.DATABASE_URL ?? null
const folder = mkdtempSync(join(tmpdir(), 'docent-insights-'))
const environment = {
  ADMIN_TOKEN,
  DEMO_BOT: 'off',
  EMBEDDINGS: 'off',
  ...(databaseUrl ? { DATABASE_URL: databaseUrl, SECRET_KEY: ADMIN_TOKEN.padEnd(32, '0') } : {}),
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
    const measureUrl = (name: string, url: string) => measure(name, url, server.pid)
    await measureUrl('figures of 30 days', `${bot}/analytics`)
    await measureUrl('figures of 400 days', `${bot}/analytics?from=${dayText(Date.now() - 399 * DAY_MS)}`)
    await measureUrl('unanswered questions', `${bot}/unanswered`)
    await measureUrl('topics of unanswered questions', `${bot}/unanswered/topics`)
    await measureUrl('newest visitors', `${bot}/visitors`)
    await measureUrl('visitors by name', `${bot}/visitors?q=visitor+77`)
    await measureUrl('export of a visitor', `${bot}/visitors/vis_77`)
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
    const response = await fetch(url, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })
    await response.text()
    if (response.status !== 200) throw new Error(`${url}: ${response.status}`)
    if (round > 0) times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  const figures = [times[0], times[Math.floor(times.length / 2)]].map((time) => `${time?.toFixed(0)} ms`)
  const cpu = (cpuMs(pid) - cpuBefore) / ROUNDS
  console.log(
    `${name.padEnd(24)} least ${figures[0]}, median ${figures[1]}; processor time of the server ${cpu.toFixed(0)} ms`,
  )
}

/** Of the server process, so less affected by other load; with PostgreSQL most of the work is elsewhere. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Realistic data: a third over the chat API, a fifth unanswered, a few questions asked often. */
async function fill(botId: string) {
  const database = await openDatabase({ dataDir: folder, databaseUrl, databasePoolSize: 4 }, Date.now())
  for (let from = 0; from < count; from += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => conversation(from + index))
    const rows = <T extends Value[]>(of: (one: (typeof some)[number]) => T[]) =>
      some.flatMap(of).map((row): Value[] => [botId, ...row])
    await database.transaction(async (tx) => {
      const into = (table: string, columns: string, list: Value[][]) =>
        writeMany(tx, `INSERT INTO ${table} (bot_id, ${columns}) VALUES {rows}`, list)
      const columns =
        'id, channel, session_id, user_id, page_url, message_count, created_at, updated_at, visitor_id, ended_at'
      await into(
        'conversations',
        columns,
        rows((one) => [one.row]),
      )
      await into(
        'visitors',
        'id, token_hash, name, name_lower, email, created_at',
        rows((one) => one.visitors),
      )
      const ofMessages =
        'conversation_id, id, role, text, created_at, answered, confidence, question_key, question_id, question_language'
      await into(
        'messages',
        ofMessages,
        rows((one) => one.messages),
      )
    })
  }
  await countDays(database, botId)
  if (databaseUrl) await database.write('ANALYZE')
  await database.close()
}

function conversation(index: number) {
  const at = Date.now() - Math.floor(((count - index) / count) * SPAN_DAYS * DAY_MS)
  const id = `cnv_${String(index).padStart(21, '0')}`
  const visitorId = index % 3 === 0 ? null : `vis_${index}`
  const userId = visitorId ? null : `user-${index}`
  const page = `https://shop.test/page-${index % 40}?utm=${index}`
  const row: Value[] = [
    id,
    visitorId ? 'widget' : 'api',
    `ses_${index}`,
    userId,
    page,
    TURNS * 2,
    at,
    at,
    visitorId,
    at,
  ]
  const visitorRow: Value[] = [
    `vis_${index}`,
    `hash ${index}`,
    `Visitor ${index}`,
    `visitor ${index}`,
    `visitor${index}@shop.test`,
    at,
  ]
  const turns = Array.from({ length: TURNS }, (_, turn) => messages(id, index * TURNS + turn, at + turn))
  return { row, visitors: visitorId ? [visitorRow] : [], messages: turns.flat() }
}

function messages(id: string, number: number, at: number): Value[][] {
  const [question, reply] = [0, 1].map((order) => `msg_${String(number * 2 + order).padStart(21, '0')}`) as [
    string,
    string,
  ]
  const key = Math.floor(((number * 7919) % 100_003) ** 2 / 2_000_000).toString(16)
  const text = 'It takes three to five days. '.repeat(12)
  return [
    [id, question, 'user', `How long does delivery number ${key} to Austria take?`, at, null, null, null, null, null],
    [id, reply, 'assistant', text, at, number % 5 === 0 ? 0 : 1, 0.7, key.padStart(24, '0'), question, 'en'],
  ]
}

/** In all half hours and, on PostgreSQL, all slots, as many conversations would. */
async function countDays(database: Database, botId: string) {
  const today = Math.floor(Date.now() / DAY_MS)
  const rows: Value[][] = []
  for (let day = today - 400; day <= today; day++) {
    for (let halfHour = day * 48; halfHour < (day + 1) * 48; halfHour++)
      for (const channel of ['api', 'widget'])
        for (let slot = 0; slot < (databaseUrl ? 8 : 1); slot++)
          rows.push([botId, halfHour, channel, slot, 2, 20, 10, 8, 7])
  }
  const columns = 'bot_id, half_hour, channel, slot, conversations, messages, questions, answered, confidence'
  await database.transaction((tx) => writeMany(tx, `INSERT INTO activity (${columns}) VALUES {rows}`, rows))
}

function dayText(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
