// Product feeds at a URL: fetched on a schedule and imported like a sync; errors are reported and change nothing.
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readFeed } from '../../src/catalogue/feeds/read-feed.ts'
import { engines } from '../harness/database/databases.ts'
import { queryRows } from '../harness/database/rows.ts'
import { startSite } from '../harness/external/test-site.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createMember } from '../harness/tenants.ts'

const HOUR_MS = 3_600_000
const environment = {
  ALLOWED_PRIVATE_NETWORKS: '127.0.0.1',
  SYNC_MAX_BYTES: String(4 * 1024 ** 2),
  SYNC_MAX_ITEMS: '20000',
}
const xml = { 'content-type': 'application/xml' }

async function start(engine: (typeof engines)[number], timeoutSeconds = '300') {
  const server = await startServer(engine, {
    environment: { ...environment, FEED_TIMEOUT_SECONDS: timeoutSeconds },
  })
  const { botId, workspaceId } = await server.createBot()
  const send = (route: string, feedId = '', more: object = {}) =>
    server.call(route.replace(' ', ' /api/manage/v1/bots/{botId}'), {
      token: ADMIN_TOKEN,
      params: { botId, feedId },
      ...more,
    })

  const lastRuns = new Map<string, string>()
  /** The feed once another run has ended. */
  async function ended(id: string) {
    const find = async () => (await send('GET /feeds/{feedId}', id)).body
    const before = lastRuns.get(id)
    const isOver = async () => ((await find()).last_run?.id ?? before) !== before
    await expect.poll(isOver).toBe(true)
    const feed = await find()
    lastRuns.set(id, feed.last_run.id)
    return feed
  }

  async function pull(body: object) {
    const { status, body: feed } = await send('POST /feeds', '', { body })
    expect(status).toBe(201)
    return ended(feed.id)
  }

  const titles = async () =>
    (await send('GET /products', '', { query: { limit: 200 } })).body.items.map((one: { title: string }) => one.title)
  return { ...server, botId, workspaceId, send, ended, pull, titles }
}

const item = (n: number | string, fields = `<g:price>${n}.00 EUR</g:price>`) =>
  `<item><g:id>P${n}</g:id><title>Lamp ${n} &amp; shade</title><link>/lamps/${n}</link>${fields}</item>`
const rss = (items: string) =>
  `<?xml version="1.0"?><rss xmlns:g="http://base.google.com/ns/1.0" version="2.0"><channel>${items}</channel></rss>`
const numbered = (count: number) => Array.from({ length: count }, (_, n) => item(n + 1)).join('')

describe.each(engines)('on %s', (engine) => {
  test('a Merchant feed of thousands of items is pulled on a schedule, with its three bad items reported', async () => {
    const count = engine === 'sqlite' ? 20_000 : 2000
    const bad = [
      '<item><title>No id</title></item>',
      item('x', '<g:price>-5 EUR</g:price>'),
      '<item><g:id>Q</g:id></item>',
    ]
    const site = await startSite()
    let body = rss(numbered(count - 3) + bad.join(''))
    site.pages.set('/feed.xml?token=CANARY', ({ headers }) => {
      if (headers['if-none-match'] === '"1"') return { status: 304 }
      return { headers: { ...xml, etag: '"1"' }, body }
    })
    const { send, ended, clock, database, call, pull, workspaceId } = await start(engine)
    const url = `${site.url.replace('//', '//shop:CANARY@')}/feed.xml?token=CANARY`
    const feed = await pull({ url, every_hours: 6, remove_missing: true })
    expect(feed).toMatchObject({ state: 'idle', format: 'xml', every_hours: 6, progress: null })
    expect(Date.parse(feed.next_run_at) - Date.parse(feed.last_run.finished_at)).toBe(6 * HOUR_MS)
    expect(feed.last_run).toMatchObject({ outcome: 'done', received: count, created: count - 3, failed: 3, deleted: 0 })
    expect(feed.last_run.errors.map(({ index, id, code }: Record<string, unknown>) => [index, id, code])).toEqual([
      [count - 3, null, 'missing_id'],
      [count - 2, 'Px', 'invalid_price'],
      [count - 1, 'Q', 'missing_title'],
    ])
    expect(site.headers.get('/feed.xml?token=CANARY')?.authorization).toBe(`Basic ${btoa('shop:CANARY')}`)

    clock.now += 6 * HOUR_MS
    expect((await ended(feed.id)).last_run).toMatchObject({ outcome: 'unchanged', status_code: 304, deleted: 0 })
    body = rss(numbered(count - 10))
    site.pages.set('/feed.xml?token=CANARY', () => ({ headers: xml, body }))
    await send('POST /feeds/{feedId}/run', feed.id)
    const third = await ended(feed.id)
    expect(third.last_run).toMatchObject({ outcome: 'done', unchanged: count - 10, deleted: 7, removal_held: 0 })

    // More than half would be removed, so it needs confirmation.
    body = rss(numbered(9))
    await send('POST /feeds/{feedId}/run', feed.id)
    expect((await ended(feed.id)).last_run).toMatchObject({ outcome: 'done', deleted: 0, removal_held: count - 19 })
    body = rss('')
    await send('POST /feeds/{feedId}/run', feed.id)
    expect((await ended(feed.id)).last_run).toMatchObject({ outcome: 'failed', reason: 'empty' })
    expect(Number((await queryRows(database, 'SELECT count(*) AS n FROM products'))[0]?.n)).toBe(count - 10)
    const audit = await call('GET /api/manage/v1/workspaces/{workspaceId}/audit', {
      token: ADMIN_TOKEN,
      params: { workspaceId },
    })
    expect(audit.body.items).toContainEqual(
      expect.objectContaining({
        action: 'products.removed',
        actor: expect.stringMatching(`^feed [\\w.:]+ \\(${feed.id}\\)$`),
        target: expect.stringMatching(/: 7$/),
      }),
    )
    const output = JSON.stringify([
      third,
      audit.body,
      (await send('GET /feeds')).body,
      await queryRows(database, 'SELECT * FROM product_feeds'),
    ])
    expect(output).not.toContain('CANARY')
    expect(third.url).toBe(`http://…@127.0.0.1:${site.port}/feed.xml?token=…`)
  })

  test('a feed is paused, changed, run on request and removed, and the loss of more than half of it is confirmed', async () => {
    const site = await startSite({ '/a.csv': 'id;title;price\nA;Käse;3\nB;Wurst;4\nC;Brot;2\n' })
    const { send, ended, pull, clock, titles, call, workspaceId } = await start(engine)
    const csv = await pull({ url: `${site.url}/a.csv`, every_hours: 1, remove_missing: true })
    expect(csv).toMatchObject({ format: 'csv', last_run: { created: 3 } })
    const pauseResponse = await send('PATCH /feeds/{feedId}', csv.id, { body: { paused: true } })
    expect(pauseResponse.body).toMatchObject({ state: 'paused', next_run_at: null })
    site.pages.set('/a.csv', 'id;title\nA;Käse\n')
    clock.now += 2 * HOUR_MS
    const resumeResponse = await send('PATCH /feeds/{feedId}', csv.id, { body: { paused: false, every_hours: null } })
    expect(resumeResponse.body).toMatchObject({ state: 'idle', next_run_at: null, every_hours: null })
    await send('POST /feeds/{feedId}/run', csv.id)
    expect((await ended(csv.id)).last_run).toMatchObject({ deleted: 0, updated: 1, removal_held: 2 })
    // What another feed has too stays.
    site.pages.set('/b.json', {
      headers: { 'content-type': 'application/json' },
      body: '{"items":[{"id":"B","title":"Wurst"}]}',
    })
    const json = await pull({ url: `${site.url}/b.json` })
    expect(json).toMatchObject({ format: 'json', last_run: { received: 1 } })
    await send('POST /feeds/{feedId}/run', csv.id, { query: { confirm_removal: 'true' } })
    expect((await ended(csv.id)).last_run).toMatchObject({ deleted: 1, removal_held: 0 })
    expect(await titles()).toEqual(['Käse', 'Wurst'])

    // While it runs, its progress is told, and a pause ends it.
    site.pages.set('/b.json', (_request, response) => {
      response.writeHead(200, { 'content-length': '500' }).write('[{"id":"B",')
      return undefined
    })
    await send('POST /feeds/{feedId}/run', json.id)
    const progress = async () => (await send('GET /feeds/{feedId}', json.id)).body.progress
    await expect.poll(progress).toEqual({ bytes: 11, total_bytes: 500, items: 0 })
    const response = await send('PATCH /feeds/{feedId}', json.id, { body: { paused: true } })
    expect(response.body).toMatchObject({ state: 'paused', progress: null, last_run: { id: json.last_run.id } })

    expect((await send('DELETE /feeds/{feedId}', csv.id)).status).toBe(204)
    expect((await send('GET /feeds/{feedId}', csv.id)).status).toBe(404)
    expect(await titles()).toEqual(['Käse', 'Wurst'])
    for (const body of [
      { url: 'http://10.0.0.1/x' },
      { url: 'ftp://a.test/x' },
      { url: `${site.url}/a`, every_hours: 2 },
    ])
      expect((await send('POST /feeds', '', { body })).status).toBe(400)
    for (let n = 0; n < 9; n++)
      expect((await send('POST /feeds', '', { body: { url: `${site.url}/${n}` } })).status).toBe(201)
    const seenBy = async (role: 'viewer' | 'editor') => {
      const { token } = await createMember(call, workspaceId, role)
      const feedUrls = (await send('GET /feeds', '', { token })).body.items.map((one: { url: string }) => one.url)
      const first = (await send('GET /feeds/{feedId}', json.id, { token })).body.url
      return [first, ...new Set(feedUrls)].map((url) => url.replace(site.url, '')).sort()
    }
    await send('PATCH /feeds/{feedId}', json.id, { body: { url: `${site.url}/t0ken/b.json?key=secret` } })
    expect(await seenBy('editor')).toEqual(expect.arrayContaining(['/0', '/t0ken/b.json?key=…', '/t0ken/b.json?key=…']))
    expect(await seenBy('viewer')).toEqual(['/…', '/…/b.json', '/…/b.json'])
    const eleventh = await send('POST /feeds', '', { body: { url: site.url } })
    expect(eleventh.body.error.code).toBe('too_many_feeds')
  })
})

const atom = `<feed xmlns:m="http://base.google.com/ns/1.0"><entry><m:id>T</m:id><title>Tent</title></entry></feed>`
const latin = Buffer.from('id\ttitle\nL\tZelt gr\xfcn\n', 'latin1')
const lines = '{"id":"T","title":"Tent"}\n{"id":\n{"id":"U","title":"Rope"}\n'

test('a feed that cannot be fetched or read is reported with the reason and changes nothing', async () => {
  const site = await startSite({
    '/lines': lines,
    '/status': { status: 500 },
    '/private': { status: 302, headers: { location: 'http://10.0.0.1/feed' } },
    '/loop': { status: 302, headers: { location: '/loop' } },
    '/picture': { headers: { 'content-type': 'image/png' }, body: 'PNG' },
    '/page': '<!doctype html><html><body>Not here</body></html>',
    '/gzip-bomb': { headers: xml, body: gzipSync(Buffer.alloc(5 * 1024 ** 2, 'a')) },
    '/cut': { headers: xml, body: rss(numbered(5)).slice(0, -30) },
    '/many': `id,title\n${'1,Lamp\n'.repeat(20_001)}`,
    '/bad': '[{"title":"No id"}]',
    '/endless': (_request, response) => {
      const write = () => {
        while (response.writable && response.write(Buffer.alloc(256 * 1024, ' '))) {}
      }
      response.writeHead(200, xml).on('drain', write)
      write()
    },
  })
  const { pull, send, ended, titles } = await start('sqlite')
  const feed = await pull({ url: `${site.url}/lines` })
  expect(feed).toMatchObject({ format: 'ndjson', last_run: { outcome: 'done', received: 3, failed: 1 } })
  const failures: [string, string][] = [
    ['/status', 'http_status'],
    ['/private', 'refused_address'],
    ['/loop', 'too_many_redirects'],
    ['/picture', 'unsupported_type'],
    ['/page', 'not_a_feed'],
    ['/gzip-bomb', 'too_large'],
    ['/cut', 'truncated'],
    ['/many', 'too_many_items'],
    ['/bad', 'every_item_failed'],
    ['/endless', 'too_large'],
  ]
  for (const [path, reason] of failures) {
    await send('PATCH /feeds/{feedId}', feed.id, { body: { url: site.url + path } })
    await send('POST /feeds/{feedId}/run', feed.id)
    expect([path, (await ended(feed.id)).last_run]).toMatchObject([path, { outcome: 'failed', reason }])
  }
  expect(await titles()).toEqual(['Tent', 'Rope'])
})

test('a feed that takes too long is reported as a timeout', async () => {
  const site = await startSite({ '/slow': (_request, response) => void response.writeHead(200, xml).write('<rss>') })
  const { pull } = await start('sqlite', '1')
  expect((await pull({ url: `${site.url}/slow` })).last_run).toMatchObject({ outcome: 'failed', reason: 'timeout' })
})

describe('reading a feed in chunks', () => {
  async function read(content: string | Uint8Array, size = 7) {
    const bytes = Buffer.from(content as string)
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    }
    const { format, entries } = await readFeed(chunks())
    return { format, entries: (await Array.fromAsync(entries)).flat() }
  }

  test.each([
    ['atom', atom, 'xml', ['Tent']],
    [
      'fields named like members of objects',
      rss(item(7, '<constructor>a</constructor><toString>b</toString>')),
      'xml',
      ['Lamp 7 & shade'],
    ],
    ['packed', gzipSync(rss(item(7))), 'xml', ['Lamp 7 & shade']],
    ['Latin-1', latin, 'csv', ['Zelt grün']],
    ['UTF-16', Buffer.from('\ufeff[{"title":"Zelt grün"}]', 'utf16le'), 'json', ['Zelt grün']],
    ['lines', lines, 'ndjson', ['Tent', undefined, 'Rope']],
    ['items', '{"version":1,"items":[{"title":"Ü"}]}', 'json', ['Ü']],
    ['one', '{"id":"1",\n"title":"Ü"}', 'json', ['Ü']],
  ])('%s', async (_name, content, format, titles) => {
    const feed = await read(content)
    expect(feed.format).toBe(format)
    expect(feed.entries.map((entry) => entry.kind === 'item' && (entry.value as { title: string }).title)).toEqual(
      titles.map((title) => title ?? false),
    )
  })

  test.each([
    ['entities of its own', `<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>${rss(item(1))}`, 'unreadable'],
    ['deep nesting', `<rss>${'<a>'.repeat(100_000)}`, 'unreadable'],
    ['another XML', '<svg><item/></svg>', 'not_a_feed'],
    ['words', 'Just some words.', 'not_a_feed'],
    ['a zip', 'PK\x03\x04rest', 'not_a_feed'],
    ['JSON that is cut off', '[{"id":"T","title":"Tent"},{"id":"U"', 'truncated'],
    ['XML that is cut off', rss(item(1)).slice(0, -3), 'truncated'],
    ['gzip that is cut off', gzipSync(rss(item(1))).subarray(0, -12), 'truncated'],
    ['other JSON', '{"error":\n"no"}', 'not_a_feed'],
    ['broken JSON', '[{"id":1},,]', 'unreadable'],
  ])('%s: refused', async (_name, content, code) => {
    await expect(read(content, 1000)).rejects.toMatchObject({ name: 'UnreadableFeed', code })
  })
})
