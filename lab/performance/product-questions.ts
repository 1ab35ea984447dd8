// Latency of product questions on a large catalogue: alone, while a second sync changes every item, and the first
// question after a restart. node lab/performance/product-questions.ts [items] [questions]
import { mkdtempSync, openAsBlob, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnServer } from '../../server/test/harness/spawn-server.ts'
import { createBot } from './load/create-bot.ts'

const ADMIN_TOKEN = 'bench-owner-token-of-product-questions'
const count = Number(process.argv[2] ?? 100_000)
const most = Number(process.argv[3] ?? 1000)
const KINDS = [
  'jacket',
  'backpack',
  'tent',
  'running shoe',
  'sleeping bag',
  'headlamp',
  'stove',
  'bottle',
  'glove',
  'hat',
]
const COLOURS = ['red', 'blue', 'green', 'black', 'grey', 'yellow', 'orange', 'white']
const SIZES = ['XS', 'S', 'M', 'L', 'XL']
const MATERIALS = [
  'merino wool',
  'recycled nylon',
  'organic cotton',
  'ripstop polyester',
  'canvas',
  'aluminium',
  'steel',
]
const SYLLABLES = ['ka', 'ro', 'mi', 'ta', 'lu', 'ven', 'dor', 'sil', 'bra', 'no', 'fel', 'tri', 'qua', 'os', 'hem']

const folder = mkdtempSync(join(tmpdir(), 'docent-product-questions-'))
const start = () => spawnServer({ dataDir: folder, environment: { ADMIN_TOKEN, DEMO_BOT: 'off', EMBEDDINGS: 'off' } })
let server = start()
try {
  let baseUrl = `http://127.0.0.1:${await server.listening}`
  const { botId, key } = await createBot(baseUrl, ADMIN_TOKEN, [
    {
      id: 'returns',
      title: 'Returns',
      url: 'https://shop.test/returns',
      text: 'You can return everything within 30 days.',
    },
  ])
  const management = { authorization: `Bearer ${ADMIN_TOKEN}` }
  const { key: syncKey } = await post(`/api/manage/v1/bots/${botId}/sync-key`, '{}', management)
  /** As a file: a large string in this process would distort its own timings. */
  const catalogue = (mark: string) => {
    const path = join(folder, 'catalogue.json')
    writeFileSync(path, JSON.stringify(Array.from({ length: count }, (_, index) => item(index, mark))))
    return openAsBlob(path)
  }

  let startedAt = performance.now()
  await post('/api/v1/chat/sync-products', await catalogue(''), { 'x-service-key': String(syncKey) })
  console.log(`sync of ${count} items          ${seconds(startedAt)}`)
  const before = memoryMb()
  startedAt = performance.now()
  await ask('red running shoes under 80 €')
  const indexMb = memoryMb() - before
  console.log(
    `first question, builds the index  ${seconds(startedAt)}, memory +${Math.round(indexMb)} MB (${Math.round((indexMb * 1e6) / count)} bytes an item)`,
  )
  console.log(`questions alone                   ${spread(await askMany(() => false))}`)
  console.log(`small talk alone, to compare      ${spread(await askMany(() => false, 'Hello'))}`)
  for (const [name, mark, only] of [
    ['questions', ' Now lighter.', undefined],
    ['small talk', ' Now lighter still.', 'Hello'],
  ] as const) {
    let isDone = false
    const body = await catalogue(mark)
    startedAt = performance.now()
    const second = post('/api/v1/chat/sync-products', body, { 'x-service-key': String(syncKey) }).then(() => {
      console.log(`sync, every item changed          ${seconds(startedAt)}`)
      isDone = true
    })
    console.log(`${name} meanwhile`.padEnd(34) + spread(await askMany(() => isDone, only)))
    await second
  }
  startedAt = performance.now()
  await ask('something lighter: red tent under 50 €')
  console.log(`first question after it           ${seconds(startedAt)}`)
  console.log(`questions after                   ${spread(await askMany(() => false))}`)
  startedAt = performance.now()
  await server.stop()
  console.log(`stop, saves the index             ${seconds(startedAt)}`)
  server = start()
  baseUrl = `http://127.0.0.1:${await server.listening}`
  const cpuBefore = cpuMs()
  startedAt = performance.now()
  await ask('red running shoes under 80 €')
  console.log(`first question after a restart    ${seconds(startedAt)}, ${cpuMs() - cpuBefore} ms of CPU`)

  async function askMany(isEnded: () => boolean, only?: string): Promise<Asked> {
    const times: number[] = []
    const cpu = cpuMs()
    for (let number = 0; number < most && !isEnded(); number++) {
      const start = performance.now()
      await ask(only ?? question(number))
      times.push(performance.now() - start)
    }
    return { times, cpuMs: (cpuMs() - cpu) / times.length }
  }

  function ask(message: string) {
    return post('/api/v1/chat', JSON.stringify({ bot_id: botId, message }), { authorization: `Bearer ${key}` })
  }

  async function post(
    path: string,
    body: string | Blob,
    headers: Record<string, string>,
  ): Promise<Record<string, unknown>> {
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return JSON.parse(text) as Record<string, unknown>
  }
} finally {
  await server.kill()
  rmSync(folder, { recursive: true })
}

interface Asked {
  times: number[]
  cpuMs: number
}

function pick<T>(all: T[], number: number): T {
  return all[number % all.length] as T
}

function name(number: number): string {
  const word =
    pick(SYLLABLES, number) + pick(SYLLABLES, Math.floor(number / 15)) + pick(SYLLABLES, Math.floor(number / 225))
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function item(index: number, mark: string): object {
  const kind = pick(KINDS, index)
  const title = `${name(index)} ${pick(MATERIALS, index >> 2)} ${kind} ${index}`
  return {
    id: `sku-${index}`,
    title,
    description: `${title} for long days outside.${mark} It weighs ${300 + (index % 700)} g, packs small, and keeps what it promises in wind and rain.`,
    link: `https://shop.test/products/${index}`,
    price: `${10 + (index % 300)}.90 EUR`,
    availability: index % 9 === 0 ? 'out_of_stock' : 'in_stock',
    brand: `${name(index % 40)} Works`,
    product_type: `Outdoor > ${kind}s`,
    attributes: {
      colour: pick(COLOURS, index >> 1),
      size: pick(SIZES, index >> 3),
      material: pick(MATERIALS, index >> 2),
      weight_g: 300 + (index % 700),
    },
  }
}

function question(number: number): string {
  const kind = pick(KINDS, number)
  const forms = [
    `${pick(COLOURS, number)} ${kind}s under ${20 + (number % 9) * 20} €`,
    `cheapest ${kind} in size ${pick(SIZES, number)}`,
    `do you have the ${name(number * 7)} ${kind}?`,
    `waterprof ${kind} made of ${pick(MATERIALS, number)}`,
    `best ${kind}s from ${name(number % 40)} Works in stock`,
    'What is your return policy?',
  ]
  return pick(forms, number * 5 + (number >> 3))
}

function spread({ times, cpuMs: processorMs }: Asked): string {
  const sortedTimes = [...times].sort((a, b) => a - b)
  const at = (share: number) =>
    (sortedTimes[Math.min(sortedTimes.length - 1, Math.floor(sortedTimes.length * share))] ?? 0).toFixed(1)
  return `${times.length} asked, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, slowest ${at(1)} ms, ${processorMs.toFixed(1)} ms of CPU each`
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(2)} s`
}

/** CPU time of the server: less affected by other load than wall time. */
function cpuMs(): number {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function memoryMb(): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))
  return Number(match?.[1] ?? 0) / 1024
}
