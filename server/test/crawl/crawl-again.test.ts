// What a repeated crawl fetches, adds and removes.
import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../src/days.ts'
import { engines } from '../harness/database/databases.ts'
import { page, startSite } from '../harness/external/test-site.ts'
import { ADMIN_TOKEN } from '../harness/start-server.ts'
import { start } from './crawl-bot.ts'

describe.each(engines)('on %s', (engine) => {
  test('a second run fetches only what changed, and a page is removed when it is missing twice', async () => {
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

  test('a crawl with every_hours runs again by itself until it is stopped', async () => {
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

  test('a new crawl runs again every week, and a second one of the same site can update the first', async () => {
    const site = await startSite({ '/': page('Start', 'The start.', ['/a']), '/a': page('A', 'The first.') })
    const { crawls, runToEnd } = await start(engine)
    const first = (await crawls.create({ url: site.url, exclude: ['/none/'] })).body
    expect(first).toMatchObject({ every_hours: 168 })
    await runToEnd(first.id)
    site.pages.set('/b', page('B', 'Linked from nowhere.'))
    const response = await crawls.create({ url: `${site.url}/b`, update_existing: true })
    expect([response.status, response.body.id]).toEqual([201, first.id])
    expect(await runToEnd(first.id)).toMatchObject({
      url: `${site.url}/b`,
      runs: 2,
      exclude: ['/none/'],
      every_hours: 168,
    })
    expect((await crawls.documents()).map(({ title }) => title).sort()).toEqual(['A', 'B', 'Start'])
    const otherCrawl = (await crawls.create({ url: site.url, every_hours: null })).body
    expect(otherCrawl.id).not.toBe(first.id)
    expect(otherCrawl).toMatchObject({ every_hours: null })
  })

  test('a crawl of a part of a site is not changed to read another part', async () => {
    const site = await startSite({ '/help': page('Help', 'All help.'), '/blog': page('Blog', 'All news.') })
    const { crawls } = await start(engine)
    const help = (await crawls.create({ url: `${site.url}/help`, include: ['/help'] })).body
    const update = async (path: string) => (await crawls.create({ url: site.url + path, update_existing: true })).body
    expect((await update('/help/returns')).id).toBe(help.id)
    expect((await update('/blog')).id).not.toBe(help.id)
  })

  test('a start page that redirects out of what is included takes its new folder along', async () => {
    const moved = (location: string) => ({ status: 301, headers: { location } })
    const site = await startSite({
      '/help': moved('/helpdesk'),
      '/helpdesk': moved('/support/'),
      '/support/': page('Support', 'All help.', ['/support/returns', '/blog']),
      '/support/returns': page('Returns', 'How to return.'),
      '/support/listed': page('Listed', 'Only in the sitemap.'),
      '/blog': page('Blog', 'All news.'),
      '/sitemap.xml': '<urlset><url><loc>/support/listed</loc></url><url><loc>/blog</loc></url></urlset>',
    })
    const { crawls, readAll, runToEnd } = await start(engine)
    const under = (folder: string) => [`${folder}/`, `${folder}$`, `${folder}?`]
    const { id, crawl } = await readAll({ url: `${site.url}/help`, include: under('/help') })
    const titles = async () => (await crawls.documents()).map(({ title }) => title).sort()
    expect(await titles()).toEqual(['Listed', 'Returns', 'Support'])
    expect(crawl.include).toEqual([...under('/help'), ...under('/helpdesk'), ...under('/support')])

    // It moves again, to pages that the crawl knows and has skipped.
    site.pages.set('/helpdesk', moved('/blog'))
    await crawls.run(id)
    await runToEnd(id)
    expect(await titles()).toEqual(['Blog', 'Listed', 'Returns', 'Support'])

    // What is read for its links alone decides nothing.
    site.pages.set('/', moved('/en/'))
    site.pages.set('/en/', page('English', 'The start.', ['/blog']))
    expect((await readAll({ url: site.url, include: ['/blog'] })).crawl).toMatchObject({ include: ['/blog'] })
  })

  test('a page whose lastmod is not newer than its last fetch is skipped for a week', async () => {
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
      site.requestedPaths.length = 0
      await crawls.run(id)
      const { pages } = await runToEnd(id)
      return [site.requestedPaths.filter((path) => path.length > 1 && !/robots|sitemap/.test(path)).sort(), pages]
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
})

test('patterns select the pages, a page excluded later is removed, and a lower limit removes the rest', async () => {
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

test('pages that failed or were excluded are found again in the next run, even if the pages linking to them did not change', async () => {
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

test('a document that was deleted by hand is restored by the next run', async () => {
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

test('a higher limit adds more pages, even if the pages linking to them did not change', async () => {
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
