// When a catalogue is indexed: who waits for it, and what it may evict from memory.
import { expect, test } from 'vitest'
import { openProductIndexes } from '../../src/catalogue/index/product-indexes.ts'
import { normaliseProduct } from '../../src/catalogue/products/normalise-product.ts'
import { openIndexCache, openIndexMemory } from '../../src/search/cache/index-cache.ts'

const ROOM = 1_000_000

/** Catalogues of one product each, and how often they were read. */
function shops({ memoryBytes = ROOM } = {}) {
  let reads = 0
  let isHeld = false
  const waiting: (() => void)[] = []
  const { product } = normaliseProduct({ id: 'p1', title: 'Red tent' }, { siteUrl: null, now: 0 })
  const row = { version: 1, id: 'p1', body: JSON.stringify(product) }
  const indexes = openProductIndexes({
    products: {
      version: async () => 1,
      listRemovedSince: async () => [],
      async listChangedSince() {
        if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve))
        reads++
        return [row] as never
      },
    },
    snapshots: { load: async () => undefined } as never,
    memory: openIndexMemory(memoryBytes),
    nextSlice: async () => {},
    onError: (error) => {
      throw error
    },
  })
  return {
    indexes,
    reads: () => reads,
    hold() {
      isHeld = true
    },
    release() {
      isHeld = false
      for (const resolve of waiting.splice(0)) resolve()
    },
  }
}

const bot = (id: string) => ({ id, language: 'en', productVersion: 1, productReadyVersion: 1 })

test('a catalogue is indexed once its first sync has ended, before anybody asks', async () => {
  const { indexes, reads } = shops()
  await indexes.catchUp(bot('a'))
  const index = await indexes.get(bot('a'))
  expect([index.live, reads()]).toEqual([1, 1])
})

test('a sync does not wait for the index of a bot that nobody asked, but its first question does', async () => {
  const { indexes, hold, release } = shops()
  hold()
  await indexes.catchUp(bot('a'))
  let isIndexed = false
  const first = indexes.get(bot('a')).then(() => {
    isIndexed = true
  })
  await new Promise(setImmediate)
  expect(isIndexed).toBe(false)
  release()
  await first
})

test('a new catalogue does not evict one in use', async () => {
  const { indexes, reads } = shops({ memoryBytes: 1 })
  await indexes.get(bot('asked'))
  await indexes.catchUp(bot('new'))
  await indexes.get(bot('asked'))
  expect(reads()).toBe(1)
})

test('closing ends running work, and reads nothing more', async () => {
  const { indexes, reads, hold, release } = shops()
  hold()
  await indexes.catchUp(bot('a'))
  await new Promise(setImmediate)
  const closed = indexes.close()
  release()
  await closed
  expect(reads()).toBe(1)
})

test('empty indexes count, too, and are dropped when there are many', () => {
  const memory = openIndexMemory(10 * 1024)
  const dropped: string[] = []
  for (let number = 0; number < 12; number++)
    memory.recordUse('curated', `b${number}`, 0, () => void dropped.push(`b${number}`))
  expect(dropped).toEqual(['b0', 'b1'])
})

/** Room for one index; what was saved, and when. */
function cacheOfOne() {
  const memory = openIndexMemory(1)
  const saved: string[] = []
  const written = Promise.withResolvers<void>()
  const save = async (botId: string, entry: string, time: string) => {
    await written.promise
    saved.push(`${botId} ${entry} ${time}`)
  }
  return { memory, saved, written, cache: openIndexCache<string>({ kind: 'passages', memory, bytesOf, save }) }
}
const bytesOf = () => 2000

test('an evicted index is saved first, and closing waits for that', async () => {
  const { cache, saved, written } = cacheOfOne()
  for (const botId of ['a', 'b', 'c']) {
    cache.keep(botId, 'index')
    if (botId !== 'b') cache.saveSoon(botId)
  }
  expect(cache.get('a')).toBeUndefined()
  const closed = cache.close()
  expect(saved).toEqual([])
  written.resolve()
  await closed
  expect(saved).toEqual(['a index evicted', 'c index closing'])
})

test('an evicted index counts until it is saved, and only new or larger indexes evict others', async () => {
  const memory = openIndexMemory(10_000)
  const { saved: dropped, written } = cacheOfOne()
  const use = (botId: string, bytes: number) =>
    memory.recordUse('curated', botId, bytes, () => {
      dropped.push(botId)
      return botId === 'large' ? written.promise : undefined
    })
  for (const [botId, bytes] of [
    ['large', 8000],
    ['a', 2000],
    ['b', 2000],
  ] as const)
    use(botId, bytes)
  expect(dropped).toEqual(['large'])
  expect(memory.heldBytes()).toBe(12_000)
  // Already in memory, so nothing has to make room.
  use('a', 2000)
  expect(dropped).toEqual(['large'])
  use('c', 2000)
  expect(dropped).toEqual(['large', 'b', 'a'])
  written.resolve()
  await expect.poll(() => memory.heldBytes()).toBe(2000)
})

test('an index whose bot is removed while it loads is neither kept nor saved', async () => {
  const { cache, saved, written, memory } = cacheOfOne()
  written.resolve()
  const loaded = Promise.withResolvers<string>()
  const asked = cache.upToDate(
    'a',
    () => true,
    () => loaded.promise,
  )
  memory.releaseBot('a')
  cache.saveSoon('a')
  loaded.resolve('index')
  expect(await asked).toBe('index')
  expect([cache.get('a'), memory.heldBytes()]).toEqual([undefined, 0])
  cache.keep('b', 'index')
  cache.saveSoon('b')
  memory.releaseBot('b')
  await cache.close()
  expect(saved).toEqual([])
})
