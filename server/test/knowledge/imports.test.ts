// Large and hostile imports: reported item by item, without blocking other work.
import { Fault } from '@docent/contract'
import { describe, expect, test } from 'vitest'
import { makeEmbedDocuments } from '../../src/search/vectors/embedding.ts'
import { decodeVectors } from '../../src/search/vectors/quantise.ts'
import { makeImportDocuments } from '../../src/sources/documents/documents.ts'
import { splitDocument } from '../../src/sources/documents/split-document.ts'
import { openDatabase } from '../../src/storage/storage.ts'
import { engines } from '../harness/database/databases.ts'
import { queryRows } from '../harness/database/rows.ts'
import { longestBlockMs, longestBlockShare, measureCpuMs } from '../harness/event-loop.ts'
import { createTestDatabase } from '../harness/start-process.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createTenant } from '../harness/tenants.ts'
import { expectBelow } from '../harness/timing.ts'

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

/** The importer with a store that records its batches. */
function importing(checkDocument: (item: unknown) => string | null = () => null) {
  const batches: number[] = []
  const importDocuments = makeImportDocuments({
    documents: {
      hashes: async () => new Map(),
      store: async (_, documents) => batches.push(documents.length),
    },
    checkDocument,
    splitDocument: async (_, content) => splitDocument(content),
    cacheVectors: async () => {},
    onImported: () => {},
    clock: () => 0,
  } as Parameters<typeof makeImportDocuments>[0])
  return {
    batches,
    run: (items: unknown[]) => importDocuments({ id: 'bot', workspaceId: 'ws', language: 'en' }, items),
  }
}

describe('an import does not block other work', () => {
  test('if its items are invalid', async () => {
    const { run } = importing(() => {
      for (const end = performance.now() + 0.1; performance.now() < end; );
      return 'wrong'
    })
    await expectBelow(1000, () => longestBlockMs(() => run(Array(20_000).fill(null))))
  })

  test('if its items are large', async () => {
    const { run } = importing()
    const html = '<p>Some plain words about parcels.</p>'.repeat(3000)
    const items = Array.from({ length: 49 }, (_, index) => ({ id: `d${index}`, title: 'Page', html }))
    await expectBelow(1 / 4, () => longestBlockShare(() => run(items)))
  })
})

test('parsing, indexing and searching a document of 2 MB, curated answers and a start block no other work', async () => {
  const words = (n: number) => Array.from({ length: 40 }, (_, i) => `word${(n * 31 + i * 7) % 997}`).join(' ')
  const html = Array.from({ length: 5500 }, (_, n) => `<h2>Section ${n}</h2><p>${words(n)}.</p>`).join('\n')
  const content = { format: 'html' as const, content: html, title: 'Page', language: 'en' }
  const token = ADMIN_TOKEN
  let server = await startServer('sqlite')
  const { botId, key } = await server.createBot()
  const params = { botId }
  const ask = () =>
    server.call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message: 'What about word31 and word62?' } })
  await ask()

  await expectBelow(1, async (attempt) => {
    const raw = JSON.stringify({ documents: [{ id: 'a', title: `Page ${attempt}`, html }] })
    const put = async () =>
      expect((await server.call(`POST ${DOCUMENTS}`, { token, params, raw })).body).toMatchObject({
        unchanged: 0,
        failed: 0,
      })
    const answers = Array.from({ length: 300 }, (_, n) => ({
      question: `Why ${words(n).slice(0, 60)}?`,
      answer: `${attempt} ${n}`,
    }))
    // Relative to the time that splitting takes on this machine: about 50 ms on an idle one.
    const inPlaceMs = Math.min(...(await inTurn(3, () => measureCpuMs(() => splitDocument(content)))))
    const boundMs = Math.max(50, inPlaceMs / 2)
    const shareOf = async (work: () => Promise<unknown>) => (await longestBlockMs(work)) / boundMs

    const shares: Record<string, number> = {}
    shares.import = await shareOf(put)
    shares.question = await shareOf(ask)
    await server.call('POST /api/manage/v1/bots/{botId}/answers/import', { token, params, body: { answers } })
    shares.curated = await shareOf(ask)
    await server.stop()
    server = await startServer('sqlite', { database: server.database })
    shares.start = await shareOf(ask)
    return shares
  })
})

async function inTurn<T>(times: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = []
  while (results.length < times) results.push(await work())
  return results
}

test('a batch is stored when it holds 50 documents or about 1 MB', async () => {
  const { batches, run } = importing()
  const items = (count: number, text: string) =>
    Array.from({ length: count }, (_, index) => ({ id: `d${index}`, title: 'Page', text }))
  await run(items(120, 'short'))
  expect(batches.splice(0)).toEqual([50, 50, 20])
  await run(items(10, 'words '.repeat(70_000)))
  expect(batches).toEqual([3, 3, 3, 1])
})

test('a JSON body of more than 100,000 items is refused, one of 100,000 is not', async () => {
  const { send } = await withTenant()
  const items = (count: number) => `{"documents":[${Array(count).fill('0').join(',')}]}`
  const response = await send(items(3_000_000), 'application/json')
  expect([response.status, response.body.error.code]).toEqual([400, 'validation_failed'])
  expect(response.body.error.details).toEqual([{ path: 'documents', message: expect.stringContaining('100000') }])
  expect((await send(items(100_000), 'application/json')).body).toMatchObject({ created: 0, failed: 100_000 })
})

describe('newline-delimited JSON', () => {
  const line = (id: string, text: string) => JSON.stringify({ id, title: 'Page', text })

  test('only a line above 16 MB fails', async () => {
    const { sendLines } = await withTenant()
    const lines = [line('a', 'First'), line('b', 'x'.repeat(17 * MB)), line('c', 'Third'), 'x'.repeat(20 * MB)]
    const report = await sendLines(lines.join('\n'))
    expect(report.body).toMatchObject({ created: 2, failed: 2 })
    const errors = report.body.errors.map(({ index, message }: { index: number; message: string }) => [index, message])
    expect(errors).toEqual([
      [1, expect.stringContaining('16 MB')],
      [3, expect.stringContaining('16 MB')],
    ])
  })

  test('a line that arrives in very many chunks is joined in linear time', async () => {
    const { sendLines } = await withTenant()
    const send = async () =>
      expect((await sendLines('x'.repeat(90 * MB))).body).toMatchObject({ created: 0, failed: 1 })
    await expectBelow(5000, () => measureCpuMs(send))
  })

  test('lines are split correctly, wherever the chunks are split', async () => {
    const { sendLines } = await withTenant()
    const lines = Array.from({ length: 200 }, (_, index) => line(`d${index}`, `Grüße ${'ä€😀 '.repeat(index * 20)}`))
    expect((await sendLines(lines.join('\n'))).body).toMatchObject({ created: 200, failed: 0 })
    expect((await sendLines(`${lines.join('\n\n')}\n`)).body).toMatchObject({ unchanged: 200, failed: 0 })
  })

  test('an error at an item is reported as that item’s error', async () => {
    const { run } = importing()
    const report = await run([new Fault('payload_too_large'), { id: 'a', title: 'Page', text: 'x' }])
    expect(report).toMatchObject({ created: 1, failed: 1, errors: [{ index: 0, id: null }] })
  })
})

test.each(engines)('after an upgrade, documents are split again from their content on %s', async (engine) => {
  const database = await createTestDatabase(engine)
  const first = await startServer(engine, { database })
  const documents = [
    { id: 'steps', title: 'Returns', html: '<ol><li>Print the label.</li><li>Tape the box.</li></ol>' },
    { id: 'same', title: 'Hours', text: 'Open from nine to five.' },
  ]
  const { botId } = await first.createBot({ documents })
  await first.stop()
  const tables = await openDatabase({ ...database, databasePoolSize: 1 }, Date.now())
  await tables.write(`UPDATE passages SET text = 'Print the label. Tape the box.' WHERE document_id = 'steps'`)
  await tables.write('UPDATE documents SET parser_version = 0')
  await tables.close()
  const version = async () => (await queryRows(database, 'SELECT knowledge_version AS version FROM bots'))[0]?.version
  const before = Number(await version())

  const second = await startServer(engine, { database })
  const found = async () => {
    const route = 'GET /api/manage/v1/bots/{botId}/search'
    const response = await second.call(route, { token: ADMIN_TOKEN, params: { botId }, query: { q: 'tape the box' } })
    return response.body.results[0]?.passage
  }
  await expect.poll(found).toBe('1. Print the label.\n2. Tape the box.')
  const outdated = () => queryRows(database, 'SELECT id FROM documents WHERE parser_version = 0')
  await expect.poll(outdated).toEqual([])
  // The document with the same passages changed nothing.
  expect(Number(await version())).toBe(before + 1)
})

test('unchanged passages keep their vectors when their document is replaced', async () => {
  const embeddedTexts: string[] = []
  let passages = ['One.', 'Two.']
  let storedVectors: Uint8Array | undefined
  const embedDocuments = makeEmbedDocuments({
    documents: {
      listPassages: async () =>
        passages.map((text, ordinal) => ({
          documentId: 'd',
          ordinal,
          title: 'T',
          url: null,
          language: 'en',
          headings: [],
          anchor: null,
          text,
          passageId: `psg_${ordinal}`,
          pageText: text,
          isExcluded: false,
          questions: [],
          updatedAt: 0,
        })),
    },
    documentVectors: {
      listMissing: async () => (storedVectors ? [] : [{ id: 'd', hash: 'h' }]),
      find: async () => storedVectors,
      store: async (_botId: string, _model: string, [document]: { vectors: Uint8Array }[]) => {
        storedVectors = document?.vectors
      },
    } as never,
    embedder: {
      model: 'm',
      state: { kind: 'ready', model: 'm' },
      embed: async (texts) => {
        embeddedTexts.push(...texts)
        return texts.map((_, number) => Float32Array.of(1, 0, 0, number / 10))
      },
      close: async () => {},
    },
    model: 'm',
    clock: () => 0,
    onError: (error) => {
      throw error
    },
  })
  embedDocuments.enqueue('bot')
  await expect.poll(() => storedVectors).toBeDefined()
  await embedDocuments.cacheVectors('bot', ['d'])
  passages = ['One.', 'New.', 'Two.']
  storedVectors = undefined
  embedDocuments.enqueue('bot')
  await expect.poll(() => storedVectors && decodeVectors(storedVectors).length).toBe(3)
  expect(embeddedTexts).toEqual(['T. One.', 'T. Two.', 'T. New.'])
  await embedDocuments.close()
})
