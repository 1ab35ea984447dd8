// The search index: always up to date, independent of the order of changes, and built without blocking.
import { describe, expect, test } from 'vitest'
import { analyseQuestion } from '../../src/language/analyse.ts'
import { buildIndex } from '../../src/search/index/passage-index.ts'
import { search } from '../../src/search/query/search.ts'
import { runInThread } from '../../src/search/run-in-thread.ts'
import { dotBlock } from '../../src/search/vectors/dot-block.ts'
import { dotCodes } from '../../src/search/vectors/quantise.ts'
import { splitDocument } from '../../src/sources/documents/split-document.ts'
import type { Call } from '../harness/call.ts'
import { type Engine, engines } from '../harness/database/databases.ts'
import { queryRows } from '../harness/database/rows.ts'
import { eventLoopClock, longestBlockMs, measureCpuMs } from '../harness/event-loop.ts'
import { createTestDatabase, startProcess } from '../harness/start-process.ts'
import { ADMIN_TOKEN, botCreator, startServer, type TestBot } from '../harness/start-server.ts'
import { expectBelow } from '../harness/timing.ts'
import { pause } from '../harness/wait.ts'

const token = ADMIN_TOKEN
const DOCUMENTS = '/api/manage/v1/bots/{botId}/documents'
const LONGEST_HOLD_UP_MS = 150

const towns = ['Arnstadt', 'Bergen', 'Celle', 'Detmold', 'Erfurt', 'Fulda', 'Goslar', 'Husum', 'Ilmenau', 'Jena']
const goods = ['kettles', 'lamps', 'chairs', 'bicycles', 'violins', 'cameras', 'tents', 'stoves', 'clocks', 'boats']
const verbs = ['repaired', 'sold', 'rented out', 'collected', 'restored', 'tested', 'insured', 'stored']
const questions = [
  'Where are violins repaired?',
  'Who rents out boats in Husum?',
  'Which shop number sells clocks in Jena?',
  'Are tents stored in shop 42?',
  'lamps',
]

const hangar = { id: 'hangar', title: 'Hangar', text: 'Root beer is brewed behind the zeppelin hangar.' }
const HANGAR = 'What is brewed behind the zeppelin hangar?'

/** Short documents that each differ in a few words. */
function shops(from: number, to: number) {
  return Array.from({ length: to - from }, (_, i) => shop(from + i))
}

function shop(n: number) {
  const at = <T>(list: T[], step: number) => list[Math.floor(n / step) % list.length]
  const text = `In shop ${n} of ${at(towns, 1)}, ${at(goods, 3)} are ${at(verbs, 7)} and ${at(goods, 11)} are ${at(verbs, 2)}. The shop opens at ${(n % 5) + 6} in the morning and closes at ${(n % 7) + 14}.`
  return { id: `shop-${n}`, title: `Shop ${n}`, url: `https://shops.test/${n}`, language: 'en', text }
}

function botOf(call: Call, { botId, key }: TestBot) {
  const params = { botId }
  return {
    put: (documents: object[]) => call(`POST ${DOCUMENTS}`, { token, params, body: { documents } }),
    putLines: (documents: object[]) =>
      call(`POST ${DOCUMENTS}`, {
        token,
        params,
        raw: documents.map((document) => JSON.stringify(document)).join('\n'),
        headers: { 'content-type': 'application/x-ndjson' },
      }),
    remove: (documentId: string) => call(`DELETE ${DOCUMENTS}/{documentId}`, { token, params: { botId, documentId } }),
    async ask(message: string) {
      const response = await call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message } })
      expect([message, response.status]).toEqual([message, 200])
      return response.body
    },
    /** The search results of each question, with all figures. */
    found: () =>
      Promise.all(
        questions.map(async (q) => {
          const query = { q, limit: 20 }
          const { body } = await call('GET /api/manage/v1/bots/{botId}/search', { token, params, query })
          expect(body.results.length).toBeGreaterThan(0)
          return body
        }),
      ),
  }
}

test('a second server on the same database sees every change on its next question', async () => {
  const first = await startServer('postgres')
  const second = await startServer('postgres', { database: first.database })
  const bot = await first.createBot({ documents: shops(0, 20) })
  const firstBot = botOf(first.call, bot)
  const secondBot = botOf(second.call, bot)
  expect(await secondBot.found()).toEqual(await firstBot.found())

  expect((await secondBot.ask(HANGAR)).answered).toBe(false)
  await firstBot.put([hangar])
  expect((await secondBot.ask(HANGAR)).response).toBe(hangar.text)
  await firstBot.put([{ ...hangar, text: 'Ginger ale is brewed behind the zeppelin hangar.' }])
  expect((await secondBot.ask(HANGAR)).response).toBe('Ginger ale is brewed behind the zeppelin hangar.')
  await secondBot.put([{ ...hangar, text: 'Cider is brewed behind the zeppelin hangar.' }])
  expect((await firstBot.ask(HANGAR)).response).toBe('Cider is brewed behind the zeppelin hangar.')
  await firstBot.remove('hangar')
  expect((await secondBot.ask(HANGAR)).answered).toBe(false)
})

describe.each(engines)('the index on %s', (engine: Engine) => {
  test('of a bot with more than 500 passages is loaded from its snapshot after a restart, with the same results', async () => {
    const database = await createTestDatabase(engine)
    const server = await startServer(engine, { database })
    const bot = await server.createBot({ documents: shops(0, 600) })
    const small = await server.createBot({ documents: shops(0, 20) })
    const before = await botOf(server.call, bot).found()
    await botOf(server.call, small).found()
    await server.stop()

    const snapshots = () => queryRows(database, 'SELECT bot_id, part, version, format, data FROM index_snapshots')
    const savedSnapshots = await snapshots()
    expect(savedSnapshots.map(({ bot_id, part }) => [bot_id, part])).toEqual([[bot.botId, 0]])
    expect(Buffer.from(savedSnapshots[0]?.data as Uint8Array).toString('latin1', 0, 8)).toBe('DOCENTIX')

    const restartedServer = await startServer(engine, { database })
    const after = botOf(restartedServer.call, bot)
    expect(await after.found()).toEqual(before)
    // Changes since the snapshot are applied.
    await after.put([{ ...shop(7), text: 'Harpsichords are tuned in shop 7.' }])
    await after.remove('shop-8')
    expect((await after.ask('Where are harpsichords tuned?')).response).toBe('Harpsichords are tuned in shop 7.')
    await restartedServer.stop()

    const third = await startServer(engine, { database })
    const thirdBot = botOf(third.call, bot)
    expect((await thirdBot.ask('Where are harpsichords tuned?')).response).toBe('Harpsichords are tuned in shop 7.')
    const urls = (await thirdBot.found()).flatMap(({ results }) => results.map(({ url }: { url: string }) => url))
    expect(urls).not.toContain('https://shops.test/8')
  })

  test('has the same results after 30 rounds of removing, changing and adding as a new bot', async () => {
    const server = await startServer(engine)
    const bot = botOf(server.call, await server.createBot({ documents: shops(0, 60) }))
    for (let round = 0; round < 30; round++) {
      const closedShops = [round, round + 30].map(shop)
      await Promise.all(closedShops.map(({ id }) => bot.remove(id)))
      if (round % 3 === 0) await bot.found()
      await bot.put(closedShops.map((document) => ({ ...document, text: 'Closed for the holidays.' })))
      if (round % 4 === 0) await bot.found()
      await bot.put(closedShops)
      if (round % 5 === 0) await bot.found()
    }
    const fresh = botOf(server.call, await server.createBot({ documents: shops(0, 60) }))
    expectSame(await bot.found(), await fresh.found())
  })

  test('drops a document that becomes empty', async () => {
    const server = await startServer(engine)
    const bot = botOf(server.call, await server.createBot({ documents: shops(0, 20) }))
    await bot.put([hangar])
    expect((await bot.ask(HANGAR)).answered).toBe(true)
    for (const text of ['', ' \n\n ']) {
      await bot.put([{ ...hangar, text }])
      expect(await bot.ask(HANGAR)).toMatchObject({ answered: false, sources: [] })
      await bot.put([hangar])
      expect((await bot.ask(HANGAR)).response).toBe(hangar.text)
    }
  })
})

test('answers every bot from its own content even at the smallest memory limit', async () => {
  const server = await startServer('sqlite', { environment: { INDEX_MEMORY_BYTES: String(1024 ** 2) } })
  const roomy = await startServer('sqlite')
  const firstNumbers = [0, 1000, 2000, 3000]
  const bots = await Promise.all(
    firstNumbers.map(async (from) =>
      botOf(server.call, await server.createBot({ documents: shops(from, from + 550) })),
    ),
  )
  const expectedHits = await Promise.all(
    firstNumbers.map(async (from) =>
      botOf(roomy.call, await roomy.createBot({ documents: shops(from, from + 550) })).found(),
    ),
  )
  for (let round = 0; round < 2; round++)
    for (const [i, bot] of bots.entries()) expect(await bot.found()).toEqual(expectedHits[i])
  const parallelHits = await Promise.all(bots.map((bot) => bot.found()))
  expect(parallelHits).toEqual(expectedHits)
})

describe('headings count as questions for the text below them', () => {
  const invoices =
    '<p>Every invoice is sent by e-mail when the order leaves us. Pay the invoice within 14 days by bank transfer.</p>'
  const questions =
    '<details><summary>Can I pay by invoice?</summary>From your second order on.</details><details><summary>Which cards do you take?</summary>Visa.</details>'
  const rates = Array.from(
    { length: 60 },
    (_, n) => `<tr><td>Zone ${n}00</td><td>${n} €</td><td>${n + 5} days</td></tr>`,
  )
  const table = `<table><caption>Rates by zone</caption><tr><th>Zone</th><th>Parcel price</th><th>Delivery time</th></tr>${rates.join('')}</table>`
  const long = `<h2>How do I clean the chain?</h2>${'<p>Wipe it with a dry cloth first, then turn the pedals backwards while you hold the cloth around the links.</p>'.repeat(15)}`
  const passages = [invoices + questions, table, long].flatMap((content, number) =>
    splitDocument({ format: 'html', content, title: 'Help', language: 'en' }).map((passage, ordinal) => ({
      ...passage,
      id: `${number}#${ordinal}`,
      title: 'Help',
      language: 'en',
    })),
  )
  const index = buildIndex(passages)
  const first = (question: string) => {
    const [hit] = search(index, analyseQuestion(question, 'en'))
    return passages.find(({ id }) => id === hit?.id)
  }

  test('a question is found by a similar question, even if another text contains its words', () => {
    expect(first('Can I pay with an invoice?')?.text).toBe('From your second order on.')
    expect(first('which cards can I take')?.text).toBe('Visa.')
  })

  test('every part of a split table is found by the names of its columns, every part of a section by its heading', () => {
    expect(passages.filter(({ id }) => id.startsWith('1#')).length).toBeGreaterThan(3)
    expect(first('delivery time zone 5700')?.text).toContain('- Zone 5700: Parcel price 57 €, Delivery time 62 days')
    expect(first('parcel price zone 300')?.text).toContain('- Zone 300: Parcel price 3 €')
    const parts = passages.filter(({ id }) => id.startsWith('2#'))
    expect(parts.length).toBeGreaterThan(2)
    for (const { headings } of parts) expect(headings).toEqual(['How do I clean the chain?'])
  })
})

test('vectors are compared the same with and without SIMD', () => {
  for (const dimensions of [16, 20, 384, 1536]) {
    const codes = Int8Array.from({ length: dimensions * 30 }, (_, n) => (n % 3 === 0 ? -127 : (n * 37) % 128))
    const query = codes.slice(dimensions, 2 * dimensions)
    const dots = [...dotBlock(query, codes, 3, 20).subarray(0, 20)]
    expect(dots).toEqual(dots.map((_, n) => dotCodes(query, codes, (3 + n) * dimensions)))
  }
})

describe('a large bot', () => {
  async function withProcess() {
    const database = await createTestDatabase('sqlite')
    const { call, pid } = await startProcess({ database })
    const watch = watcher(call, eventLoopClock(pid))
    return { call, watch, createBot: botCreator(call) }
  }

  test('of 3,000 documents is imported and indexed without blocking other work', async () => {
    const { call, watch, createBot } = await withProcess()
    await expectBelow(LONGEST_HOLD_UP_MS, async () => {
      const otherBot = botOf(call, await createBot({ documents: [hangar] }))
      const bot = botOf(call, await createBot())
      const firstImport = await watch(() => bot.putLines([...shops(0, 2999), hangar]))
      expect(firstImport.result.body).toMatchObject({ created: 3000, failed: 0 })
      const firstOfAll = await watch(() => otherBot.ask(HANGAR))
      const firstQuestion = await watch(() => bot.ask(HANGAR))
      expect(firstQuestion.result.response).toBe(hangar.text)
      return longestMsOf({ importing: firstImport, firstOfAll, asking: firstQuestion })
    })
  })

  test('that is asked before and during an import of 3,000 documents does not block other work', async () => {
    const { call, watch, createBot } = await withProcess()
    await expectBelow(LONGEST_HOLD_UP_MS, async () => {
      const bot = botOf(call, await createBot({ documents: shops(3000, 3001) }))
      await bot.ask(HANGAR)
      const firstImport = await watch(() => bot.putLines([...shops(0, 2999), hangar]))
      const firstQuestion = await watch(() => bot.ask(HANGAR))
      expect(firstQuestion.result.response).toBe(hangar.text)
      const importAndQuestion = await watch(async () => {
        const nextImport = bot.putLines([
          ...shops(4000, 6999),
          { ...hangar, text: 'Cider is brewed in the zeppelin hangar.' },
        ])
        for (let i = 0; i < 8; i++) await bot.ask(HANGAR)
        return nextImport
      })
      expect(importAndQuestion.result.body).toMatchObject({ created: 2999, updated: 1 })
      const laterQuestion = await watch(() => bot.ask(HANGAR))
      expect(laterQuestion.result.response).toBe('Cider is brewed in the zeppelin hangar.')
      return longestMsOf({
        importing: firstImport,
        asking: firstQuestion,
        both: importAndQuestion,
        later: laterQuestion,
      })
    })
  })
})

/** Runs something while polling /livez, and reports the longest response time of the event loop. */
function watcher(call: Call, clock: () => number) {
  return async <T>(run: () => Promise<T>): Promise<{ result: T; longestMs: number }> => {
    let longestMs = 0
    let over = false
    const watcherLoop = (async () => {
      while (!over) {
        const start = clock()
        expect((await call('GET /livez')).status).toBe(200)
        longestMs = Math.max(longestMs, clock() - start)
        await pause(5)
      }
    })()
    try {
      const result = await run()
      over = true
      await watcherLoop
      return { result, longestMs }
    } finally {
      over = true
    }
  }
}

function longestMsOf(phases: Record<string, { longestMs: number }>): Record<string, number> {
  const figures = Object.entries(phases).map(([phase, { longestMs }]) => [phase, Math.round(longestMs)] as const)
  console.log('longest wait for /livez, in ms:', Object.fromEntries(figures))
  return Object.fromEntries(figures)
}

type Results = { document_id: string; score: number }[]

/** Removed passages still affect word rarity until the index is compacted, so scores may differ slightly. */
function expectSame(actual: { results: Results }[], expected: { results: Results }[]) {
  for (const [i, { results }] of expected.entries()) {
    const scores = new Map(actual[i]?.results.map(({ document_id, score }) => [document_id, score]))
    for (const { document_id, score } of results.slice(0, 10))
      expect([questions[i], document_id, scores.get(document_id)]).toEqual([
        questions[i],
        document_id,
        expect.closeTo(score, 1),
      ])
    const best = results[0]?.score ?? 0
    const bestOnes = results.filter(({ score }) => best - score < 0.03).map(({ document_id }) => document_id)
    expect(bestOnes).toContain(actual[i]?.results[0]?.document_id)
  }
}

test('an index of few passages with many rare words is not built on the event loop', async () => {
  const { createBot, call } = await startServer('sqlite')
  const documents = Array.from({ length: 20 }, (_, list) => {
    const words = Array.from({ length: 1800 }, (_, n) => `part${(list * 1800 + n) * 7}`)
    return { id: `list-${list}`, title: `List ${list}`, text: words.join(' ') }
  })
  const passages = documents.flatMap(({ id, title, text }) =>
    splitDocument({ format: 'text', content: text, title, language: 'en' }).map((passage, ordinal) => ({
      id: `${id} ${ordinal}`,
      title,
      language: 'en',
      questions: [],
      headings: passage.headings,
      text: passage.text,
    })),
  )
  expect(passages.length).toBeLessThan(300)
  buildIndex(passages)
  const buildMs = await measureCpuMs(() => buildIndex(passages))
  await expectBelow(buildMs / 2, async () => {
    const { botId, key } = await createBot({ documents })
    const body = { bot_id: botId, message: 'What is part7?' }
    return longestBlockMs(() => call('POST /api/v1/chat', { token: key, body }))
  })
})

test('if no thread can be started, the event loop does all pending work', async () => {
  const work = { items: [1], receive: () => 'from a thread', runDirectly: () => 'in place' }
  const absentWorker = new URL('./absent-worker.ts', import.meta.url)
  const results = await Promise.all(Array.from({ length: 4 }, () => runInThread(absentWorker, work)))
  expect(results).toEqual(Array(4).fill('in place'))
})
