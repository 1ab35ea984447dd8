// Large and hostile imports: told item by item, and never in the way of others.
import { Fault } from '@docent/contract'
import { describe, expect, test } from 'vitest'
import { documentImporter } from '../src/knowledge/import-documents.ts'
import { ADMIN_TOKEN, startServer } from './harness/start-server.ts'
import { createTenant } from './harness/tenants.ts'

const DOCUMENTS = '/api/manage/v1/bots/{botId}/documents'
const MB = 1024 * 1024

async function withTenant() {
  const server = await startServer('sqlite')
  const { botId } = await createTenant(server.call, 'alpha')
  const send = (raw: string | Uint8Array, type: string) =>
    server.call(`POST ${DOCUMENTS}`, {
      token: ADMIN_TOKEN,
      params: { botId },
      raw,
      headers: { 'content-type': type },
    })
  return { ...server, send, sendLines: (raw: string | Uint8Array) => send(raw, 'application/x-ndjson') }
}

/** The importer on a store that remembers the batches it was given. */
function importing(checkDocument: (item: unknown) => string | null = () => null) {
  const batches: number[] = []
  const importDocuments = documentImporter({
    documents: {
      hashes: async () => new Map(),
      store: async (_, documents) => batches.push(documents.length),
    },
    checkDocument,
    keepVectors: async () => {},
    onImported: () => {},
    clock: () => 0,
  } as Parameters<typeof documentImporter>[0])
  return { batches, run: (items: unknown[]) => importDocuments({ id: 'bot', language: 'en' }, items) }
}

/** The longest time that nothing else could run. */
async function longestPauseMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  const look = () => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }
  const timer = setInterval(look, 1)
  await work()
  look()
  clearInterval(timer)
  return longest
}

describe('an import lets others run', () => {
  test('while its items are wrong', async () => {
    const { run } = importing(() => {
      for (const end = performance.now() + 0.1; performance.now() < end; );
      return 'wrong'
    })
    expect(await longestPauseMs(() => run(Array(20_000).fill(null)))).toBeLessThan(1000)
  })

  test('while its items are large', async () => {
    const { run } = importing()
    const html = '<p>Some plain words about parcels.</p>'.repeat(3000)
    const items = Array.from({ length: 49 }, (_, index) => ({ id: `d${index}`, title: 'Page', html }))
    const start = performance.now()
    const pauseMs = await longestPauseMs(() => run(items))
    expect(pauseMs).toBeLessThan((performance.now() - start) / 4)
  })
})

test('a batch is stored when it holds 50 documents or about 1 MB', async () => {
  const { batches, run } = importing()
  const items = (count: number, text: string) =>
    Array.from({ length: count }, (_, index) => ({ id: `d${index}`, title: 'Page', text }))
  await run(items(120, 'short'))
  expect(batches.splice(0)).toEqual([50, 50, 20])
  await run(items(10, 'words '.repeat(70_000)))
  expect(batches).toEqual([3, 3, 3, 1])
})

test('a JSON body of more than 100,000 items is refused whole, one of 100,000 is not', async () => {
  const { send } = await withTenant()
  const items = (count: number) => `{"documents":[${Array(count).fill('0').join(',')}]}`
  const refused = await send(items(3_000_000), 'application/json')
  expect([refused.status, refused.body.error.code]).toEqual([400, 'validation_failed'])
  expect(refused.body.error.details).toEqual([{ path: 'documents', message: expect.stringContaining('100000') }])
  expect((await send(items(100_000), 'application/json')).body).toMatchObject({ created: 0, failed: 100_000 })
})

describe('newline-delimited JSON', () => {
  const line = (id: string, text: string) => JSON.stringify({ id, title: 'Page', text })

  test('a line above 16 MB fails alone', async () => {
    const { sendLines } = await withTenant()
    const lines = [line('a', 'First'), line('b', 'x'.repeat(17 * MB)), line('c', 'Third'), 'x'.repeat(20 * MB)]
    const report = await sendLines(lines.join('\n'))
    expect(report.body).toMatchObject({ created: 2, failed: 2 })
    const told = report.body.errors.map(({ index, message }: { index: number; message: string }) => [index, message])
    expect(told).toEqual([
      [1, expect.stringContaining('16 MB')],
      [3, expect.stringContaining('16 MB')],
    ])
  })

  test('a line that arrives in very many chunks is put together in linear time', async () => {
    const { sendLines } = await withTenant()
    const start = performance.now()
    const report = await sendLines('x'.repeat(90 * MB))
    expect(report.body).toMatchObject({ created: 0, failed: 1 })
    expect(performance.now() - start).toBeLessThan(5000)
  })

  test('lines are cut at their ends, wherever the chunks are cut', async () => {
    const { sendLines } = await withTenant()
    const lines = Array.from({ length: 200 }, (_, index) => line(`d${index}`, `Grüße ${'ä€😀 '.repeat(index * 20)}`))
    expect((await sendLines(lines.join('\n'))).body).toMatchObject({ created: 200, failed: 0 })
    expect((await sendLines(`${lines.join('\n\n')}\n`)).body).toMatchObject({ unchanged: 200, failed: 0 })
  })

  test('a fault in the place of an item is told as that item’s error', async () => {
    const { run } = importing()
    const report = await run([new Fault('payload_too_large'), { id: 'a', title: 'Page', text: 'x' }])
    expect(report).toMatchObject({ created: 1, failed: 1, errors: [{ index: 0, id: null }] })
  })
})
