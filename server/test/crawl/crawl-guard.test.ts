// A crawl never calls a private address: not by its settings, a link, a redirect or a changed DNS record.
import { expect, test } from 'vitest'
import { startDnsServer } from '../harness/external/dns-server.ts'
import { crawlCalls, page, startSite, waitForCrawl } from '../harness/external/test-site.ts'
import { hostileUrls, unsupportedUrls } from '../harness/samples/hostile-urls.ts'
import { startServer } from '../harness/start-server.ts'

async function start(environment: Record<string, string>) {
  const server = await startServer('sqlite', { environment })
  const { botId } = await server.createBot()
  const crawls = crawlCalls(server.call, botId)
  return { crawls, runToEnd: (id: string) => waitForCrawl(crawls, id, { clock: server.clock }) }
}

test('a hostile URL is refused when a crawl is created or changed', async () => {
  const { crawls } = await start({})
  const { body } = await crawls.create({ url: 'https://public.test/' })
  for (const url of [...hostileUrls, ...unsupportedUrls]) {
    for (const response of [await crawls.create({ url }), await crawls.patch(body.id, { url })]) {
      expect([url, response.status, response.body.error?.code]).toEqual([url, 400, 'validation_failed'])
      expect(response.body.error.details[0].path).toBe('url')
    }
  }
  expect((await crawls.find(body.id)).url).toBe('https://public.test/')
})

test('a link to a hostile URL is not followed, even to a host listed as the site’s own', async () => {
  // The test site itself is on loopback, so spellings of its own address are allowed here.
  const allowedUrl = /^http:\/\/(127\.0\.0\.1|(\w+\.)*localhost\.?|\[::ffff:7f00:1\])\/$/
  const hostile = [...new Set(hostileUrls.map((url) => new URL(url).href))].filter((url) => !allowedUrl.test(url))
  expect(hostile.length).toBeGreaterThan(40)
  const { crawls, runToEnd } = await start({ ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' })
  for (let from = 0; from < hostile.length; from += 20) {
    const links = hostile.slice(from, from + 20)
    const site = await startSite({ '/': page('Start', 'The start.', links) })
    const { body } = await crawls.create({ url: site.url, hosts: links.map((url) => new URL(url).host) })
    expect(await runToEnd(body.id)).toMatchObject({ failed: [{ reason: 'refused_address', pages: links.length }] })
  }
})

test('a redirect to a private address is not followed, even if its host is listed as the site’s own', async () => {
  const inner = await startSite({ '/': page('Inner', 'Secret of the inner network.') })
  const names = await startDnsServer()
  names.addresses.set('inner.test', [['10.0.0.9']])
  const site = await startSite({
    '/': page('Start', 'The start.', ['/a', '/b', '/c']),
    '/a': { status: 302, headers: { location: `http://localhost:${inner.port}/` } },
    '/b': { status: 307, headers: { location: 'http://169.254.169.254/latest/meta-data/' } },
    '/c': { status: 301, headers: { location: 'http://inner.test/' } },
  })
  const { crawls, runToEnd } = await start({ ALLOWED_PRIVATE_NETWORKS: '127.0.0.1', DNS_SERVERS: names.address })
  const { body } = await crawls.create({ url: site.url, hosts: ['169.254.169.254', 'inner.test'] })
  const crawl = await runToEnd(body.id)
  expect(crawl.failed).toEqual([{ reason: 'refused_address', pages: 2 }])
  expect((await crawls.pages(body.id)).get('/a')).toMatchObject({ state: 'skipped', reason: 'redirect_off_site' })
  expect(inner.requestedPaths).toEqual([])
})

test('a host that resolves to a private address after saving is refused, without revealing the address', async () => {
  const inner = await startSite({ '/': page('Inner', 'Secret.') })
  const names = await startDnsServer()
  names.addresses.set('rebind.test', [['8.8.8.8'], ['127.0.0.1']])
  const { crawls, runToEnd } = await start({ DNS_SERVERS: names.address })
  const { status, body } = await crawls.create({ url: `http://rebind.test:${inner.port}/` })
  expect(status).toBe(201)
  const crawl = await runToEnd(body.id)
  expect(crawl).toMatchObject({ state: 'failed', reason: 'refused_address' })
  expect(JSON.stringify([crawl, ...(await crawls.pages(body.id)).values()])).not.toContain('127.0')
  expect(inner.requestedPaths).toEqual([])
})

test('invalid crawl settings are reported field by field', async () => {
  const { crawls } = await start({ CRAWL_MAX_PAGES: '100' })
  const cases: [object, string][] = [
    [{}, 'url'],
    [{ url: 'https://public.test/', max_pages: 0 }, 'max_pages'],
    [{ url: 'https://public.test/', max_pages: 101 }, 'max_pages'],
    [{ url: 'https://public.test/', include: ['docs'] }, 'include.0'],
    [{ url: 'https://public.test/', exclude: '/a' }, 'exclude'],
    [{ url: 'https://public.test/', hosts: ['https://a.test'] }, 'hosts.0'],
    [{ url: 'https://public.test/', every_hours: 0.5 }, 'every_hours'],
  ]
  for (const [body, path] of cases) {
    const response = await crawls.create(body)
    expect([response.status, response.body.error.details[0].path]).toEqual([400, path])
  }
})

test('a bot has at most 50 crawls', async () => {
  const { crawls } = await start({ CRAWL_CONCURRENCY: '0' })
  for (let n = 0; n < 50; n++) expect((await crawls.create({ url: `https://site-${n}.test/` })).status).toBe(201)
  const response = await crawls.create({ url: 'https://one-more.test/' })
  expect([response.status, response.body.error.code]).toEqual([409, 'too_many_crawls'])
})
