// Speed of a catalogue sync next to a plain bulk insert of the same rows into SQLite; its memory use, and how long
// other requests wait meanwhile. node lab/performance/products.ts [items]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { spawnServer } from '../../server/test/harness/spawn-server.ts'
import { createBot } from './load/create-bot.ts'

const ADMIN_TOKEN = 'bench-owner-token-of-products'
const count = Number(process.argv[2] ?? 100_000)
const folder = mkdtempSync(join(tmpdir(), 'docent-products-'))
const server = spawnServer({ dataDir: folder, environment: { ADMIN_TOKEN, DEMO_BOT: 'off', EMBEDDINGS: 'off' } })

try {
  const baseUrl = `http://127.0.0.1:${await server.listening}`
  const { botId, key: chatKey } = await createBot(baseUrl, ADMIN_TOKEN, [])
  const response = await fetch(`${baseUrl}/api/manage/v1/bots/${botId}/sync-key`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    body: '{}',
  })
  const { key } = (await response.json()) as { key: string }
  const body = Buffer.from(`{"products":[${Array.from({ length: count }, (_, index) => item(index, '')).join(',')}]}`)
  const changedBody = Buffer.from(`[${Array.from({ length: count }, (_, index) => item(index, '!')).join(',')}]`)
  await sync(baseUrl, key, '', Buffer.from('[]'))

  console.log(`${count} items, ${Math.round(body.length / 1e6)} MB of JSON`)
  const first = await measured('new', false, () => sync(baseUrl, key, '', body))
  await measured('unchanged', false, () => sync(baseUrl, key, '', body))
  await measured('unchanged, replace', true, () => sync(baseUrl, key, '?mode=replace', body))
  await measured('all changed, gzip', true, () =>
    sync(baseUrl, key, '', gzipSync(changedBody), { 'content-encoding': 'gzip' }),
  )
  const rows = storedRows(join(folder, 'docent.sqlite'))
  const plain = plainInsert(join(folder, 'plain.sqlite'), rows)
  console.log(`plain insert of the rows   ${rate(rows.length, plain.seconds)}  ${plain.cpuSeconds.toFixed(2)} s of CPU`)
  const byCpu = plain.cpuSeconds / first.cpuSeconds
  console.log(
    `sync against plain insert  ${(plain.seconds / first.seconds).toFixed(2)}, by CPU time ${byCpu.toFixed(2)}`,
  )

  async function measured(name: string, withChats: boolean, work: () => Promise<void>): Promise<Cost> {
    const cpuBefore = cpuSeconds()
    const before = memoryMb()
    let peak = before
    let slowest = 0
    let questionCount = 0
    let isDone = false
    const watching = (async () => {
      while (!isDone) {
        const start = performance.now()
        if (withChats)
          await fetch(`${baseUrl}/api/v1/chat`, {
            method: 'POST',
            headers: { authorization: `Bearer ${chatKey}`, 'content-type': 'application/json' },
            body: JSON.stringify({ bot_id: botId, message: 'Hello' }),
          }).then((answer) => answer.text())
        slowest = Math.max(slowest, performance.now() - start)
        peak = Math.max(peak, memoryMb())
        questionCount += Number(withChats)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })()
    const start = performance.now()
    await work()
    const seconds = (performance.now() - start) / 1000
    const cost = { seconds, cpuSeconds: cpuSeconds() - cpuBefore }
    isDone = true
    await watching
    console.log(
      `${name.padEnd(26)} ${rate(count, seconds)}  ${cost.cpuSeconds.toFixed(2)} s of CPU  memory +${Math.round(peak - before)} MB${withChats ? `  slowest of ${questionCount} chats meanwhile ${Math.round(slowest)} ms` : ''}`,
    )
    return cost
  }
} finally {
  await server.kill()
  rmSync(folder, { recursive: true })
}

function item(index: number, mark: string): string {
  const title = `Trail jacket ${index}`
  return JSON.stringify({
    id: `sku-${index}`,
    title,
    description: `${title}${mark} keeps wind and rain out on long days. It weighs ${300 + (index % 200)} g, packs into its own pocket, and is made of recycled fabric with taped seams and a hood that fits over a helmet.`,
    link: `https://shop.test/products/${index}`,
    image_link: `https://shop.test/images/${index}.jpg`,
    price: `${20 + (index % 300)}.90 EUR`,
    availability: index % 9 === 0 ? 'out_of_stock' : 'in_stock',
    brand: `Brand ${index % 40}`,
    product_type: 'Clothing > Jackets',
    gtin: String(4_000_000_000_000 + index),
    attributes: { colour: index % 2 ? 'green' : 'grey', weight_g: 300 + (index % 200), season: 'all year' },
  })
}

async function sync(baseUrl: string, key: string, query: string, body: Buffer, headers: Record<string, string> = {}) {
  const response = await fetch(`${baseUrl}/api/v1/chat/sync-products${query}`, {
    method: 'POST',
    headers: { 'x-service-key': key, 'content-type': 'application/json', ...headers },
    body: new Uint8Array(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text}`)
}

interface Cost {
  seconds: number
  cpuSeconds: number
}

/** Of the server process, so less affected by other load. */
function cpuSeconds(): number {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function memoryMb(): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))
  return Number(match?.[1] ?? 0) / 1024
}

function storedRows(path: string): unknown[][] {
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = database
    .prepare('SELECT bot_id, id, hash, version, availability, search_text, synced_at, body FROM products')
    .all()
  database.close()
  return rows.map((row) => Object.values(row))
}

/** One prepared statement, one transaction, the same keys: the fastest possible. */
function plainInsert(path: string, rows: unknown[][]): Cost {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  database.exec(
    'CREATE TABLE products (bot_id TEXT, id TEXT, hash TEXT, version INT, availability TEXT, search_text TEXT, synced_at INT, body TEXT, PRIMARY KEY (bot_id, id))',
  )
  const cpu = process.cpuUsage()
  const start = performance.now()
  database.exec('BEGIN')
  const insert = database.prepare('INSERT INTO products VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  for (const row of rows) insert.run(...(row as string[]))
  database.exec('COMMIT')
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(cpu)
  database.close()
  return { seconds, cpuSeconds: (user + system) / 1e6 }
}

function rate(items: number, seconds: number): string {
  return `${seconds.toFixed(2)} s ${Math.round(items / seconds)} items/s`
}
