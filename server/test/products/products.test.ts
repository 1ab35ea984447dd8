// Product sync: its report matches the catalogue.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { sampleProducts, startCatalogueServer } from '../harness/catalogue.ts'
import { engines } from '../harness/database/databases.ts'
import { countRows, queryRows } from '../harness/database/rows.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createSyncKey, syncProducts } from '../harness/tenants.ts'

const SYNCS = 'GET /api/manage/v1/bots/{botId}/syncs'
const PRODUCTS = 'GET /api/manage/v1/bots/{botId}/products'

describe.each(engines)('product sync on %s', (engine) => {
  test('an array or an object is imported, and the response counts what happened', async () => {
    const { sync, ids, read, manage } = await startCatalogueServer(engine)
    const first = await sync(sampleProducts('a', 'b', 'c'))
    expect(first.status).toBe(200)
    expect(first.body).toEqual({
      sync_id: expect.stringMatching(/^sync_/),
      mode: 'upsert',
      dry_run: false,
      received: 3,
      created: 3,
      updated: 0,
      unchanged: 0,
      deleted: 0,
      failed: 0,
      errors: [],
      warnings: [],
    })
    const second = await sync({
      products: [...sampleProducts('a', 'd'), { id: 'b', title: 'Renamed' }],
      delete: ['c', 'never'],
    })
    expect(second.body).toMatchObject({ received: 3, created: 1, updated: 1, unchanged: 1, deleted: 1, failed: 0 })
    expect(await ids()).toEqual(['a', 'b', 'd'])
    expect(await read('a')).toMatchObject({ title: 'Product a', price: 9.9, currency: 'EUR' })
    expect(await read('b')).toMatchObject({ title: 'Renamed', price: null })
    expect((await manage('GET /api/manage/v1/bots/{botId}')).body.knowledge.products).toBe(3)
  })

  test('unchanged products are not written again', async () => {
    const { sync, database, clock } = await startCatalogueServer(engine)
    await sync(sampleProducts('a', 'b'))
    const before = await queryRows(database, 'SELECT * FROM products ORDER BY id')
    clock.now += 1000
    const secondSync = await sync([...sampleProducts('a', 'b')].map(({ id, title, price }) => ({ price, title, id })))
    expect(secondSync.body).toMatchObject({ created: 0, updated: 0, unchanged: 2 })
    expect((await sync({ mode: 'replace', products: sampleProducts('a', 'b') })).body.unchanged).toBe(2)
    expect(await queryRows(database, 'SELECT * FROM products ORDER BY id')).toEqual(before)
  })

  test('an invalid item never fails the rest, and each is reported by position, id and code', async () => {
    const { sync, ids } = await startCatalogueServer(engine)
    const response = await sync([
      ...sampleProducts('a'),
      { id: 'b' },
      { title: 'No id' },
      7,
      null,
      ['x'],
      { id: 'c', title: 'Bad price', price: '-5 EUR' },
      ...sampleProducts('d'),
    ])
    expect(response.status).toBe(200)
    expect(response.body).toMatchObject({ received: 8, created: 2, failed: 6 })
    const errors = response.body.errors.map(({ index, id, code }: Record<string, unknown>) => [index, id, code])
    expect(errors).toEqual([
      [1, 'b', 'missing_title'],
      [2, null, 'missing_id'],
      [3, null, 'invalid_item'],
      [4, null, 'invalid_item'],
      [5, null, 'invalid_item'],
      [6, 'c', 'invalid_price'],
    ])
    expect(await ids()).toEqual(['a', 'd'])
  })

  test('when every item fails the answer is 422 with the error and the report, and nothing changes', async () => {
    const { sync, ids } = await startCatalogueServer(engine)
    await sync(sampleProducts('a', 'b'))
    const response = await sync({ mode: 'replace', products: [{ id: 'a' }, {}], delete: ['b'] })
    expect(response.status).toBe(422)
    expect(response.body).toMatchObject({ error: { code: 'every_item_failed' }, received: 2, failed: 2, deleted: 0 })
    expect(response.body.error.details[0]).toEqual({ path: 'products.0', message: 'The item has no title.' })
    expect(response.body.errors).toHaveLength(2)
    expect(await ids()).toEqual(['a', 'b'])
  })

  test('a replace makes the catalogue equal to what was sent, wherever the mode is in the body', async () => {
    const { sync, ids } = await startCatalogueServer(engine)
    await sync(sampleProducts('a', 'b', 'c'))
    const response = await sync({ products: sampleProducts('b', 'd'), mode: 'replace' })
    expect(response.body).toMatchObject({ mode: 'replace', created: 1, unchanged: 1, deleted: 2 })
    expect(await ids()).toEqual(['b', 'd'])
    await sync({ mode: 'replace', products: sampleProducts('e') })
    expect(await ids()).toEqual(['e'])
  })

  test('a product that is sent but refused is not removed by its replace', async () => {
    const { sync, ids } = await startCatalogueServer(engine)
    await sync(sampleProducts('a', 'b', 'c'))
    await sync({ mode: 'replace', products: [...sampleProducts('a'), { id: 'b', title: 'B', price: '-1' }] })
    expect(await ids()).toEqual(['a', 'b'])
  })

  test('a request of a replace in which every item fails still keeps what it names from being removed', async () => {
    const { sync, ids } = await startCatalogueServer(engine)
    await sync(sampleProducts('old', 'a', 'b', 'c'))
    const batch = (products: object[], more = {}) => sync({ mode: 'replace', sync_id: 'night', products, ...more })
    expect((await batch([{ id: 'a' }], { dry_run: true })).status).toBe(422)
    expect((await batch([{ id: 'b' }])).status).toBe(422)
    expect((await batch(sampleProducts('n'))).status).toBe(200)
    const end = await batch([{ id: 'c' }], { final: true })
    expect([end.status, end.body.deleted]).toEqual([422, 0])
    expect(await ids()).toEqual(['a', 'b', 'c', 'n', 'old'])
    expect((await sync({ mode: 'replace', sync_id: 'night', final: true })).body.deleted).toBe(2)
    expect(await ids()).toEqual(['b', 'c', 'n'])
  })

  test('a replace with only invalid items does not empty the catalogue', async () => {
    const { sync, ids } = await startCatalogueServer(engine)
    await sync(sampleProducts('a'))
    expect((await sync({ mode: 'replace', sync_id: 'n', products: [{ id: 'unknown' }, {}] })).status).toBe(422)
    const end = await sync({ mode: 'replace', sync_id: 'n', final: true })
    expect([end.status, end.body.error.code]).toEqual([422, 'empty_replace'])
    expect(await ids()).toEqual(['a'])
  })

  test('over several requests a replace removes only at its end, and an end without items is enough', async () => {
    const { sync, ids } = await startCatalogueServer(engine)
    await sync(sampleProducts('old', 'a'))
    const batch = (products: object[], more = {}) => sync({ mode: 'replace', sync_id: 'night', products, ...more })
    expect((await batch(sampleProducts('a'))).body).toMatchObject({ sync_id: 'night', unchanged: 1, deleted: 0 })
    expect((await batch(sampleProducts('b'))).body).toMatchObject({ created: 1, deleted: 0 })
    expect(await ids()).toEqual(['a', 'b', 'old'])
    const end = await sync({ mode: 'replace', sync_id: 'night', final: true })
    expect(end.body).toMatchObject({ received: 0, deleted: 1 })
    expect(await ids()).toEqual(['a', 'b'])
  })

  test('the end of a replace sent twice removes nothing more, and its name can be used again', async () => {
    const { sync, ids } = await startCatalogueServer(engine)
    await sync(sampleProducts('old'))
    const batch = (products: object[], final = false) => sync({ mode: 'replace', sync_id: 'n', products, final })
    await batch(sampleProducts('a', 'b'))
    const end = await batch(sampleProducts('c'), true)
    expect(end.body).toMatchObject({ created: 1, deleted: 1 })
    expect((await batch(sampleProducts('c'), true)).body).toEqual(end.body)
    expect(await ids()).toEqual(['a', 'b', 'c'])
    await batch(sampleProducts('x', 'y'))
    await batch(sampleProducts('z'), true)
    expect(await ids()).toEqual(['x', 'y', 'z'])
  })

  test('a replace left unfinished for a day has lapsed: a later request of it is refused and removes nothing', async () => {
    const { sync, ids, clock } = await startCatalogueServer(engine)
    await sync({ mode: 'replace', sync_id: 'n', products: sampleProducts('a') })
    clock.now += 25 * 3_600_000
    const lateSync = await sync({ mode: 'replace', sync_id: 'n', products: sampleProducts('b'), final: true })
    expect([lateSync.status, lateSync.body.error.code]).toEqual([409, 'sync_expired'])
    expect(await ids()).toEqual(['a'])
  })

  test('an empty replace is refused unless it is confirmed', async () => {
    const { sync, ids } = await startCatalogueServer(engine)
    await sync(sampleProducts('a'))
    for (const body of [{ products: [] }, { sync_id: 'n', final: true }, { products: [], dry_run: true }]) {
      const refusal = await sync({ mode: 'replace', ...body })
      expect([refusal.status, refusal.body.error.code]).toEqual([422, 'empty_replace'])
    }
    expect(await ids()).toEqual(['a'])
    const response = await sync({ mode: 'replace', products: [], confirm_empty: true })
    expect([response.status, response.body.deleted]).toEqual([200, 1])
    expect(await ids()).toEqual([])
  })

  test('a dry run reports what would happen and changes nothing, wherever in the body it stands', async () => {
    const { sync, database, manage } = await startCatalogueServer(engine)
    await sync(sampleProducts('a', 'b', 'c'))
    const tables = ['products', 'product_replacements', 'product_sightings', 'product_syncs', 'product_removals']
    const count = () => Promise.all(tables.map((table) => countRows(database, table)))
    const before = await count()
    const products = [...sampleProducts('a', 'd'), { id: 'b', title: 'New' }, { id: 'x' }]
    const dry = { dry_run: true, created: 1, updated: 1, unchanged: 1, failed: 1 }
    expect((await sync({ products, delete: ['c', 'zz'], dry_run: true })).body).toMatchObject({ ...dry, deleted: 1 })
    expect((await sync({ products, mode: 'replace', dry_run: true })).body).toMatchObject({ ...dry, deleted: 1 })
    expect(await count()).toEqual(before)
    expect((await manage(PRODUCTS, { query: { q: 'New' } })).body.items).toEqual([])
  })

  test('lines and arrays take their options from the query', async () => {
    const { sendRaw, sync, ids } = await startCatalogueServer(engine)
    await sync(sampleProducts('old'))
    const lines = sampleProducts('a', 'b').map((item) => JSON.stringify(item))
    const headers = { 'content-type': 'application/x-ndjson' }
    const raw = [lines[0], '', '{"id": "broken', lines[1], ''].join('\n')
    const query = { mode: 'replace', sync_id: 'n' }
    const first = await sendRaw(raw, { headers, query })
    expect(first.body).toMatchObject({ mode: 'replace', received: 3, created: 2, failed: 1, deleted: 0 })
    expect(first.body.errors).toMatchObject([{ index: 1, id: null, code: 'invalid_json' }])
    expect((await sync(sampleProducts('c'), { query: { ...query, final: 'true' } })).body).toMatchObject({ deleted: 1 })
    expect(await ids()).toEqual(['a', 'b', 'c'])
  })

  test('gzip is taken, of JSON and of lines', async () => {
    const { sendRaw, ids } = await startCatalogueServer(engine)
    const headers = { 'content-encoding': 'gzip' }
    expect((await sendRaw(gzipSync(JSON.stringify(sampleProducts('a'))), { headers })).body.created).toBe(1)
    const lines = gzipSync(`${JSON.stringify(sampleProducts('b')[0])}\n`)
    const response = await sendRaw(lines, { headers: { ...headers, 'content-type': 'application/x-ndjson' } })
    expect(response.body.created).toBe(1)
    expect(await ids()).toEqual(['a', 'b'])
  })

  test('of several items with one id the last one wins, and all are counted', async () => {
    const { sync, read, ids } = await startCatalogueServer(engine)
    const response = await sync([...sampleProducts('a', 'b', 'a'), { id: 'a', title: 'Last' }, ...sampleProducts('b')])
    expect(response.body).toMatchObject({ received: 5, created: 2, updated: 1, unchanged: 2, failed: 0 })
    expect(response.body.warnings.map(({ code }: { code: string }) => code)).toEqual(Array(3).fill('duplicate_id'))
    expect(await ids()).toEqual(['a', 'b'])
    expect((await read('a')).title).toBe('Last')
  })

  test('an id that is sent and deleted in one request stays', async () => {
    const { sync, ids } = await startCatalogueServer(engine)
    expect((await sync({ delete: ['a', 'b'], products: sampleProducts('a') })).body).toMatchObject({
      created: 1,
      deleted: 0,
    })
    expect((await sync({ delete: ['a'] })).body).toMatchObject({ received: 0, deleted: 1 })
    expect(await ids()).toEqual([])
  })

  test('the history has the last hundred syncs with their errors, newest first', async () => {
    const { sync, manage } = await startCatalogueServer(engine)
    for (let number = 0; number < 103; number++) await sync([{ id: 'a', title: `Title ${number}` }, { id: 'b' }])
    const pages = [await manage(SYNCS, { query: { limit: 60 } })]
    pages.push(await manage(SYNCS, { query: { limit: 60, cursor: pages[0]?.body.next_cursor } }))
    const all = pages.flatMap(({ body }) => body.items)
    expect(all).toHaveLength(100)
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .toSorted()
        .reverse(),
    )
    expect(all[0]).toMatchObject({ received: 2, failed: 1, errors: [{ index: 1, id: 'b', code: 'missing_title' }] })
  })

  test('the list is searched in title, SKU and id whatever the case, and filtered by availability', async () => {
    const { sync, manage } = await startCatalogueServer(engine)
    await sync([
      { id: 'a1', title: 'Größe 100%', sku: 'XY_9', availability: 'in stock' },
      { id: 'b2', title: 'Tent', availability: 'OutOfStock' },
      { id: 'c3', title: 'Tent pole', availability: 'in_stock' },
    ])
    const find = async (query: Record<string, string>) =>
      (await manage(PRODUCTS, { query })).body.items.map(({ id }: { id: string }) => id)
    expect(await find({ q: 'tent' })).toEqual(['b2', 'c3'])
    expect(await find({ q: 'GRÖSSE' })).toEqual([])
    expect(await find({ q: 'GRÖß' })).toEqual(['a1'])
    expect(await find({ q: 'xy_' })).toEqual(['a1'])
    expect(await find({ q: '0%' })).toEqual(['a1'])
    expect(await find({ q: '%' })).toEqual(['a1'])
    expect(await find({ q: 'C3' })).toEqual(['c3'])
    expect(await find({ q: 'tent', availability: 'in_stock' })).toEqual(['c3'])
    expect(await find({ q: 'tent', limit: '1' })).toEqual(['b2'])
    expect((await manage(PRODUCTS, { query: { availability: 'maybe' } })).status).toBe(400)
  })

  test('a search finds products after thousands of others, page by page', async () => {
    const { sync, manage } = await startCatalogueServer(engine)
    const isHit = (index: number) => [3, 4, 7000, 11_999].includes(index)
    await sync(
      Array.from({ length: 12_000 }, (_, index) => ({
        id: `p${String(index).padStart(5, '0')}`,
        title: isHit(index) ? 'Tent' : 'Pole',
      })),
    )
    const first = await manage(PRODUCTS, { query: { q: 'tent', limit: 3 } })
    const second = await manage(PRODUCTS, { query: { q: 'tent', limit: 3, cursor: first.body.next_cursor } })
    const pages = [first, second].map(({ body }) => body.items.map(({ id }: { id: string }) => id))
    expect(pages).toEqual([['p00003', 'p00004', 'p07000'], ['p11999']])
    expect(second.body.next_cursor).toBeNull()
  })

  test('deleting a bot deletes its catalogue and its history', async () => {
    const { sync, manage, database } = await startCatalogueServer(engine)
    await sync({ mode: 'replace', sync_id: 'open', products: sampleProducts('a') })
    await sync({ products: sampleProducts('b'), delete: ['a'] })
    expect((await manage('DELETE /api/manage/v1/bots/{botId}')).status).toBe(204)
    for (const table of [
      'products',
      'product_syncs',
      'product_replacements',
      'product_sightings',
      'product_removals',
    ]) {
      expect([table, await countRows(database, table)]).toEqual([table, 0])
    }
    expect((await sync(sampleProducts('c'))).status).toBe(401)
  })
})

describe.each(engines)('the sync key on %s', (engine) => {
  test('every invalid one gets the same 401, before the body is read', async () => {
    const { call, syncKey, chatKey, clock, botId, manage } = await startCatalogueServer(engine)
    const otherKey = await createSyncKey(call, botId, undefined, { overlap: '1h' })
    clock.now += 3_600_000
    const bodies = new Set<string>()
    const wrongKey = `${syncKey.slice(0, -1)}${syncKey.endsWith('a') ? 'b' : 'a'}`
    for (const key of ['', 'x', chatKey, syncKey, wrongKey, `Bearer ${otherKey}`, `dct_sync_${'0'.repeat(38)}`]) {
      const response = await syncProducts(call, key, undefined, { raw: '{broken' })
      expect([key, response.status]).toEqual([key, 401])
      bodies.add(response.text.replace(response.body.error.request_id, ''))
    }
    const bearer = await call('POST /api/v1/chat/sync-products', { token: otherKey, body: sampleProducts('a') })
    bodies.add(bearer.text.replace(bearer.body.error.request_id, ''))
    expect(bodies.size).toBe(1)
    expect([...bodies][0]).toContain('invalid_sync_key')
    expect((await syncProducts(call, otherKey, sampleProducts('a'))).status).toBe(200)
    expect((await manage(PRODUCTS)).body.items).toHaveLength(1)
  })

  test('rotated without overlap the old one ends at once, with overlap both work', async () => {
    const { call, syncKey, botId } = await startCatalogueServer(engine)
    const second = await createSyncKey(call, botId, undefined, { overlap: '24h' })
    expect((await syncProducts(call, syncKey, sampleProducts('a'))).status).toBe(200)
    const third = await createSyncKey(call, botId, undefined, { overlap: '0' })
    const statuses = [syncKey, second, third].map(
      async (key) => (await syncProducts(call, key, sampleProducts('a'))).status,
    )
    expect(await Promise.all(statuses)).toEqual([401, 401, 200])
  })
})

test('the demo bot has the products of its shop', async () => {
  const { call } = await startServer('sqlite', { environment: { DEMO_BOT: 'on' } })
  const token = ADMIN_TOKEN
  const params = { botId: 'bot_demo', productId: 'FF-1001' }
  const product = await call('GET /api/manage/v1/bots/{botId}/products/{productId}', { token, params })
  expect(product.body).toMatchObject({
    title: 'Atlas jacket',
    price: 189,
    currency: 'EUR',
    link: 'https://docent.test/demo/products/atlas-jacket',
  })
  expect(product.body.variants[0]).toMatchObject({ attributes: { size: 'S', color: 'fern green' } })
})

test('the example syncs a file: its products are added, others are removed', async () => {
  const { baseUrl, syncKey, sync, ids } = await startCatalogueServer('sqlite')
  await sync(sampleProducts('old'))
  const script = fileURLToPath(new URL('../../../examples/shop-sync/sync.ts', import.meta.url))
  const file = fileURLToPath(new URL('../../../demo/products.json', import.meta.url))
  const env = { PATH: process.env.PATH, DOCENT_SYNC_KEY: syncKey }
  const { stdout } = await promisify(execFile)(process.execPath, [script, file, baseUrl], { env })
  expect(stdout).toContain('0 refused')
  expect(stdout).toContain('1 removed')
  const productIds = await ids()
  expect(productIds).toContain('FF-1001')
  expect(productIds).not.toContain('old')
})
