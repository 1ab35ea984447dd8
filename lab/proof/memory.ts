// Memory use under load, and how long other requests wait meanwhile.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { MANAGE } from '../../server/test/harness/people.ts'
import { createTestDatabase, startProcess } from '../../server/test/harness/start-process.ts'
import { ADMIN_TOKEN, botCreator } from '../../server/test/harness/start-server.ts'
import { createSyncKey, syncProducts } from '../../server/test/harness/tenants.ts'
import { inParallel, type PartOptions, type PartResult, watchServer } from './part.ts'

const AT_ONCE = 6
/** While a catalogue and pages are indexed. */
const LONGEST_STALL_INDEXING_MS = 2000
/** On a machine that does nothing else. */
const LONGEST_STALL_MS = 200
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
  const watch = watchServer(server)
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
  const slowestIndexingMs = watch.takeSlowestMs()
  await inParallel(times / 2, AT_ONCE, chat)
  const { slowestMs, counts: watchCounts, problems: watchProblems } = await watch.end()
  await server.stop()
  const problems = [
    ...watchProblems,
    ...(slowestIndexingMs > LONGEST_STALL_INDEXING_MS
      ? [`a health check waited ${slowestIndexingMs} ms while indexing`]
      : []),
    ...(slowestMs > LONGEST_STALL_MS ? [`a health check waited ${slowestMs} ms`] : []),
  ]
  const counts = {
    chats: times,
    ...watchCounts,
    'ms while indexing': slowestIndexingMs,
  }
  const { stdout } = await promisify(execFile)(process.execPath, [STEPS, SHARE])
  const [, most, allowedMb] = /most: (\d+) MB, allowed: (\d+) MB/.exec(stdout) ?? []
  if (!(Number(most) <= Number(allowedMb))) problems.push(`step by step: ${most} MB, ${allowedMb} MB are allowed`)
  return { counts: { ...counts, 'MB at most, step by step': Number(most) }, problems }
}
