// A whole website, with everything that websites do wrong, becomes the bot's knowledge; skipped pages have a reason.

import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { page, startSite, type TestSite } from '../harness/external/test-site.ts'
import { docxOf, pdfOf } from '../harness/samples/sample-files.ts'
import { ADMIN_TOKEN } from '../harness/start-server.ts'
import { expectInOneAttempt } from '../harness/timing.ts'
import { pause } from '../harness/wait.ts'
import { search, start } from './crawl-bot.ts'

/** 200 readable pages, and one of everything that can go wrong. */
async function startMessySite(): Promise<TestSite> {
  const site = await startSite()
  const set = (path: string, handler: Parameters<typeof site.pages.set>[1]) => site.pages.set(path, handler)
  const numberedPaths = Array.from({ length: 180 }, (_, n) => `/p/${n}`)
  const special = [
    ...['/old', '/loop-a', '/self', '/away', '/endless/1', '/maze/', '/missing', '/huge', '/bomb', '/error'],
    ...['/broken', '/latin', '/canonical?b=1', '/noindex', '/header-noindex', '/private/x', '/hand%20book.pdf'],
    ...['/download?id=3', '/letter.docx', '/scan.pdf', '/sheet.xls'],
    ...['/picture', '/brotli', '/empty', '/deep', '/faq', '/plain', '/p/0?utm_source=mail#top', '/denied', '/flaky'],
    ...['https://elsewhere.example/', 'mailto:someone@example.com', 'http://10.0.0.1/secret', 'javascript:void(0)'],
  ]
  set('/robots.txt', {
    headers: { 'content-type': 'text/plain' },
    body: `User-agent: *\nDisallow: /\n\nUser-agent: DocentBot\nDisallow: /private/\nSitemap: ${site.url}/map.xml\n`,
  })
  set('/map.xml', `<sitemapindex><sitemap><loc>${site.url}/map-1.xml.gz</loc></sitemap></sitemapindex>`)
  const sitemapEntries = Array.from({ length: 9 }, (_, n) => `<url><loc>${site.url}/listed/${n}</loc></url>`).join('')
  set('/map-1.xml.gz', {
    headers: { 'content-type': 'application/gzip' },
    body: gzipSync(`<urlset>${sitemapEntries}</urlset>`),
  })
  for (let n = 0; n < 9; n++) set(`/listed/${n}`, page(`Listed ${n}`, `Only the sitemap knows this page ${n}.`))
  set('/', page('Start', 'The first page of the site.', [...numberedPaths.slice(0, 10), ...special]))
  for (const [n, path] of numberedPaths.entries()) {
    const links = numberedPaths.slice(n * 3 + 10, n * 3 + 13)
    set(
      path,
      page(`Page ${n}`, `Article number ${n} tells about subject ${n * 7919}.`, [
        ...links,
        '/',
        '/p/1',
        ...(n === 50 ? ['/copy'] : []),
      ]),
    )
  }
  set('/old', { status: 301, headers: { location: '/new' } })
  set('/new', page('New', 'The page behind the redirect.'))
  set('/loop-a', { status: 302, headers: { location: '/loop-b' } })
  set('/loop-b', { status: 302, headers: { location: '/loop-a' } })
  set('/self', { status: 302, headers: { location: '/self' } })
  set('/away', { status: 302, headers: { location: 'http://10.0.0.1/' } })
  site.fallback = (path) => {
    const endless = /^\/endless\/(\d+)$/.exec(path)?.[1]
    if (endless) return page(`Endless ${endless}`, `Step ${endless} of many.`, [`/endless/${Number(endless) + 1}`])
    if (path.startsWith('/maze/')) return page(path, `Maze at ${path}.`, ['deeper/', 'deeper/deeper/'])
    return undefined
  }
  set('/huge', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    const chunk = Buffer.alloc(1024 * 1024, 'a ')
    let chunksLeft = 50
    const more = () => {
      while (chunksLeft-- > 0) if (!response.write(chunk)) return void response.once('drain', more)
      response.end()
    }
    more()
    return undefined
  })
  const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, ' '))
  set('/bomb', { headers: { 'content-encoding': 'gzip' }, body: bomb })
  set('/error', { status: 500 })
  set('/denied', { status: 403 })
  let flaky = 0
  set('/flaky', () => (flaky++ === 0 ? { status: 503 } : page('Flaky', 'It answers when asked again.')))
  set('/broken', '<html><body><div><p>Broken <b>markup <table><tr><td>still <i>reads</p></div></html')
  set('/latin', {
    headers: { 'content-type': 'text/html' },
    body: Buffer.from(
      '<html><meta charset="iso-8859-1"><title>Gr\xfc\xdfe</title><p>Sch\xf6ne Stra\xdfe.</p></html>',
      'latin1',
    ),
  })
  set('/copy', page('Page 2', `Article number 2 tells about subject ${2 * 7919}.`))
  set('/canonical?b=1', page('Canonical', 'Said once.', [], '<link rel="canonical" href="/canonical">'))
  set('/canonical', page('Canonical', 'Said once.', [], '<link rel="canonical" href="/canonical">'))
  set('/noindex', page('Hidden', 'Not to be told.', ['/behind-noindex'], '<meta name="robots" content="noindex">'))
  set('/behind-noindex', page('Behind', 'Reached through a page that is not told.'))
  set('/header-noindex', {
    headers: { 'x-robots-tag': 'noindex, nofollow' },
    body: page('No', 'No.', ['/behind-header']),
  })
  const handbook = pdfOf([[{ text: 'The ferry carries bicycles for free.', size: 12 }]])
  const asPdf = { 'content-type': 'application/pdf' }
  set('/hand%20book.pdf', { headers: asPdf, body: handbook })
  set('/download?id=3', { headers: asPdf, body: pdfOf([[{ text: 'A file without a name.', size: 12 }]]) })
  set('/letter.docx', {
    headers: { 'content-type': 'application/octet-stream' },
    body: docxOf('<w:p><w:r><w:t>A letter to everybody.</w:t></w:r></w:p>'),
  })
  set('/scan.pdf', { headers: asPdf, body: pdfOf([[]]) })
  set('/picture', { headers: { 'content-type': 'image/png' }, body: 'no text' })
  set('/brotli', {
    headers: { 'content-encoding': 'br' },
    body: brotliCompressSync(page('Packed', 'Packed with brotli.')),
  })
  set('/empty', '<html><body><script>render()</script></body></html>')
  set('/deep', `${'<div>'.repeat(5000)}<p>A text below five thousand elements.`)
  set('/plain', { headers: { 'content-type': 'text/plain' }, body: 'A plain text.\n\nWith two paragraphs.' })
  const faq = {
    '@type': 'FAQPage',
    mainEntity: [
      {
        '@type': 'Question',
        name: 'Is there a guarantee?',
        acceptedAnswer: { text: '<p>Yes, twelve years on every kayak.</p>' },
      },
    ],
  }
  set(
    '/faq',
    page(
      'Questions',
      'Answers to what people ask.',
      [],
      `<script type="application/ld+json">${JSON.stringify(faq)}</script>`,
    ),
  )
  return site
}

describe.each(engines)('on %s', (engine) => {
  test('a messy website is crawled completely: every readable page, and a reason for every other', async () => {
    const site = await startMessySite()
    const server = await start(engine, { CRAWL_TIMEOUT_SECONDS: '120', CRAWL_HOST_CONCURRENCY: '4' })
    const { id, crawl } = await server.readAll({ url: `${site.url}/` })
    const pages = await server.crawls.pages(id)
    const told = (path: string) => {
      const { state, reason } = pages.get(path) ?? {}
      return [path, state, reason]
    }
    const donePages = [...pages.values()].filter(({ kind, state }) => kind === 'page' && state === 'done')
    const namedPaths = [
      '/',
      '/new',
      '/broken',
      '/latin',
      '/canonical',
      '/behind-noindex',
      '/brotli',
      '/deep',
      '/plain',
      '/faq',
      '/hand%20book.pdf',
      '/download?id=3',
      '/letter.docx',
    ]
    const expected = [...namedPaths, '/flaky', '/maze/', '/maze/deeper/', '/maze/deeper/deeper/']
    for (const path of expected) expect(told(path)).toEqual([path, 'done', null])
    for (let n = 0; n < 180; n++) expect(told(`/p/${n}`)).toEqual([`/p/${n}`, 'done', null])
    for (let n = 0; n < 9; n++) expect(told(`/listed/${n}`)).toEqual([`/listed/${n}`, 'done', null])
    const endless = donePages.filter(({ url }) => String(url).includes('/endless/'))
    expect(endless.length).toBeLessThanOrEqual(25)
    expect(donePages).toHaveLength(expected.length + 180 + 9 + endless.length)

    const others = {
      '/old': ['skipped', 'redirect'],
      '/loop-a': ['skipped', 'redirect'],
      '/loop-b': ['skipped', 'redirect'],
      '/self': ['failed', 'too_many_redirects'],
      '/away': ['skipped', 'redirect_off_site'],
      '/missing': ['failed', 'not_found'],
      '/huge': ['failed', 'too_large'],
      '/bomb': ['failed', 'too_large'],
      '/error': ['failed', 'http_status'],
      '/denied': ['failed', 'http_status'],
      '/copy': ['skipped', 'duplicate'],
      '/canonical?b=1': ['skipped', 'canonical'],
      '/noindex': ['skipped', 'noindex'],
      '/header-noindex': ['skipped', 'noindex'],
      '/private/x': ['skipped', 'robots'],
      '/scan.pdf': ['failed', 'no_text'],
      '/sheet.xls': ['skipped', 'unsupported_type'],
      '/picture': ['skipped', 'unsupported_type'],
      '/empty': ['skipped', 'empty'],
      '/endless/26': ['skipped', 'too_deep'],
      '/maze/deeper/deeper/deeper/': ['skipped', 'trap'],
      '/behind-header': [undefined, undefined],
      '/p/0?utm_source=mail': [undefined, undefined],
    }
    for (const [path, outcome] of Object.entries(others)) expect(told(path)).toEqual([path, ...outcome])
    expect(pages.get('/copy')?.related_url).toBe(`${site.url}/p/2`)
    expect(pages.get('/error')).toMatchObject({ status_code: 500 })
    expect(site.requestedPaths.filter((path) => path === '/error')).toHaveLength(3)
    expect(site.requestedPaths).not.toContain('/private/x')
    expect(site.headers.get('/p/1')?.['user-agent']).toMatch(/^DocentBot\/[\d.]+ \(\+https:\/\/docent\.test\)$/)

    expect(crawl).toMatchObject({ state: 'done', reason: null, limit_reached: false, runs: 1 })
    expect(crawl.pages).toMatchObject({ done: donePages.length, waiting: 0, gone: 0, unchanged: 0 })
    expect((await search(server, server.botId, 'bicycles ferry'))[0]).toMatchObject({
      title: 'hand book',
      url: `${site.url}/hand%20book.pdf`,
    })
    expect(await search(server, server.botId, 'subject 791900 article 100')).toMatchObject([
      { title: 'Page 100' },
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
    ])
    const [latin] = await search(server, server.botId, 'Schöne Straße')
    expect(latin).toMatchObject({ title: 'Grüße', passage: 'Schöne Straße.' })
    const [faq] = await search(server, server.botId, 'guarantee on a kayak')
    expect(faq).toMatchObject({ title: 'Questions', passage: 'Yes, twelve years on every kayak.' })
    const [first] = await search(server, server.botId, 'Article number 5 tells about subject')
    expect(first.passage).not.toMatch(/cookies|Imprint|Frame of/)
  })

  test('deleting a crawl deletes its documents, and no others', async () => {
    const site = await startSite({
      '/': page('Start', 'Of the crawl.', ['/more']),
      '/more': page('More', 'Of the crawl too.'),
    })
    const { call, botId, crawls, readAll } = await start(engine)
    const documents = [{ title: 'Own', text: 'Written by hand.' }]
    await call('POST /api/manage/v1/bots/{botId}/documents', {
      token: ADMIN_TOKEN,
      params: { botId },
      body: { documents },
    })
    const { id } = await readAll({ url: site.url })
    expect(await crawls.documents()).toHaveLength(3)
    expect((await crawls.remove(id)).status).toBe(204)
    expect(await crawls.documents()).toMatchObject([{ title: 'Own', crawl_id: null }])
    expect(await search({ call }, botId, 'Of the crawl')).toEqual([])
    expect((await crawls.remove(id)).status).toBe(404)
  })

  test('a running crawl can be stopped at once, and the next run starts over', async () => {
    const site = await startSite()
    let last = 5
    site.fallback = (path) => () => {
      const n = Number(path.slice(1)) || 0
      if (path === '/robots.txt' || path === '/sitemap.xml' || n > 40) return { status: 404 }
      return n > last ? undefined : page(`Page ${n}`, `Text ${n}.`, [`/${n + 1}`])
    }
    const { crawls, runToEnd } = await start(engine)
    const { body } = await crawls.create({ url: `${site.url}/1`, max_pages: 12 })
    await expect.poll(async () => (await crawls.find(body.id)).pages.done).toBeGreaterThan(2)
    const stopResponse = await crawls.stop(body.id)
    expect(stopResponse.body).toMatchObject({ state: 'stopped' })
    expect([...(await crawls.pages(body.id, { state: 'fetching' })).keys()]).toEqual([])
    const requestCount = site.requestedPaths.length
    await pause(200)
    expect(site.requestedPaths.length).toBe(requestCount)
    last = 40
    await crawls.run(body.id)
    expect(await runToEnd(body.id)).toMatchObject({
      state: 'done',
      limit_reached: true,
      pages: { found: 12, waiting: 0 },
    })
  })
})

test('a page that never ends is abandoned after the time limit', async () => {
  await expectInOneAttempt(async (attempt) => {
    const site = await startSite({
      '/': page('Start', 'The start.', ['/slow']),
      '/slow': (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).write('<p>never'),
    })
    const { crawls, readAll } = await start('sqlite', { CRAWL_TIMEOUT_SECONDS: String(attempt) })
    const { id, crawl } = await readAll({ url: site.url })
    expect(crawl).toMatchObject({ state: 'done', pages: { done: 1, failed: 1 } })
    expect((await crawls.pages(id)).get('/slow')).toMatchObject({ state: 'failed', reason: 'timeout' })
  })
})

test('a crawl that starts at a sitemap fetches only the pages in it', async () => {
  const site = await startSite({
    '/one': page('One', 'First.', ['/unlisted']),
    '/two': page('Two', 'Second.'),
    '/unlisted': page('No', 'No.'),
  })
  site.pages.set('/sitemap.xml', `<urlset><url><loc>${site.url}/one</loc></url><url><loc>/two</loc></url></urlset>`)
  const { crawls, readAll } = await start('sqlite')
  await readAll({ url: `${site.url}/sitemap.xml` })
  expect((await crawls.documents()).map(({ title }) => title).sort()).toEqual(['One', 'Two'])
})

test('the sitemap is read even if robots.txt could not be fetched at first', async () => {
  let calls = 0
  const site = await startSite({
    '/robots.txt': () => ({ status: calls++ === 0 ? 503 : 404 }),
    '/': page('Start', 'The start.'),
    '/sitemap.xml': '<urlset><url><loc>/listed</loc></url></urlset>',
    '/listed': page('Listed', 'Only in the sitemap.'),
  })
  const { readAll } = await start('sqlite')
  expect((await readAll({ url: site.url })).crawl).toMatchObject({ state: 'done', pages: { done: 2 } })
})

test('pages can be listed without the sitemaps, as they are counted', async () => {
  const site = await startSite({ '/': page('Start', 'The start.') })
  const { crawls, readAll } = await start('sqlite')
  const { id, crawl } = await readAll({ url: site.url })
  expect(crawl.pages).toMatchObject({ found: 1, skipped: 0 })
  const pathsOf = async (query = {}) => [...(await crawls.pages(id, query)).keys()].sort()
  expect(await pathsOf()).toEqual(['/', '/sitemap.xml'])
  expect(await pathsOf({ kind: 'page' })).toEqual(['/'])
  expect(await pathsOf({ kind: 'page', state: 'skipped' })).toEqual([])
  expect(await pathsOf({ kind: 'sitemap', state: 'skipped' })).toEqual(['/sitemap.xml'])
})

test('a page without a title at a very long URL is added', async () => {
  const long = `/${'x'.repeat(1500)}`
  const site = await startSite({ '/': page('Start', 'The start.', [long]), [long]: '<p>A text without a title.</p>' })
  const { crawls, readAll } = await start('sqlite')
  expect((await readAll({ url: site.url })).crawl.pages).toMatchObject({ done: 2, failed: 0 })
  expect((await crawls.documents()).map(({ title }) => title.length).sort()).toEqual([5, 500])
})
