// A crawl that is cut off at any point goes on where it was, on this node or another.
import { expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { crawlCalls, finished, page, startSite } from '../harness/outside/test-site.ts'
import { type StartedProcess, startProcess, testDatabase } from '../harness/start-process.ts'
import { botCreator, startServer } from '../harness/start-server.ts'

const PAGES = 60
const environment = { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1', CRAWL_HOST_DELAY_MS: '25' }

async function startChain() {
  const site = await startSite()
  site.otherwise = (path) => {
    const n = path === '/' ? 0 : Number(/^\/(\d+)$/.exec(path)?.[1] ?? Number.NaN)
    if (!(n < PAGES)) return undefined
    return page(`Page ${n}`, `What page ${n} says.`, [`/${3 * n + 1}`, `/${3 * n + 2}`, `/${3 * n + 3}`])
  }
  return site
}

test.each(engines)(
  'killed in the middle on %s, it ends whole, and hardly a page is asked for twice',
  {
    timeout: 150_000,
  },
  async (engine) => {
    const site = await startChain()
    const database = await testDatabase(engine)
    const start = () => startProcess({ database, environment })
    let server: StartedProcess = await start()
    const { botId } = await botCreator(server.call)()
    const { body } = await crawlCalls(server.call, botId).create({ url: site.url })
    const pageCalls = () => site.asked.filter((path) => !path.includes('.')).length
    // Another node waits until the lease has run out, so once is enough there.
    for (const least of engine === 'sqlite' ? [8, 25] : [20]) {
      await expect.poll(pageCalls, { timeout: 60_000 }).toBeGreaterThanOrEqual(least)
      await server.stop('SIGKILL')
      expect(pageCalls()).toBeLessThan(PAGES)
      server = await start()
    }
    const crawls = crawlCalls(server.call, botId)
    const crawl = await finished(crawls, body.id, { timeoutMs: 90_000 })
    expect(crawl).toMatchObject({ state: 'done', runs: 1, pages: { done: PAGES, waiting: 0 } })
    const titles = (await crawls.documents()).map(({ title }) => title)
    expect(new Set(titles)).toEqual(new Set(Array.from({ length: PAGES }, (_, n) => `Page ${n}`)))
    expect(titles).toHaveLength(PAGES)
    // At most what was under way at each kill.
    expect(pageCalls()).toBeLessThanOrEqual(PAGES + 2 * 4 + (await failedTwice(crawls, body.id)))
  },
)

/** Links beyond the last page are asked for once each. */
async function failedTwice(crawls: ReturnType<typeof crawlCalls>, id: string): Promise<number> {
  return (await crawls.pages(id, { state: 'failed' })).size
}

test.each(engines)('a stop of the server in the middle is quick on %s, and the next start goes on', async (engine) => {
  const site = await startChain()
  const database = await testDatabase(engine)
  const first = await startServer(engine, { database, environment })
  const { botId } = await first.createBot()
  const { body } = await crawlCalls(first.call, botId).create({ url: site.url })
  await expect.poll(() => site.asked.length, { timeout: 20_000 }).toBeGreaterThan(8)
  const stopping = performance.now()
  await first.stop()
  expect(performance.now() - stopping).toBeLessThan(5000)
  const second = await startServer(engine, { database, environment })
  const crawls = crawlCalls(second.call, botId)
  expect(await finished(crawls, body.id)).toMatchObject({ state: 'done', runs: 1, pages: { done: PAGES } })
})

test('a stop while robots.txt keeps the start waiting loses no sitemap', async () => {
  let calls = 0
  const site = await startSite({
    '/robots.txt': () => (calls++ === 0 ? undefined : { status: 404 }),
    '/': page('Start', 'The start.'),
    '/sitemap.xml': '<urlset><url><loc>/listed</loc></url></urlset>',
    '/listed': page('Listed', 'Only in the sitemap.'),
  })
  const database = await testDatabase('sqlite')
  const first = await startServer('sqlite', { database, environment })
  const { botId } = await first.createBot()
  const { body } = await crawlCalls(first.call, botId).create({ url: site.url })
  await expect.poll(() => calls, { timeout: 20_000 }).toBe(1)
  const stopping = performance.now()
  await first.stop()
  expect(performance.now() - stopping).toBeLessThan(5000)
  const second = await startServer('sqlite', { database, environment })
  expect(await finished(crawlCalls(second.call, botId), body.id)).toMatchObject({ state: 'done', pages: { done: 2 } })
})

test('two nodes on one database share the crawls, and no page is read by both', async () => {
  const database = await testDatabase('postgres')
  const sites = await Promise.all(Array.from({ length: 4 }, startChain))
  const nodes = [
    await startServer('postgres', { database, environment }),
    await startServer('postgres', { database, environment }),
  ]
  const [node] = nodes
  if (!node) throw new Error('no node')
  const { botId } = await node.createBot()
  const crawls = crawlCalls(node.call, botId)
  const ids = await Promise.all(sites.map(async ({ url }) => (await crawls.create({ url })).body.id as string))
  for (const id of ids) expect(await finished(crawls, id)).toMatchObject({ state: 'done', pages: { done: PAGES } })
  for (const { asked } of sites) {
    const pages = asked.filter((path) => !path.includes('.'))
    expect(new Set(pages).size).toBe(pages.length)
  }
})
