// Memory use under load, and how long other requests wait meanwhile.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { MANAGE } from '../../server/test/harness/people.ts'
import { createTestDatabase, startProcess } from '../../server/test/harness/start-process.ts'
import { ADMIN_TOKEN, botCreator } from '../../server/test/harness/start-server.ts'
import { createSyncKey, syncProducts } from '../../server/test/harness/tenants.ts'
import { pause } from '../../server/test/harness/wait.ts'
import { inParallel, type PartOptions, type PartResult } from './part.ts'
import { residentMb } from './unread-responses.ts'

const PROBE_MS = 20
const AT_ONCE = 6
/** While a catalogue and pages are indexed. */
const LONGEST_STALL_INDEXING_MS = 2000
/** On a machine that does nothing else. */
const LONGEST_STALL_MS = 200
const MAX_MB = 500
const PRODUCTS = 5000
const PAGES = 100
/** The long measurement, step by step. */
const STEPS = fileURLToPath(new URL('../performance/memory.ts', import.meta.url))
const SHARE = '0.05'
const environment = { EMBEDDINGS: 'off' }

export async function measureLoad({ times }: Pick<PartOptions, 'times'>): Promise<PartResult> {
  const server = await startProcess({ database: await createTestDatabase('sqlite'), environment })
  const { botId, key } = await botCreator(server.call)({ dailyLimit: 100_000_000 })
  const syncKey = await createSyncKey(server.call, botId)
  let slowestMs = 0
  let peakMb = 0
  let running = true
  const probing = (async () => {
    while (running) {
      const askedAt = performance.now()
      await server.call('GET /livez')
      slowestMs = Math.max(slowestMs, Math.round(performance.now() - askedAt))
      peakMb = Math.max(peakMb, residentMb(server.pid))
      await pause(PROBE_MS)
    }
  })()
  const products = Array.from({ length: PRODUCTS }, (_, n) => ({ id: `p${n}`, title: `Lamp ${n}`, price: `${n} EUR` }))
  const documents = Array.from({ length: PAGES }, (_, n) => ({
    title: `Page ${n}`,
    text: `Parcel ${n} is here. `.repeat(1000),
  }))
  const chat = async (n: number) => {
    const body = { bot_id: botId, message: `Where is parcel ${n % PAGES}, and what does lamp ${n} cost?` }
    await server.call('POST /api/v1/chat', { token: key, body })
  }
  await Promise.all([
    syncProducts(server.call, syncKey, { products }),
    server.call(`POST ${MANAGE}/bots/{botId}/documents`, {
      token: ADMIN_TOKEN,
      params: { botId },
      body: { documents },
    }),
    inParallel(times / 2, AT_ONCE, chat),
  ])
  const slowestIndexingMs = slowestMs
  slowestMs = 0
  await inParallel(times / 2, AT_ONCE, chat)
  running = false
  await probing
  await server.stop()
  const problems = [
    ...(slowestIndexingMs > LONGEST_STALL_INDEXING_MS
      ? [`a health check waited ${slowestIndexingMs} ms while indexing`]
      : []),
    ...(slowestMs > LONGEST_STALL_MS ? [`a health check waited ${slowestMs} ms`] : []),
    ...(peakMb > MAX_MB ? [`${peakMb} MB were resident`] : []),
  ]
  const counts = {
    chats: times,
    'MB at most': peakMb,
    'ms the slowest health check took': slowestMs,
    'ms while indexing': slowestIndexingMs,
  }
  const { stdout } = await promisify(execFile)(process.execPath, [STEPS, SHARE])
  const [, most, allowedMb] = /most: (\d+) MB, allowed: (\d+) MB/.exec(stdout) ?? []
  if (!(Number(most) <= Number(allowedMb))) problems.push(`step by step: ${most} MB, ${allowedMb} MB are allowed`)
  return { counts: { ...counts, 'MB at most, step by step': Number(most) }, problems }
}
