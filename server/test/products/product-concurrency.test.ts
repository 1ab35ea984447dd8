// Concurrent and interrupted syncs: none corrupts another, and nothing is lost.
import { describe, expect, onTestFinished, test } from 'vitest'
import { openProductsTable } from '../../src/storage/products.ts'
import { openDatabase } from '../../src/storage/storage.ts'
import { sampleProducts, startCatalogueServer } from '../harness/catalogue.ts'
import { type Engine, engines } from '../harness/database/databases.ts'
import { countRows, queryRows } from '../harness/database/rows.ts'
import { longestBlockShare } from '../harness/event-loop.ts'
import { createTestDatabase, startProcess } from '../harness/start-process.ts'
import { ADMIN_TOKEN, botCreator } from '../harness/start-server.ts'
import { createSyncKey, syncProducts } from '../harness/tenants.ts'
import { expectBelow } from '../harness/timing.ts'
import { waitFor } from '../harness/wait.ts'

const many = (prefix: string, count: number, mark = '') =>
  Array.from({ length: count }, (_, index) => ({ id: `${prefix}${index}`, title: `Product ${mark}`, brand: mark }))
const sorted = (list: object[]) => list.map((item) => (item as { id: string }).id).sort()

describe.each(engines)('syncs at the same time on %s', (engine) => {
  test('parallel upserts of the same products leave each product consistent', async () => {
    const { sync, ids, read } = await startCatalogueServer(engine)
    const marks = ['one', 'two', 'three', 'four']
    const responses = await Promise.all(marks.map((mark) => sync(many('p', 900, mark))))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const createdCount = responses.reduce((sum, { body }) => sum + body.created, 0)
    expect([createdCount, (await ids()).length]).toEqual([900, 900])
    for (const id of ['p0', 'p450', 'p899']) {
      const { title, brand } = await read(id)
      expect(title).toBe(`Product ${brand}`)
    }
  })

  test('of several parallel replaces, one wins completely', async () => {
    const { sync, ids } = await startCatalogueServer(engine)
    for (let round = 0; round < 4; round++) {
      const sets = [many('a', 700, 'x'), [...many('a', 300, 'x'), ...many('b', 500)], many('c', 450)]
      await Promise.all(sets.map((products) => sync({ mode: 'replace', products })))
      const storedIds = (await ids()).sort()
      expect(sets.map(sorted)).toContainEqual(storedIds)
    }
  })

  test('of two multi-request replaces, the last to end wins, in any order', async () => {
    const { sync, ids } = await startCatalogueServer(engine)
    for (const order of ['abAB', 'abBA', 'aAbB', 'baAB', 'bBaA']) {
      await sync({ mode: 'replace', products: sampleProducts('old', 'both', 'a2') })
      const steps: Record<string, () => Promise<unknown>> = {
        a: () => sync({ mode: 'replace', sync_id: 'A', products: sampleProducts('a1', 'both') }),
        A: () => sync({ mode: 'replace', sync_id: 'A', products: sampleProducts('a2'), final: true }),
        b: () => sync({ mode: 'replace', sync_id: 'B', products: sampleProducts('b1', 'both') }),
        B: () => sync({ mode: 'replace', sync_id: 'B', products: sampleProducts('b2'), final: true }),
      }
      for (const step of order) await steps[step]?.()
      const last = order.endsWith('A') ? ['a1', 'a2', 'both'] : ['b1', 'b2', 'both']
      expect([order, await ids()]).toEqual([order, last])
    }
  })

  test('upserts and deletions during a replace are kept', async () => {
    const { sync, ids } = await startCatalogueServer(engine)
    await sync(sampleProducts('old', 'changed', 'a'))
    await sync({ mode: 'replace', sync_id: 'n', products: sampleProducts('a', 'b') })
    await sync([...sampleProducts('new'), { id: 'changed', title: 'Changed' }])
    await sync({ delete: ['b'] })
    await sync({ mode: 'replace', sync_id: 'n', final: true })
    expect(await ids()).toEqual(['a', 'changed', 'new'])
    await sync({ mode: 'replace', products: sampleProducts('a') })
    expect(await ids()).toEqual(['a'])
  })

  test('the end of a replace sent several times at once removes once', async () => {
    const { sync, ids, database } = await startCatalogueServer(engine)
    await sync(sampleProducts('old'))
    await sync({ mode: 'replace', sync_id: 'n', products: many('p', 500) })
    const end = () => sync({ mode: 'replace', sync_id: 'n', products: many('q', 500), final: true })
    const responses = await Promise.all([end(), end(), end()])
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await ids()).toHaveLength(1000)
    expect(await countRows(database, 'product_sightings')).toBe(0)
  })

  test('a sync whose bot is deleted meanwhile is refused like an invalid key', async () => {
    const { baseUrl, call, botId, syncKey } = await startCatalogueServer(engine)
    const text = many('p', 900).map((product) => `${JSON.stringify(product)}\n`)
    const body = new ReadableStream({
      async pull(stream) {
        const next = text.splice(0, 450)
        if (next.length === 0) return stream.close()
        stream.enqueue(Buffer.from(next.join('')))
        if (text.length === 0) return
        const { status } = await call('DELETE /api/manage/v1/bots/{botId}', { token: ADMIN_TOKEN, params: { botId } })
        expect(status).toBe(204)
      },
    })
    const headers = { 'x-service-key': syncKey, 'content-type': 'application/x-ndjson' }
    const options = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    const response = await fetch(`${baseUrl}/api/v1/chat/sync-products`, options)
    expect([response.status, await response.json()]).toMatchObject([401, { error: { code: 'invalid_sync_key' } }])
  })

  test('an index that follows changes and removals ends up equal to the catalogue', async () => {
    const { sync, ids, database, botId } = await startCatalogueServer(engine)
    const ownDatabase = await openDatabase({ ...database, databasePoolSize: 2 }, 0)
    onTestFinished(() => ownDatabase.close())
    const table = openProductsTable(ownDatabase)
    const bodies = new Map<string, string>()
    let version = -1
    const steps: [() => Promise<unknown>, changes: number][] = [
      [() => sync(many('p', 300)), 300],
      [() => sync([...many('p', 10, 'changed'), ...sampleProducts('x')]), 11],
      [() => sync({ delete: ['x', 'p299'] }), 0],
      [() => sync({ mode: 'replace', products: [...many('p', 100), ...sampleProducts('y')] }), 11],
      [() => sync(sampleProducts('x')), 1],
    ]
    for (const [step, changes] of steps) {
      await step()
      const now = await table.version(botId)
      for (const id of await table.listRemovedSince(botId, version)) bodies.delete(id)
      let after = { version, id: '' }
      let changedCount = 0
      for (;;) {
        const some = await table.listChangedSince(botId, after, 7)
        for (const { id, body } of some) bodies.set(id, body)
        changedCount += some.length
        after = some.at(-1) ?? after
        if (some.length < 7) break
      }
      version = now
      expect(changedCount).toBe(changes)
      expect([...bodies.keys()].sort()).toEqual((await ids()).sort())
    }
  })
})

test('importing and removing a large catalogue does not block other work', async () => {
  const { sync } = await startCatalogueServer('sqlite')
  const raw = JSON.stringify(many('p', 20_000, 'x'))
  const headers = { 'content-type': 'application/json' }
  await expectBelow(1 / 4, () =>
    longestBlockShare(async () => {
      await sync(undefined, { raw, headers })
      await sync({ mode: 'replace', products: sampleProducts('a') })
    }),
  )
})

test('a kill in the middle of a replace removes nothing, and the next one finishes the work', async () => {
  const { before, after, ids, again } = await killedReplace('sqlite')
  expect(before).toHaveLength(300)
  for (const id of before) expect(after).toContain(id)
  await again()
  expect(await ids()).toHaveLength(30_000)
})

async function killedReplace(engine: Engine) {
  const database = await createTestDatabase(engine)
  const first = await startProcess({ database })
  const { botId } = await botCreator(first.call)()
  const syncKey = await createSyncKey(first.call, botId)
  await syncProducts(first.call, syncKey, many('old', 300))
  const ids = async () => (await queryRows(database, 'SELECT id FROM products')).map(({ id }) => String(id))
  const before = await ids()
  const raw = JSON.stringify(many('new', 30_000))
  const headers = { 'content-type': 'application/json' }
  const query = { mode: 'replace' }
  const brokenSync = syncProducts(first.call, syncKey, undefined, { raw, headers, query }).catch(() => null)
  await waitFor(async () => (await countRows(database, 'products')) >= 1000, 'a thousand products')
  await first.kill()
  expect(await brokenSync).toBeNull()
  const second = await startProcess({ database })
  const after = await ids()
  // An hour later nobody waits for the first one any more; its products are all in the second anyway.
  return { before, after, ids, again: () => syncProducts(second.call, syncKey, undefined, { raw, headers, query }) }
}
