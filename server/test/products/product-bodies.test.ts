// Sync bodies of every kind: split anywhere, hostile, too large, incomplete.
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonError, makeJsonSplitter } from '../../src/catalogue/feeds/json-splitter.ts'
import type { SyncEntry } from '../../src/catalogue/products/read-products.ts'
import { syncEntries } from '../../src/http/server/product-bodies.ts'
import { sampleProducts, startCatalogueServer } from '../harness/catalogue.ts'
import { countRows } from '../harness/database/rows.ts'

const MB = 1024 * 1024
const limits = { bytes: 100 * MB, items: 1000 }

async function entriesOf(text: string, chunkSize: number, options: Record<string, unknown> = {}): Promise<SyncEntry[]> {
  const bytes = Buffer.from(text)
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += chunkSize) chunks.push(bytes.subarray(at, at + chunkSize))
  const body = { payload: Readable.from(chunks), isLines: false, encoding: undefined, lengthBytes: 0 }
  const entries: SyncEntry[] = []
  for await (const some of syncEntries(body, limits, options)) entries.push(...some)
  return entries
}

describe('splitting a body into items', () => {
  test('gives the same as JSON.parse, wherever the chunks are split', async () => {
    const body = fc.record({
      products: fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 6 }),
      mode: fc.constantFrom('upsert', 'replace'),
      other: fc.jsonValue({ maxDepth: 4 }),
      delete: fc.array(fc.string({ minLength: 1 }), { maxLength: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(
        body,
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(0, 2),
        async (value, chunkSize, indent) => {
          const text = JSON.stringify(value, null, indent)
          const options: Record<string, unknown> = {}
          const entries = await entriesOf(text, chunkSize, options)
          const parsedBody = JSON.parse(text)
          expect(entries.flatMap((entry) => (entry.kind === 'item' ? [entry.value] : []))).toEqual(parsedBody.products)
          expect(entries.flatMap((entry) => (entry.kind === 'delete' ? [entry.id] : []))).toEqual(parsedBody.delete)
          expect(options).toEqual({ mode: parsedBody.mode })
        },
      ),
      { numRuns: 300 },
    )
  })

  test('refuses what JSON.parse refuses', async () => {
    const brokenJson = fc.tuple(
      fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 4 }),
      fc.nat(),
      fc.constantFrom(...'{}[]",:x '),
    )
    await fc.assert(
      fc.asyncProperty(brokenJson, async ([list, place, sign]) => {
        const text = JSON.stringify(list)
        const at = place % text.length
        const mutatedText = text.slice(0, at) + sign + text.slice(at + 1)
        const isArray = parses(mutatedText) && mutatedText.trimStart().startsWith('[')
        const outcome = await entriesOf(mutatedText, 7).then(
          () => true,
          () => false,
        )
        expect([mutatedText, outcome]).toEqual([mutatedText, isArray])
      }),
      { numRuns: 1000 },
    )
  })

  test('holds one item at a time', () => {
    const splitter = makeJsonSplitter(['products'], 100)
    const pieces = [...splitter.write(Buffer.from(`[{"a":"${'x'.repeat(200)}"},{"b":1},`))]
    expect(pieces.map(({ bytes }) => bytes?.length ?? null)).toEqual([null, 7])
    expect(() => splitter.end()).toThrow(JsonError)
  })
})

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('a body that is refused changes nothing', () => {
  const good = JSON.stringify(sampleProducts('b'))
  const cases: [
    name: string,
    body: string | Uint8Array,
    headers: Record<string, string>,
    status: number,
    code: string,
  ][] = [
    ['cut off in an item', '[{"id":"b","title":"B"},{"id":', {}, 400, 'invalid_json'],
    ['cut off before its end', '[{"id":"b","title":"B"}', {}, 400, 'invalid_json'],
    ['a comma too many', '[{"id":"b","title":"B"},]', {}, 400, 'invalid_json'],
    ['a bad item within brackets', '[{"id":"b","title":"B"},{"id":"c",}]', {}, 400, 'invalid_json'],
    ['NaN as a price', '[{"id":"b","title":"B","price":NaN}]', {}, 400, 'invalid_json'],
    ['text behind the end', `${good}x`, {}, 400, 'invalid_json'],
    ['two arrays', good + good, {}, 400, 'invalid_json'],
    ['deep nesting without end', `${'['.repeat(200_000)}`, {}, 400, 'invalid_json'],
    ['a scalar', '42', {}, 400, 'invalid_json'],
    ['invalid UTF-8', Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), {}, 400, 'invalid_json'],
    ['nothing', '', {}, 400, 'validation_failed'],
    ['an empty object', '{}', {}, 400, 'validation_failed'],
    ['products that are no list', '{"products":{"id":"b","title":"B"}}', {}, 400, 'validation_failed'],
    ['a delete that is no list', `{"products":${good},"delete":"a"}`, {}, 400, 'validation_failed'],
    ['a delete of objects', `{"products":${good},"delete":[{}]}`, {}, 400, 'validation_failed'],
    ['an unknown mode', `{"products":${good},"mode":"merge"}`, {}, 400, 'validation_failed'],
    ['a mode that is no text', `{"products":${good},"mode":["replace"]}`, {}, 400, 'validation_failed'],
    ['an option of the wrong type', `{"products":${good},"dry_run":"no"}`, {}, 400, 'validation_failed'],
    [
      'a replace of several requests without a name',
      `{"products":${good},"mode":"replace","final":false}`,
      {},
      400,
      'validation_failed',
    ],
    ['a sync_id with spaces', `{"products":${good},"sync_id":"a b"}`, {}, 400, 'validation_failed'],
    ['no gzip', good, { 'content-encoding': 'gzip' }, 400, 'invalid_json'],
    ['gzip cut off', gzipSync(good).subarray(0, -12), { 'content-encoding': 'gzip' }, 400, 'invalid_json'],
    ['another encoding', good, { 'content-encoding': 'br' }, 415, 'unsupported_media_type'],
    ['a form', 'id=1', { 'content-type': 'application/x-www-form-urlencoded' }, 400, 'invalid_json'],
  ]

  test('each gets an error that says what is wrong', async () => {
    const { sendRaw, sync, ids, database } = await startCatalogueServer('sqlite')
    await sync(sampleProducts('a'))
    for (const [name, body, headers, status, code] of cases) {
      const response = await sendRaw(body, { headers: { 'content-type': 'application/json', ...headers } })
      expect([name, response.status, response.body?.error?.code]).toEqual([name, status, code])
    }
    expect(await ids()).toEqual(['a'])
    expect(await countRows(database, 'product_syncs')).toBe(1)
  })

  test('JSON is accepted with any content type, or none', async () => {
    const { baseUrl, syncKey, ids } = await startCatalogueServer('sqlite')
    const types = ['text/plain;charset=UTF-8', 'application/x-www-form-urlencoded', 'text/csv', 'x', '', null]
    for (const [index, type] of types.entries()) {
      const response = await fetch(`${baseUrl}/api/v1/chat/sync-products`, {
        method: 'POST',
        headers: { 'x-service-key': syncKey, ...(type === null ? {} : { 'content-type': type }) },
        // fetch sets no content type for bytes.
        body: Buffer.from(JSON.stringify(sampleProducts(`p${index}`))),
      })
      expect([type, response.status]).toEqual([type, 200])
    }
    expect(await ids()).toEqual(types.map((_, index) => `p${index}`))
  })

  test('a body that is too large, compressed or not, or has too many items gets 413', async () => {
    const environment = { SYNC_MAX_BYTES: '20000', SYNC_MAX_ITEMS: '100' }
    const { sendRaw, ids } = await startCatalogueServer('sqlite', { environment })
    const long = JSON.stringify([...sampleProducts('a'), { id: 'b', title: 'x'.repeat(30_000) }])
    const manyProducts = JSON.stringify(Array.from({ length: 101 }, (_, index) => ({ id: index, title: 'T' })))
    const bomb = gzipSync(`[${' '.repeat(50 * MB)}]`)
    const gzipOptions = { headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' } }
    for (const response of [
      await sendRaw(long),
      await sendRaw(manyProducts),
      await sendRaw(bomb.subarray(0, 19_000), gzipOptions),
    ]) {
      expect([response.status, response.body.error.code]).toEqual([413, 'payload_too_large'])
    }
    expect((await sendRaw(gzipSync(long), gzipOptions)).status).toBe(413)
    expect(await ids()).toEqual([])
    expect((await sendRaw(JSON.stringify(sampleProducts('c')))).status).toBe(200)
  })

  test('a body whose client disconnects is dropped, and the server keeps running', async () => {
    const { baseUrl, syncKey, sync, ids } = await startCatalogueServer('sqlite')
    await sync(sampleProducts('a'))
    await new Promise<void>((resolve) => {
      const headers = { 'x-service-key': syncKey, 'content-type': 'application/json', 'content-length': 1_000_000 }
      const upload = request(`${baseUrl}/api/v1/chat/sync-products?mode=replace`, { method: 'POST', headers })
      upload.on('error', () => resolve())
      upload.write(
        `[${sampleProducts('b', 'c')
          .map((item) => JSON.stringify(item))
          .join(',')},`,
      )
      setTimeout(() => upload.destroy(), 200)
    })
    expect((await sync(sampleProducts('d'))).status).toBe(200)
    expect(await ids()).toEqual(['a', 'd'])
  })
})

test('hostile items fail on their own or are stored safely', async () => {
  const { sendRaw, read, ids } = await startCatalogueServer('sqlite')
  const texts = [
    `{"id":"deep","title":"T","x":${'['.repeat(20_000)}${']'.repeat(20_000)},"attributes":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
    '{"id":"proto","title":"T","__proto__":{"polluted":1},"constructor":"c","attributes":{"__proto__":"x","toString":"s"}}',
    `{"id":"huge","title":"${'x'.repeat(900_000)}","description":"${'<b>'.repeat(30_000)}"}`,
    `{"id":"larger","title":"${'x'.repeat(1_100_000)}"}`,
    '{"id":"nul","title":"a\\u0000b\\tc","sku":"x\\ty","description":"\\ud800"}',
    '{"id":"a\\u0000b","title":"T"}',
    '{"id":"..","title":"T"}',
    `{"id":"${'i'.repeat(257)}","title":"T"}`,
    '{"id":true,"title":{"a":1},"price":1e999}',
    '{"id":"odd","title":["T"],"price":{"value":{"value":1}},"variants":{"nodes":[null,1]},"images":[[["x"]]]}',
    `{"id":"wide","title":"T",${Array.from({ length: 5000 }, (_, index) => `"k${index}":${index}`).join()}}`,
    `{"id":"many","title":"T","variants":[${Array(3000).fill('{"size":"S"}').join()}]}`,
  ]
  const response = await sendRaw(`[${texts.join(',\n')}]`)
  expect(response.status).toBe(200)
  const codes = Object.fromEntries(
    response.body.errors.map(({ index, code }: { index: number; code: string }) => [index, code]),
  )
  expect(codes).toEqual({
    3: 'item_too_large',
    5: 'invalid_id',
    6: 'invalid_id',
    7: 'invalid_id',
    8: 'missing_title',
    9: 'missing_title',
  })
  expect(await ids()).toEqual(['deep', 'huge', 'many', 'nul', 'proto', 'wide'])
  expect((await read('proto')).attributes).toEqual({ constructor: 'c', toString: 's' })
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  expect((await read('huge')).title.length).toBeLessThanOrEqual(500)
  expect(await read('nul')).toMatchObject({ title: 'ab c', sku: 'x y' })
  expect(Object.keys((await read('wide')).attributes)).toHaveLength(100)
  expect((await read('many')).variants).toHaveLength(500)
})
