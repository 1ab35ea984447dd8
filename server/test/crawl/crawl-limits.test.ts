// Whatever a website sends, it does not block other work.
import { expect, onTestFinished, test } from 'vitest'
import { openHostGate } from '../../src/sources/crawl/host-gate.ts'
import { findPages, normaliseUrl, toLinks } from '../../src/sources/crawl/page-urls.ts'
import { parseRobots } from '../../src/sources/crawl/robots.ts'
import { makeReadPage } from '../../src/sources/crawl/visit-page.ts'
import { startExtractor } from '../../src/sources/extraction/extractor.ts'
import { Unreadable } from '../../src/sources/extraction/parse-thread.ts'
import { readHead } from '../../src/sources/extraction/read-head.ts'
import { longestBlockMs, measureCpuMs } from '../harness/event-loop.ts'
import { expectBelow } from '../harness/timing.ts'

test('a URL with thousands of tracking parameters is processed quickly', async () => {
  const href = `https://example.test/?${Array.from({ length: 5000 }, (_, n) => `utm_${n}=1`).join('&')}`
  await expectBelow(100, () => measureCpuMs(() => expect(normaliseUrl(href)).toBeNull()))
  expect(readHead(`<a href="${href}">x</a><a href="/short">y</a>`).links).toEqual(['/short'])
})

test('parameters that are kept are not changed, with or without removed ones next to them', () => {
  const plain = 'https://example.test/a?q=a%20b&&x=%C3%A4'
  expect(normaliseUrl('https://example.test/a?utm_source=x&q=a%20b&x=%C3%A4&gclid=y')).toBe(normaliseUrl(plain))
})

test('robots.txt lines of spaces, or longer than any URL, are processed quickly', async () => {
  const spaces = ' '.repeat(100_000)
  let rules = parseRobots('')
  await expectBelow(200, () =>
    measureCpuMs(() => {
      rules = parseRobots(`x${spaces}y\nuser-agent:${spaces}*${spaces}\nDisallow: /a${spaces}b\nDisallow: /c${spaces}`)
    }),
  )
  expect([rules.allows('/a'), rules.allows('/c')]).toEqual([true, false])
})

test('parsing a sitemap with many URLs does not block other work', async () => {
  const links = Array.from({ length: 20_000 }, (_, n) => `/shelf/${n}/page?id=${n}&utm_source=map`)
  const crawl = { url: 'https://example.test/', hosts: [], include: ['/shelf/'], exclude: ['/private/'] }
  let pages: unknown[] = []
  await expectBelow(100, () =>
    longestBlockMs(async () => {
      pages = await findPages(toLinks(links), { crawl, base: crawl.url, depth: 1, kind: 'page' })
    }),
  )
  expect(pages).toHaveLength(20_000)
})

test('stopping a crawl that waits for a host ends its wait at once and affects no other crawl', async () => {
  const gate = openHostGate(1)
  const still = new AbortController()
  const abort = new AbortController()
  let release = () => {}
  const first = gate.run('a.test', 0, still.signal, () => new Promise<void>((resolve) => (release = resolve)))
  const second = gate.run('a.test', 0, abort.signal, async () => 'second')
  const third = gate.run('a.test', 0, still.signal, async () => 'third')
  abort.abort()
  await expect(second).rejects.toThrow(/abort/i)
  release()
  await first
  expect(await third).toBe('third')
  expect(await gate.run('a.test', 0, still.signal, async () => 'fourth')).toBe('fourth')
})

test('a page that cannot be split into passages is unreadable, keeps its old document, and hides no duplicate', async () => {
  const extractor = startExtractor()
  onTestFinished(() => extractor.close())
  const readPage = makeReadPage({
    extractor,
    pages: { find: async () => undefined, findCopy: async () => undefined },
    async storePage(_crawl, { url }) {
      if (url.endsWith('/long')) throw new Unreadable('This document takes longer than 30 seconds to read.')
      return 'stored'
    },
    findWorkspaceId: async () => 'workspace',
    sitemapBytes: 1000,
  })
  const crawl = { botId: 'bot', id: 'crawl', url: 'https://example.test/', hosts: [], include: [], exclude: [] }
  const read = (path: string) => {
    const page = { id: path, kind: 'page', url: `https://example.test${path}`, depth: 1, misses: 0, documentId: null }
    const body = Buffer.from('<title>Kites</title><p>A kite is mended within two weeks.</p><a href="/more">More</a>')
    const answer = { status: 200, headers: { 'content-type': 'text/html' }, body }
    return readPage(crawl as never, page as never, answer as never, { statusCode: 200, fetchedAt: 1 })
  }
  const long = await read('/long')
  expect(long.outcome).toMatchObject({ state: 'failed', reason: 'unreadable', statusCode: 200 })
  expect(long.removesDocument).toBe(false)
  expect((await read('/copy')).outcome).toMatchObject({ state: 'done', reason: null, documentId: 'stored' })
})
