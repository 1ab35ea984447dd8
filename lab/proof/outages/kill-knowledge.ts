// `kill -9` under product syncs, imports of documents and a crawl: what was acknowledged is there, each request is kept
// whole or not at all, and the crawl ends with every page.

import type { Call } from '../../../server/test/harness/call.ts'
import { queryRows } from '../../../server/test/harness/database/rows.ts'
import { crawlCalls, page, startSite, waitForCrawl } from '../../../server/test/harness/external/test-site.ts'
import { createTestDatabase, startProcess } from '../../../server/test/harness/start-process.ts'
import { ADMIN_TOKEN, botCreator } from '../../../server/test/harness/start-server.ts'
import { createSyncKey, syncProducts } from '../../../server/test/harness/tenants.ts'
import { pause } from '../../../server/test/harness/wait.ts'
import type { PartOptions, PartResult } from '../part.ts'
import { makeRandom } from '../requests/random.ts'

const PAGES = 40
const ITEMS = 20
const MAX_LOAD_MS = 400
const POLL_MS = 25
const environment = { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1', CRAWL_HOST_DELAY_MS: '50' }

export async function killUnderSyncs({ engine, seed, times }: PartOptions): Promise<PartResult> {
  const random = makeRandom(seed)
  const database = await createTestDatabase(engine)
  const site = await startSite()
  site.fallback = (path) => {
    const n = Number(/^\/(\d*)$/.exec(path)?.[1] ?? Number.NaN)
    return n < PAGES ? page(`Page ${n}`, `What page ${n} says.`, [`/${2 * n + 1}`, `/${2 * n + 2}`]) : undefined
  }
  let server = await startProcess({ database, environment })
  const { botId } = await botCreator(server.call)()
  const syncKey = await createSyncKey(server.call, botId)
  const crawl = await crawlCalls(server.call, botId).create({ url: site.url })
  const acknowledgedBatches: { products: number[]; documents: number[] } = { products: [], documents: [] }
  let batch = 0
  let crawledPages = 0
  for (let kill = 0; kill < times; kill++) {
    const load = startLoad(server.call, botId, syncKey, acknowledgedBatches, () => batch++)
    await load.acknowledgedBoth
    // On a slow machine every start would be killed within the same page, which is given up after a few attempts.
    crawledPages = await moreCrawled(crawlCalls(server.call, botId), crawl.body.id, crawledPages)
    await pause(random.below(MAX_LOAD_MS))
    await server.kill()
    await load.ended
    server = await startProcess({ database, environment })
  }
  const problems = [
    ...lostItems('products', await idsOf('products'), acknowledgedBatches.products),
    ...lostItems('documents', await idsOf('documents'), acknowledgedBatches.documents),
  ]
  const crawls = crawlCalls(server.call, botId)
  const { state, reason, pages } = await waitForCrawl(crawls, crawl.body.id)
  if (state !== 'done' || pages.done !== PAGES)
    problems.push(`the crawl is ${state} (${reason}) with ${pages.done} pages, ${pages.failed} failed`)
  await server.stop()
  const { products, documents } = acknowledgedBatches
  const counts = { kills: times, 'syncs acknowledged': products.length, 'imports acknowledged': documents.length }
  return { counts: { ...counts, 'pages crawled': pages.done }, problems }

  async function idsOf(table: string): Promise<string[]> {
    return (await queryRows(database, `SELECT id FROM ${table}`)).map(({ id }) => String(id))
  }
}

/** Waits until another page is done, unless all of them are. */
async function moreCrawled(crawls: ReturnType<typeof crawlCalls>, id: string, before: number): Promise<number> {
  for (;;) {
    const { state, pages } = await crawls.find(id)
    if (pages.done > before || (state !== 'queued' && state !== 'running')) return pages.done
    await pause(POLL_MS)
  }
}

function lostItems(what: string, storedIds: string[], acknowledgedBatches: number[]): string[] {
  const counts = new Map<number, number>()
  for (const id of storedIds) {
    const batch = /^b(\d+)-\d+$/.exec(id)?.[1]
    if (batch) counts.set(Number(batch), (counts.get(Number(batch)) ?? 0) + 1)
  }
  const lostBatches = acknowledgedBatches.filter((batch) => counts.get(batch) !== ITEMS)
  const tornBatches = [...counts].filter(([, count]) => count !== ITEMS).map(([batch]) => batch)
  return [
    ...(lostBatches.length > 0 ? [`${what} acknowledged and lost: ${lostBatches.join(' ')}`] : []),
    ...(tornBatches.length > 0 ? [`${what} kept in part: ${tornBatches.join(' ')}`] : []),
  ]
}

function startLoad(
  call: Call,
  botId: string,
  syncKey: string,
  acknowledgedBatches: { products: number[]; documents: number[] },
  nextBatch: () => number,
) {
  const [oneSync, oneImport] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const items = (batch: number) => Array.from({ length: ITEMS }, (_, n) => ({ id: `b${batch}-${n}`, n }))
  const sync = (batch: number) =>
    syncProducts(call, syncKey, {
      products: items(batch).map(({ id, n }) => ({ id, title: `Lamp ${n}`, price: `${n} EUR` })),
    })
  const importDocuments = (batch: number) =>
    call('POST /api/manage/v1/bots/{botId}/documents', {
      token: ADMIN_TOKEN,
      params: { botId },
      body: {
        documents: items(batch).map(({ id, n }) => ({ id, title: `Page ${n}`, text: `Text ${n} of ${batch}.` })),
      },
    })

  async function repeat(
    send: (batch: number) => ReturnType<Call>,
    acknowledgedBatches: number[],
    acknowledge: () => void,
  ) {
    for (;;) {
      const batch = nextBatch()
      // The server is gone in the middle of one of them.
      const response = await send(batch).catch(() => null)
      if (!response) return
      if (response.status !== 200) throw new Error(`refused: ${response.status} ${response.text}`)
      acknowledgedBatches.push(batch)
      acknowledge()
    }
  }
  const ended = Promise.all([
    repeat(sync, acknowledgedBatches.products, oneSync.resolve),
    repeat(importDocuments, acknowledgedBatches.documents, oneImport.resolve),
  ])
  return { acknowledgedBoth: Promise.all([oneSync.promise, oneImport.promise]), ended }
}
