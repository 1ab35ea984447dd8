// A crawl that is interrupted at any point resumes, on the same node or another.
import { expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { runStatement } from '../harness/database/rows.ts'
import { crawlCalls, page, startSite, waitForCrawl } from '../harness/external/test-site.ts'
import { createTestDatabase, type StartedProcess, startProcess } from '../harness/start-process.ts'
import { botCreator, startServer } from '../harness/start-server.ts'
import { measureMs } from '../harness/timing.ts'
import { WAIT_TIMEOUT_MS } from '../harness/wait.ts'

const PAGES = 60
const LEASE_MS = 20_000
const environment = { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1', CRAWL_TIMEOUT_SECONDS: '120' }
/** Half as long as a page is waited for. */
const MAX_STOP_MS = WAIT_TIMEOUT_MS / 2

/** Pages that link to each other and to two missing ones. After a number of calls, none is answered any more. */
async function startChain(pages = PAGES) {
  const site = await startSite()
  const pageCalls = () => site.requestedPaths.filter((path) => !path.includes('.')).length
  const chain = { site, url: site.url, pageCalls, answers: Number.POSITIVE_INFINITY }
  site.fallback = (path) => () => {
    const n = path === '/' ? 0 : Number(/^\/(\d+)$/.exec(path)?.[1] ?? Number.NaN)
    if (!(n < pages)) return { status: 404 }
    if (pageCalls() > chain.answers) return undefined
    const links = [3 * n + 1, 3 * n + 2, 3 * n + 3].filter((link) => link < pages + 2).map((link) => `/${link}`)
    return page(`Page ${n}`, `What page ${n} says.`, links)
  }
  return chain
}

test.each(engines)('killed in the middle on %s, it completes and fetches hardly any page twice', async (engine) => {
  const chain = await startChain()
  const database = await createTestDatabase(engine)
  const start = () => startProcess({ database, environment })
  let server: StartedProcess = await start()
  const { botId } = await botCreator(server.call)()
  chain.answers = 8
  const { body } = await crawlCalls(server.call, botId).create({ url: chain.url })
  // One kill is enough where another start costs more than the crawl.
  for (const answers of engine === 'sqlite' ? [25, Number.POSITIVE_INFINITY] : [Number.POSITIVE_INFINITY]) {
    await expect.poll(chain.pageCalls).toBeGreaterThan(chain.answers)
    await server.stop('SIGKILL')
    expect(chain.pageCalls()).toBeLessThan(PAGES)
    // Another node waits until the lease has expired.
    if (engine === 'postgres')
      await runStatement(database, `UPDATE crawls SET leased_until = leased_until - ${LEASE_MS}`)
    chain.answers = answers
    server = await start()
  }
  const crawls = crawlCalls(server.call, botId)
  const crawl = await waitForCrawl(crawls, body.id)
  expect(crawl).toMatchObject({ state: 'done', runs: 1, pages: { done: PAGES, failed: 2, waiting: 0 } })
  const titles = (await crawls.documents()).map(({ title }) => title)
  expect(new Set(titles)).toEqual(new Set(Array.from({ length: PAGES }, (_, n) => `Page ${n}`)))
  expect(titles).toHaveLength(PAGES)
  // At most the pages in flight at each kill.
  expect(chain.pageCalls()).toBeLessThanOrEqual(PAGES + 2 + 2 * 4)
})

test.each(engines)('the server stops quickly during a crawl on %s, and the next start resumes it', async (engine) => {
  const chain = await startChain()
  chain.answers = 8
  const database = await createTestDatabase(engine)
  const first = await startServer(engine, { database, environment })
  const { botId } = await first.createBot()
  const { body } = await crawlCalls(first.call, botId).create({ url: chain.url })
  await expect.poll(chain.pageCalls).toBeGreaterThan(8)
  expect(await measureMs(first.stop)).toBeLessThan(MAX_STOP_MS)
  chain.answers = Number.POSITIVE_INFINITY
  const second = await startServer(engine, { database, environment })
  const crawls = crawlCalls(second.call, botId)
  expect(await waitForCrawl(crawls, body.id)).toMatchObject({ state: 'done', runs: 1, pages: { done: PAGES } })
})

test('a server stop while waiting for robots.txt loses no sitemap', async () => {
  let calls = 0
  const site = await startSite({
    '/robots.txt': () => (calls++ === 0 ? undefined : { status: 404 }),
    '/': page('Start', 'The start.'),
    '/sitemap.xml': '<urlset><url><loc>/listed</loc></url></urlset>',
    '/listed': page('Listed', 'Only in the sitemap.'),
  })
  const database = await createTestDatabase('sqlite')
  const first = await startServer('sqlite', { database, environment })
  const { botId } = await first.createBot()
  const { body } = await crawlCalls(first.call, botId).create({ url: site.url })
  await expect.poll(() => calls).toBe(1)
  expect(await measureMs(first.stop)).toBeLessThan(MAX_STOP_MS)
  const second = await startServer('sqlite', { database, environment })
  expect(await waitForCrawl(crawlCalls(second.call, botId), body.id)).toMatchObject({
    state: 'done',
    pages: { done: 2 },
  })
})

test('two nodes on one database share the crawls, and no page is fetched by both', async () => {
  const database = await createTestDatabase('postgres')
  const sites = await Promise.all(Array.from({ length: 4 }, () => startChain(30)))
  const nodes = [
    await startServer('postgres', { database, environment }),
    await startServer('postgres', { database, environment }),
  ]
  const [node] = nodes
  if (!node) throw new Error('no node')
  const { botId } = await node.createBot()
  const crawls = crawlCalls(node.call, botId)
  const ids = await Promise.all(sites.map(async ({ url }) => (await crawls.create({ url })).body.id as string))
  for (const id of ids) expect(await waitForCrawl(crawls, id)).toMatchObject({ state: 'done', pages: { done: 30 } })
  for (const { site } of sites) {
    const pages = site.requestedPaths.filter((path) => !path.includes('.'))
    expect(new Set(pages).size).toBe(pages.length)
  }
})
