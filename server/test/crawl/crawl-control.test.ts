// Fairness between crawls, and stopping and deleting them.

import { expect, test } from 'vitest'
import { DAY_MS } from '../../src/days.ts'
import { engines } from '../harness/database/databases.ts'
import { queryRows, runStatement } from '../harness/database/rows.ts'
import { crawlCalls, page, startSite } from '../harness/external/test-site.ts'
import { ADMIN_TOKEN } from '../harness/start-server.ts'
import { measureMs } from '../harness/timing.ts'
import { pause, WAIT_TIMEOUT_MS } from '../harness/wait.ts'
import { search, start } from './crawl-bot.ts'

test('while robots.txt cannot be fetched, no page is fetched and robots.txt is retried', async () => {
  const site = await startSite({ '/': page('Start', 'Text.'), '/robots.txt': { status: 503 } })
  const { readAll } = await start('sqlite')
  const { crawl } = await readAll({ url: site.url })
  expect(crawl).toMatchObject({ state: 'failed', reason: 'robots_unreachable', pages: { done: 0 } })
  expect(site.requestedPaths).not.toContain('/')
  expect(site.requestedPaths.filter((path) => path === '/robots.txt').length).toBeGreaterThanOrEqual(3)
})

test('a site that asks to slow down is called again after the time it named', async () => {
  let calls = 0
  const site = await startSite({
    '/': () => (calls++ === 0 ? { status: 429, headers: { 'retry-after': '120' } } : page('Start', 'Text.')),
  })
  const { crawls, clock } = await start('sqlite')
  const { body } = await crawls.create({ url: site.url })
  await expect.poll(async () => (await crawls.pages(body.id)).get('/')?.reason).toBe('http_status')
  const startPage = (await crawls.pages(body.id)).get('/')
  expect(Date.parse(String(startPage?.next_attempt_at)) - clock.now).toBe(120_000)
  clock.now += 120_000
  await expect.poll(async () => (await crawls.find(body.id)).state).toBe('done')
})

test.each(engines)('delays are shortened when the clock is set back by a day, on %s', async (engine) => {
  let calls = 0
  const site = await startSite({
    '/': () => (calls++ === 0 ? { status: 429, headers: { 'retry-after': '120' } } : page('Start', 'Text.')),
  })
  const { crawls, clock, database, runToEnd } = await start(engine)
  const { body } = await crawls.create({ url: site.url, every_hours: 6 })
  await expect.poll(() => calls).toBe(1)
  const dueIn = async () => {
    const [row] = await queryRows(database, 'SELECT due_at, leased_until FROM crawls')
    return { due: Number(row?.due_at) - clock.now, lease: Number(row?.leased_until) - clock.now }
  }
  await expect.poll(async () => (await dueIn()).due).toBe(120_000)
  clock.now -= DAY_MS
  await expect.poll(async () => (await dueIn()).due).toBe(3_600_000)
  clock.now += 3_600_000
  expect(await runToEnd(body.id)).toMatchObject({ state: 'done', runs: 1 })
  // Leased by a node that no longer runs.
  await runStatement(database, `UPDATE crawls SET lease = 'gone', leased_until = ${clock.now + 20_000}`)
  clock.now -= DAY_MS
  await expect.poll(dueIn).toEqual({ due: 6 * 3_600_000, lease: 20_000 })
  clock.now += 6 * 3_600_000
  await expect.poll(async () => (await crawls.find(body.id)).runs).toBe(2)
})

test('a huge crawl does not delay a small one of another workspace', async () => {
  const site = await startSite()
  site.fallback = (path) => (_request, response) => {
    if (path === '/robots.txt' || path === '/sitemap.xml') return { status: 404 }
    const links = path === '/' ? Array.from({ length: 400 }, (_, n) => `/${n}`) : []
    setTimeout(
      () => response.writeHead(200, { 'content-type': 'text/html' }).end(page(path, `Text ${path}`, links)),
      20,
    )
    return undefined
  }
  const small = await startSite({ '/': page('Small', 'A small site.') })
  const server = await start('sqlite', { CRAWL_CONCURRENCY: '1' })
  const huge = await server.crawls.create({ url: site.url })
  await expect.poll(async () => (await server.crawls.find(huge.body.id)).state).toBe('running')
  const otherCrawls = crawlCalls(server.call, (await server.createBot()).botId)
  server.clock.now += 1000
  const { body } = await otherCrawls.create({ url: small.url })
  server.clock.now += 1000
  await expect.poll(async () => (await otherCrawls.find(body.id)).state).toBe('done')
  const still = await server.crawls.find(huge.body.id)
  expect(still.state).toBe('running')
  expect(still.pages.waiting).toBeGreaterThan(100)
})

test.each(engines)('a large crawl is deleted completely on %s', async (engine) => {
  const links = Array.from({ length: 430 }, (_, n) => `/${n}`)
  const site = await startSite({ '/': page('Start', 'The start.', links) })
  // Plain text is cheaper to parse.
  const headers = { 'content-type': 'text/plain' }
  for (const link of links) site.pages.set(link, { headers, body: `Text of ${link}.` })
  const { call, botId, crawls, readAll } = await start(engine, { CRAWL_HOST_CONCURRENCY: '8' })
  const { id, crawl } = await readAll({ url: site.url })
  expect(crawl.pages).toMatchObject({ done: 431 })
  expect((await crawls.remove(id)).status).toBe(204)
  expect(await crawls.documents()).toEqual([])
  expect(await search({ call }, botId, 'Text of')).toEqual([])
})

test.each(engines)('deleting a bot during its crawl causes no error, on %s', async (engine) => {
  let answer = () => {}
  const site = await startSite({
    '/': (_request, response) => {
      answer = () =>
        response.writeHead(200, { 'content-type': 'text/html' }).end(page('Start', 'The start.', ['/more']))
      return undefined
    },
  })
  const { call, botId, crawls, logs } = await start(engine)
  await crawls.create({ url: site.url })
  await expect.poll(() => site.requestedPaths.includes('/')).toBe(true)
  await call('DELETE /api/manage/v1/bots/{botId}', { token: ADMIN_TOKEN, params: { botId } })
  answer()
  await pause(1000)
  expect(
    logs()
      .split('\n')
      .filter((line) => line.includes('"level":50')),
  ).toEqual([])
})

test('a crawl that waits for a host busy with another crawl can be stopped at once', async () => {
  const site = await startSite()
  const heldResponses: (() => void)[] = []
  site.fallback = (path) => (_request, response) => {
    if (path === '/robots.txt' || path === '/sitemap.xml') return { status: 404 }
    heldResponses.push(() => response.end())
    return undefined
  }
  const { crawls } = await start('sqlite', { CRAWL_HOST_CONCURRENCY: '1', CRAWL_TIMEOUT_SECONDS: '120' })
  const first = await crawls.create({ url: `${site.url}/first` })
  await expect.poll(() => site.requestedPaths.includes('/first')).toBe(true)
  const second = await crawls.create({ url: `${site.url}/second` })
  await expect.poll(async () => (await crawls.pages(second.body.id, { state: 'fetching' })).size).toBe(1)
  const remove = async () => expect((await crawls.remove(second.body.id)).status).toBe(204)
  // Half as long as a page is waited for.
  expect(await measureMs(remove)).toBeLessThan(WAIT_TIMEOUT_MS / 2)
  expect((await crawls.stop(first.body.id)).body).toMatchObject({ state: 'stopped' })
  for (const end of heldResponses) end()
})
