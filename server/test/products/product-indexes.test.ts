// When a catalogue is indexed: who waits for it, and what it may evict from memory.
import { expect, test } from 'vitest'
import { openProductIndexes } from '../../src/catalogue/index/product-indexes.ts'
import { normaliseProduct } from '../../src/catalogue/products/normalise-product.ts'
import { openIndexCache, openIndexMemory } from '../../src/search/cache/index-cache.ts'

const ROOM = 1_000_000

/** Catalogues of one product each, and how often they were read. */
function shops({ memoryBytes = ROOM } = {}) {
  let readCount = 0
  let isHeld = false
  const resolvers: (() => void)[] = []
  const { product } = normaliseProduct({ id: 'p1', title: 'Red tent' }, { siteUrl: null, now: 0 })
  const row = { version: 1, id: 'p1', body: JSON.stringify(product) }
  const indexes = openProductIndexes({
    products: {
      version: async () => 1,
      listRemovedSince: async () => [],
      async listChangedSince() {
        if (isHeld) await new Promise<void>((resolve) => resolvers.push(resolve))
        readCount++
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
    reads: () => readCount,
    hold() {
      isHeld = true
    },
    release() {
      isHeld = false
      for (const resolve of resolvers.splice(0)) resolve()
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
  const closing = indexes.close()
  release()
  await closing
  expect(reads()).toBe(1)
})

test('empty indexes count, too, and are dropped when there are many', () => {
  const memory = openIndexMemory(10 * 1024)
  const droppedBots: string[] = []
  for (let number = 0; number < 12; number++)
    memory.recordUse('curated', `b${number}`, 0, () => void droppedBots.push(`b${number}`))
  expect(droppedBots).toEqual(['b0', 'b1'])
})

/** Room for one index; what was saved, and when. */
function cacheOfOne() {
  const memory = openIndexMemory(1)
  const saves: string[] = []
  const saveGate = Promise.withResolvers<void>()
  const save = async (botId: string, entry: string, time: string) => {
    await saveGate.promise
    saves.push(`${botId} ${entry} ${time}`)
  }
  return { memory, saves, saveGate, cache: openIndexCache<string>({ kind: 'passages', memory, bytesOf, save }) }
}
const bytesOf = () => 2000

test('an evicted index is saved first, and closing waits for that', async () => {
  const { cache, saves, saveGate } = cacheOfOne()
  for (const botId of ['a', 'b', 'c']) {
    cache.keep(botId, 'index')
    if (botId !== 'b') cache.saveSoon(botId)
  }
  expect(cache.get('a')).toBeUndefined()
  const closing = cache.close()
  expect(saves).toEqual([])
  saveGate.resolve()
  await closing
  expect(saves).toEqual(['a index evicted', 'c index closing'])
})

test('an evicted index counts until it is saved, and only new or larger indexes evict others', async () => {
  const memory = openIndexMemory(10_000)
  const { saves: droppedBots, saveGate } = cacheOfOne()
  const use = (botId: string, bytes: number) =>
    memory.recordUse('curated', botId, bytes, () => {
      droppedBots.push(botId)
      return botId === 'large' ? saveGate.promise : undefined
    })
  for (const [botId, bytes] of [
    ['large', 8000],
    ['a', 2000],
    ['b', 2000],
  ] as const)
    use(botId, bytes)
  expect(droppedBots).toEqual(['large'])
  expect(memory.heldBytes()).toBe(12_000)
  // Already in memory, so nothing has to make room.
  use('a', 2000)
  expect(droppedBots).toEqual(['large'])
  use('c', 2000)
  expect(droppedBots).toEqual(['large', 'b', 'a'])
  saveGate.resolve()
  await expect.poll(() => memory.heldBytes()).toBe(2000)
})

test('an index whose bot is removed while it loads is neither kept nor saved', async () => {
  const { cache, saves, saveGate, memory } = cacheOfOne()
  saveGate.resolve()
  const indexLoad = Promise.withResolvers<string>()
  const index = cache.upToDate(
    'a',
    () => true,
    () => indexLoad.promise,
  )
  memory.releaseBot('a')
  cache.saveSoon('a')
  indexLoad.resolve('index')
  expect(await index).toBe('index')
  expect([cache.get('a'), memory.heldBytes()]).toEqual([undefined, 0])
  cache.keep('b', 'index')
  cache.saveSoon('b')
  memory.releaseBot('b')
  await cache.close()
  expect(saves).toEqual([])
})
