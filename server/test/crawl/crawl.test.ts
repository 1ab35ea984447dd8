// A whole website, with everything that websites do wrong, becomes the bot's knowledge; the rest is told with its reason.
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../src/days.ts'
import { engines } from '../harness/database/databases.ts'
import { change, rows } from '../harness/database/rows.ts'
import { msOf } from '../harness/in-time.ts'
import { crawlCalls, finished, page, startSite, type TestSite } from '../harness/outside/test-site.ts'
import { docxOf, pdfOf } from '../harness/samples/sample-files.ts'
import { ADMIN_TOKEN, startServer, type TestServer } from '../harness/start-server.ts'

const onLoopback = { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' }

async function start(engine: (typeof engines)[number], environment: Record<string, string> = {}) {
  const server = await startServer(engine, { environment: { ...onLoopback, ...environment } })
  const { botId } = await server.createBot()
  const crawls = crawlCalls(server.call, botId)
  const runToEnd = async (id: string) => finished(crawls, id, { clock: server.clock })
  const readAll = async (body: object) => {
    const created = await crawls.create(body)
    expect([created.status, created.text]).toEqual([201, created.text])
    return { id: created.body.id as string, crawl: await runToEnd(created.body.id) }
  }
  return { ...server, botId, crawls, runToEnd, readAll }
}

async function search({ call }: Pick<TestServer, 'call'>, botId: string, q: string) {
  const params = { botId }
  return (await call('GET /api/manage/v1/bots/{botId}/search', { token: ADMIN_TOKEN, params, query: { q } })).body
    .results
}

/** 200 pages that are to be read, and around them one of everything that goes wrong. */
async function startWildSite(): Promise<TestSite> {
  const site = await startSite()
  const set = (path: string, handler: Parameters<typeof site.pages.set>[1]) => site.pages.set(path, handler)
  const numbered = Array.from({ length: 180 }, (_, n) => `/p/${n}`)
  const special = [
    ...['/old', '/loop-a', '/self', '/away', '/endless/1', '/maze/', '/missing', '/huge', '/bomb', '/slow', '/error'],
    ...['/broken', '/latin', '/canonical?b=1', '/noindex', '/header-noindex', '/private/x', '/hand%20book.pdf'],
    ...['/download?id=3', '/letter.docx', '/scan.pdf', '/sheet.xlsx'],
    ...['/picture', '/brotli', '/empty', '/deep', '/faq', '/plain', '/p/0?utm_source=mail#top', '/denied', '/flaky'],
    ...['https://elsewhere.example/', 'mailto:someone@example.com', 'http://10.0.0.1/secret', 'javascript:void(0)'],
  ]
  set('/robots.txt', {
    headers: { 'content-type': 'text/plain' },
    body: `User-agent: *\nDisallow: /\n\nUser-agent: DocentBot\nDisallow: /private/\nSitemap: ${site.url}/map.xml\n`,
  })
  set('/map.xml', `<sitemapindex><sitemap><loc>${site.url}/map-1.xml.gz</loc></sitemap></sitemapindex>`)
  const listed = Array.from({ length: 9 }, (_, n) => `<url><loc>${site.url}/listed/${n}</loc></url>`).join('')
  set('/map-1.xml.gz', {
    headers: { 'content-type': 'application/gzip' },
    body: gzipSync(`<urlset>${listed}</urlset>`),
  })
  for (let n = 0; n < 9; n++) set(`/listed/${n}`, page(`Listed ${n}`, `Only the sitemap knows this page ${n}.`))
  set('/', page('Start', 'The first page of the site.', [...numbered.slice(0, 10), ...special]))
  for (const [n, path] of numbered.entries()) {
    const links = numbered.slice(n * 3 + 10, n * 3 + 13)
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
  site.otherwise = (path) => {
    const endless = /^\/endless\/(\d+)$/.exec(path)?.[1]
    if (endless) return page(`Endless ${endless}`, `Step ${endless} of many.`, [`/endless/${Number(endless) + 1}`])
    if (path.startsWith('/maze/')) return page(path, `Maze at ${path}.`, ['deeper/', 'deeper/deeper/'])
    return undefined
  }
  set('/huge', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    const chunk = Buffer.alloc(1024 * 1024, 'a ')
    let left = 50
    const more = () => {
      while (left-- > 0) if (!response.write(chunk)) return void response.once('drain', more)
      response.end()
    }
    more()
    return undefined
  })
  const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, ' '))
  set('/bomb', { headers: { 'content-encoding': 'gzip' }, body: bomb })
  set('/slow', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).write('<p>never')
    return undefined
  })
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
  test('a wild website is read to its end: every page that can be, and the reason for every other', async () => {
    const site = await startWildSite()
    const server = await start(engine, { CRAWL_TIMEOUT_SECONDS: '1', CRAWL_HOST_CONCURRENCY: '4' })
    const { id, crawl } = await server.readAll({ url: `${site.url}/` })
    const pages = await server.crawls.pages(id)
    const told = (path: string) => {
      const { state, reason } = pages.get(path) ?? {}
      return [path, state, reason]
    }
    const read = [...pages.values()].filter(({ kind, state }) => kind === 'page' && state === 'done')
    const named = [
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
    const expected = [...named, '/flaky', '/maze/', '/maze/deeper/', '/maze/deeper/deeper/']
    for (const path of expected) expect(told(path)).toEqual([path, 'done', null])
    for (let n = 0; n < 180; n++) expect(told(`/p/${n}`)).toEqual([`/p/${n}`, 'done', null])
    for (let n = 0; n < 9; n++) expect(told(`/listed/${n}`)).toEqual([`/listed/${n}`, 'done', null])
    const endless = read.filter(({ url }) => String(url).includes('/endless/'))
    expect(endless.length).toBeLessThanOrEqual(25)
    expect(read).toHaveLength(expected.length + 180 + 9 + endless.length)

    const others = {
      '/old': ['skipped', 'redirect'],
      '/loop-a': ['skipped', 'redirect'],
      '/loop-b': ['skipped', 'redirect'],
      '/self': ['failed', 'too_many_redirects'],
      '/away': ['skipped', 'redirect_off_site'],
      '/missing': ['failed', 'not_found'],
      '/huge': ['failed', 'too_large'],
      '/bomb': ['failed', 'too_large'],
      '/slow': ['failed', 'timeout'],
      '/error': ['failed', 'http_status'],
      '/denied': ['failed', 'http_status'],
      '/copy': ['skipped', 'duplicate'],
      '/canonical?b=1': ['skipped', 'canonical'],
      '/noindex': ['skipped', 'noindex'],
      '/header-noindex': ['skipped', 'noindex'],
      '/private/x': ['skipped', 'robots'],
      '/scan.pdf': ['failed', 'unreadable'],
      '/sheet.xlsx': ['skipped', 'unsupported_type'],
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
    expect(site.asked.filter((path) => path === '/error')).toHaveLength(3)
    expect(site.asked).not.toContain('/private/x')
    expect(site.headers.get('/p/1')?.['user-agent']).toMatch(/^DocentBot\/[\d.]+ \(\+https:\/\/docent\.test\)$/)

    expect(crawl).toMatchObject({ state: 'done', reason: null, limit_reached: false, runs: 1 })
    expect(crawl.pages).toMatchObject({ done: read.length, waiting: 0, gone: 0, unchanged: 0 })
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

  test('a second run asks only what changed, and a page is removed when it is missing twice', async () => {
    const site = await startSite({
      '/': page('Start', 'The start.', ['/kept', '/changed', '/vanishing', '/tagged']),
      '/kept': page('Kept', 'This stays as it is.'),
      '/changed': page('Changed', 'The old text.'),
      '/vanishing': page('Vanishing', 'Here today.'),
      '/tagged': (request) =>
        request.headers['if-none-match'] === '"v1"'
          ? { status: 304 }
          : { headers: { etag: '"v1"' }, body: page('Tagged', 'Known by its tag.') },
    })
    const { crawls, readAll, runToEnd } = await start(engine)
    const { id, crawl } = await readAll({ url: site.url })
    expect(crawl.pages).toMatchObject({ found: 5, done: 5 })
    const titles = async () => (await crawls.documents()).map(({ title }) => title).sort()
    const all = ['Changed', 'Kept', 'Start', 'Tagged', 'Vanishing']
    expect(await titles()).toEqual(all)
    expect((await crawls.documents()).map(({ crawl_id }) => crawl_id)).toEqual(all.map(() => id))

    site.pages.set('/changed', page('Changed', 'The new text.'))
    site.pages.delete('/vanishing')
    expect((await crawls.run(id)).status).toBe(200)
    expect((await runToEnd(id)).pages).toMatchObject({ done: 1, unchanged: 3, failed: 1, gone: 0 })
    expect((await crawls.pages(id)).get('/tagged')).toMatchObject({ state: 'unchanged', status_code: 304 })
    expect(await titles()).toEqual(all)

    await crawls.run(id)
    expect((await runToEnd(id)).pages).toMatchObject({ done: 0, unchanged: 4, failed: 0, gone: 1 })
    expect(await titles()).toEqual(all.filter((title) => title !== 'Vanishing'))
    site.pages.set('/vanishing', page('Vanishing', 'Here again.'))
    await crawls.run(id)
    await runToEnd(id)
    expect(await titles()).toEqual(all)
  })

  test('a crawl with every_hours runs again by itself, and not once it is stopped', async () => {
    const site = await startSite({ '/': page('Start', 'First text.') })
    const { crawls, clock, readAll, runToEnd } = await start(engine)
    const { id, crawl } = await readAll({ url: site.url, every_hours: 6 })
    expect(Date.parse(crawl.next_run_at) - Date.parse(crawl.finished_at)).toBe(6 * 3_600_000)
    site.pages.set('/', page('Start', 'Second text.'))
    clock.now = Date.parse(crawl.next_run_at)
    await expect.poll(async () => (await crawls.find(id)).runs).toBe(2)
    expect((await runToEnd(id)).pages).toMatchObject({ done: 1 })
    await crawls.stop(id)
    expect(await crawls.find(id)).toMatchObject({ state: 'done', next_run_at: null })
  })

  test('a page whose lastmod is not newer than its last read is left alone, for a week', async () => {
    const site = await startSite({ '/': page('Start', 'Where it begins.') })
    const { crawls, clock, readAll, runToEnd } = await start(engine)
    const before = new Date(clock.now - 3_600_000).toISOString()
    const lastmods = new Map<string, string>([
      ...['/old', '/new', '/failing'].map((path): [string, string] => [path, before]),
      ['/today', before.slice(0, 10)],
      ['/strange', 'yesterday'],
    ])
    for (const path of lastmods.keys()) site.pages.set(path, page(path, `What ${path} says.`))
    site.pages.set('/failing', { status: 404 })
    site.pages.set('/sitemap.xml', () => {
      const urls = [...lastmods].map(([path, time]) => `<url><lastmod>${time}</lastmod><loc>${path}</loc></url>`)
      return `<urlset>${urls.join('')}</urlset>`
    })
    const { id } = await readAll({ url: site.url })
    const again = async (waitMs: number) => {
      clock.now += waitMs
      site.asked.length = 0
      await crawls.run(id)
      const { pages } = await runToEnd(id)
      return [site.asked.filter((path) => path.length > 1 && !/robots|sitemap/.test(path)).sort(), pages]
    }
    lastmods.set('/new', new Date(clock.now + 60_000).toISOString())
    expect(await again(120_000)).toEqual([
      ['/failing', '/new', '/strange', '/today'],
      expect.objectContaining({ unchanged: 5, failed: 1 }),
    ])
    expect((await again(2 * DAY_MS))[0]).toEqual(['/failing', '/strange', '/today'])
    expect((await again(5 * DAY_MS - 60_000))[0]).toEqual(['/failing', '/old', '/strange'])
    await crawls.patch(id, { exclude: ['/strange'] })
    expect((await again(1000))[0]).toEqual(['/failing', '/new', '/old', '/today'])
  })

  test('a crawl that is deleted takes its documents along, and leaves those of others', async () => {
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

  test('a stop in the middle ends it at once, and a run takes it from the start', async () => {
    const site = await startSite()
    let last = 5
    site.otherwise = (path) => () => {
      const n = Number(path.slice(1)) || 0
      if (path === '/robots.txt' || path === '/sitemap.xml' || n > 40) return { status: 404 }
      return n > last ? undefined : page(`Page ${n}`, `Text ${n}.`, [`/${n + 1}`])
    }
    const { crawls, runToEnd } = await start(engine)
    const { body } = await crawls.create({ url: `${site.url}/1`, max_pages: 12 })
    await expect.poll(async () => (await crawls.find(body.id)).pages.done).toBeGreaterThan(2)
    const stopped = await crawls.stop(body.id)
    expect(stopped.body).toMatchObject({ state: 'stopped' })
    expect([...(await crawls.pages(body.id, { state: 'fetching' })).keys()]).toEqual([])
    const asked = site.asked.length
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(site.asked.length).toBe(asked)
    last = 40
    await crawls.run(body.id)
    expect(await runToEnd(body.id)).toMatchObject({
      state: 'done',
      limit_reached: true,
      pages: { found: 12, waiting: 0 },
    })
  })
})

test('patterns say what is read, a page that is left out later goes, and a smaller limit removes the rest', async () => {
  const links = ['/docs/a', '/docs/b?x=1', '/docs/old/c', '/blog/d']
  const site = await startSite({ '/': page('Start', 'The start.', links) })
  for (const link of links) site.pages.set(link, page(link, `Text of ${link}.`))
  const { crawls, readAll, runToEnd } = await start('sqlite')
  const { id, crawl } = await readAll({ url: site.url, include: ['/docs/'], exclude: ['/docs/old/', '*?x='] })
  const urls = async () => (await crawls.documents()).map(({ url }) => url.slice(site.url.length)).sort()
  expect(await urls()).toEqual(['/docs/a'])
  expect(crawl.skipped).toEqual([
    { reason: 'excluded', pages: 2 },
    { reason: 'not_included', pages: 2 },
  ])

  expect((await crawls.patch(id, { include: [], exclude: ['/docs/a$'] })).body).toMatchObject({ include: [] })
  await crawls.run(id)
  await runToEnd(id)
  expect(await urls()).toEqual(['/', '/blog/d', '/docs/b?x=1', '/docs/old/c'])
  await crawls.patch(id, { max_pages: 2 })
  await crawls.run(id)
  expect(await runToEnd(id)).toMatchObject({ limit_reached: true })
  expect(await urls()).toHaveLength(2)
})

test('what failed or was left out is found again in the next run, though the pages that lead to it did not change', async () => {
  const tagged = (body: string) => (request: { headers: Record<string, unknown> }) =>
    request.headers['if-none-match'] === '"1"' ? { status: 304 } : { headers: { etag: '"1"' }, body }
  const site = await startSite({
    '/': tagged(page('Start', 'The start.', ['/failing', '/left-out'])),
    '/failing': { status: 500 },
    '/left-out': page('Left out', 'At first.'),
  })
  const { crawls, readAll, runToEnd } = await start('sqlite')
  const { id } = await readAll({ url: site.url, exclude: ['/left-out'] })
  site.pages.set('/failing', page('Failing', 'It works again.'))
  await crawls.run(id)
  expect((await runToEnd(id)).pages).toMatchObject({ unchanged: 1, done: 1, skipped: 1 })
  await crawls.patch(id, { exclude: [] })
  await crawls.run(id)
  expect((await runToEnd(id)).pages).toMatchObject({ unchanged: 2, done: 1, skipped: 0 })
  const titles = (await crawls.documents()).map(({ title }) => title).sort()
  expect(titles).toEqual(['Failing', 'Left out', 'Start'])
})

test('a document that was deleted by hand comes back with the next run', async () => {
  const site = await startSite({ '/': page('Start', 'The start.') })
  const { call, botId, crawls, readAll, runToEnd } = await start('sqlite')
  const { id } = await readAll({ url: site.url })
  const [document] = await crawls.documents()
  const params = { botId, documentId: document?.id ?? '' }
  await call('DELETE /api/manage/v1/bots/{botId}/documents/{documentId}', { token: ADMIN_TOKEN, params })
  await crawls.run(id)
  await runToEnd(id)
  expect(await crawls.documents()).toMatchObject([{ title: 'Start' }])
})

test('a sitemap as the start is all that is read', async () => {
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

test('while robots.txt is out of order nothing is read, and it is asked for again', async () => {
  const site = await startSite({ '/': page('Start', 'Text.'), '/robots.txt': { status: 503 } })
  const { readAll } = await start('sqlite')
  const { crawl } = await readAll({ url: site.url })
  expect(crawl).toMatchObject({ state: 'failed', reason: 'robots_unreachable', pages: { done: 0 } })
  expect(site.asked).not.toContain('/')
  expect(site.asked.filter((path) => path === '/robots.txt').length).toBeGreaterThanOrEqual(3)
})

test('a site that asks to slow down is asked again when it said', async () => {
  let calls = 0
  const site = await startSite({
    '/': () => (calls++ === 0 ? { status: 429, headers: { 'retry-after': '120' } } : page('Start', 'Text.')),
  })
  const { crawls, clock } = await start('sqlite')
  const { body } = await crawls.create({ url: site.url })
  await expect.poll(async () => (await crawls.pages(body.id)).get('/')?.reason).toBe('http_status')
  const waiting = (await crawls.pages(body.id)).get('/')
  expect(Date.parse(String(waiting?.next_attempt_at)) - clock.now).toBe(120_000)
  clock.now += 120_000
  await expect.poll(async () => (await crawls.find(body.id)).state).toBe('done')
})

test.each(engines)('what waits is cut short when the clock is set back by a day, on %s', async (engine) => {
  let calls = 0
  const site = await startSite({
    '/': () => (calls++ === 0 ? { status: 429, headers: { 'retry-after': '120' } } : page('Start', 'Text.')),
  })
  const { crawls, clock, database, runToEnd } = await start(engine)
  const { body } = await crawls.create({ url: site.url, every_hours: 6 })
  await expect.poll(() => calls).toBe(1)
  const dueIn = async () => {
    const [row] = await rows(database, 'SELECT due_at, leased_until FROM crawls')
    return { due: Number(row?.due_at) - clock.now, lease: Number(row?.leased_until) - clock.now }
  }
  await expect.poll(async () => (await dueIn()).due).toBe(120_000)
  clock.now -= DAY_MS
  await expect.poll(async () => (await dueIn()).due).toBe(3_600_000)
  clock.now += 3_600_000
  expect(await runToEnd(body.id)).toMatchObject({ state: 'done', runs: 1 })
  // Held by a node that is gone.
  await change(database, `UPDATE crawls SET lease = 'gone', leased_until = ${clock.now + 20_000}`)
  clock.now -= DAY_MS
  await expect.poll(dueIn).toEqual({ due: 6 * 3_600_000, lease: 20_000 })
  clock.now += 6 * 3_600_000
  await expect.poll(async () => (await crawls.find(body.id)).runs).toBe(2)
})

test('a huge crawl leaves room for the small one of another workspace', async () => {
  const site = await startSite()
  site.otherwise = (path) => (_request, response) => {
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
  const other = crawlCalls(server.call, (await server.createBot()).botId)
  server.clock.now += 1000
  const { body } = await other.create({ url: small.url })
  server.clock.now += 1000
  await expect.poll(async () => (await other.find(body.id)).state).toBe('done')
  const still = await server.crawls.find(huge.body.id)
  expect(still.state).toBe('running')
  expect(still.pages.waiting).toBeGreaterThan(100)
})

test('a higher limit takes in more, though the pages that lead there did not change', async () => {
  const links = Array.from({ length: 6 }, (_, n) => `/${n}`)
  const site = await startSite({
    '/': (request) =>
      request.headers['if-none-match'] === '"1"'
        ? { status: 304 }
        : { headers: { etag: '"1"' }, body: page('Start', 'The start.', links) },
  })
  for (const link of links) site.pages.set(link, page(link, `Text of ${link}.`))
  const { crawls, readAll, runToEnd } = await start('sqlite')
  const { id, crawl } = await readAll({ url: site.url, max_pages: 3 })
  expect(crawl).toMatchObject({ limit_reached: true, pages: { done: 3 } })
  await crawls.patch(id, { max_pages: 10 })
  await crawls.run(id)
  expect(await runToEnd(id)).toMatchObject({ limit_reached: false, pages: { done: 4, unchanged: 3 } })
})

test('a sitemap is read though robots.txt was out of order when the run began', async () => {
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

test('a page without a title at a very long address is taken in', async () => {
  const long = `/${'x'.repeat(1500)}`
  const site = await startSite({ '/': page('Start', 'The start.', [long]), [long]: '<p>A text without a title.</p>' })
  const { crawls, readAll } = await start('sqlite')
  expect((await readAll({ url: site.url })).crawl.pages).toMatchObject({ done: 2, failed: 0 })
  expect((await crawls.documents()).map(({ title }) => title.length).sort()).toEqual([5, 500])
})

test.each(engines)('a large crawl is removed whole on %s', async (engine) => {
  const links = Array.from({ length: 430 }, (_, n) => `/${n}`)
  const site = await startSite({ '/': page('Start', 'The start.', links) })
  // Plain text, which takes less work to read.
  const headers = { 'content-type': 'text/plain' }
  for (const link of links) site.pages.set(link, { headers, body: `Text of ${link}.` })
  const { call, botId, crawls, readAll } = await start(engine, { CRAWL_HOST_CONCURRENCY: '8' })
  const { id, crawl } = await readAll({ url: site.url })
  expect(crawl.pages).toMatchObject({ done: 431 })
  expect((await crawls.remove(id)).status).toBe(204)
  expect(await crawls.documents()).toEqual([])
  expect(await search({ call }, botId, 'Text of')).toEqual([])
})

test.each(engines)('a bot that is deleted while its site is read is no fault, on %s', async (engine) => {
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
  await expect.poll(() => site.asked.includes('/')).toBe(true)
  await call('DELETE /api/manage/v1/bots/{botId}', { token: ADMIN_TOKEN, params: { botId } })
  answer()
  await new Promise((resolve) => setTimeout(resolve, 1000))
  expect(logs()).not.toMatch(/"level":50/)
})

test('a crawl that waits for a host of another one is stopped at once', async () => {
  const site = await startSite()
  const open: (() => void)[] = []
  site.otherwise = (path) => (_request, response) => {
    if (path === '/robots.txt' || path === '/sitemap.xml') return { status: 404 }
    open.push(() => response.end())
    return undefined
  }
  const { crawls } = await start('sqlite', { CRAWL_HOST_CONCURRENCY: '1' })
  const first = await crawls.create({ url: `${site.url}/first` })
  await expect.poll(() => site.asked.includes('/first')).toBe(true)
  const second = await crawls.create({ url: `${site.url}/second` })
  await expect.poll(async () => (await crawls.pages(second.body.id, { state: 'fetching' })).size).toBe(1)
  const remove = async () => expect((await crawls.remove(second.body.id)).status).toBe(204)
  expect(await msOf(remove)).toBeLessThan(3000)
  expect((await crawls.stop(first.body.id)).body).toMatchObject({ state: 'stopped' })
  for (const end of open) end()
})
