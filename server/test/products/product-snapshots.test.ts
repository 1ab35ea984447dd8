// A product index restored from its snapshot is unchanged, and an incomplete snapshot is ignored.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dropProduct, makeProductIndex, putProduct } from '../../src/catalogue/index/product-index.ts'
import { makeSnapshotReader, openProductSnapshots, snapshotParts } from '../../src/catalogue/index/product-snapshots.ts'
import type { Product } from '../../src/catalogue/product.ts'
import { normaliseProduct } from '../../src/catalogue/products/normalise-product.ts'
import type { ProductSnapshotsTable } from '../../src/storage/snapshots.ts'

const soon = async () => {}

function product(number: number, title: string): Product {
  const item = { id: `p${number}`, title, price: number, currency: 'EUR', item_group_id: `g${number % 3}` }
  return normaliseProduct(item, { siteUrl: null, now: 0 }).product as Product
}

function indexOf(changes: readonly (readonly [number, string | null])[]) {
  const index = makeProductIndex('en')
  for (const [number, title] of changes) {
    if (title === null) dropProduct(index, `p${number}`)
    else putProduct(index, product(number, title))
  }
  return index
}

/** What it holds, without the room it keeps for more. */
function contentOf({
  scratch: _,
  termSums,
  groups,
  prices,
  ratings,
  updated,
  availability,
  ...rest
}: ReturnType<typeof indexOf>) {
  const figures = [termSums, groups, prices, ratings, updated, availability]
  return { ...rest, figures: figures.map((all) => [...all.subarray(0, rest.ids.length)]) }
}

/** The table in memory. */
function memory() {
  const parts = new Map<string, Uint8Array>()
  const table: ProductSnapshotsTable = {
    savePart: async (_, saveId, part, data) => void parts.set(`${saveId} ${part}`, data),
    listHeads: async () =>
      [...parts]
        .filter(([key]) => key.endsWith(' 0'))
        .map(([key, data]) => ({ saveId: key.split(' ')[0] ?? '', data })),
    loadPart: async (_, saveId, part) => parts.get(`${saveId} ${part}`),
    async removeOthers(_, saveId) {
      for (const key of parts.keys()) if (!key.startsWith(saveId)) parts.delete(key)
      return false
    },
  }
  return { parts, snapshots: openProductSnapshots(table) }
}

test('an index is the same after its snapshot, whatever was put and dropped before', () => {
  const words = fc.array(fc.constantFrom('red', 'tent', 'Größe', 'lamp', '42', 'mirrors'), {
    minLength: 1,
    maxLength: 4,
  })
  const change = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.option(words.map((list) => list.join(' '))))
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const index = indexOf(changes)
      const reader = makeSnapshotReader('en')
      const lastFlags = [...snapshotParts(index)].map((part) => reader.add(part))
      expect(lastFlags.lastIndexOf(true)).toBe(lastFlags.length - 1)
      expect(contentOf(reader.index)).toEqual(contentOf(index))
    }),
  )
})

test('a snapshot that lacks a part, is of another language or of another format is not loaded', async () => {
  const { parts, snapshots } = memory()
  const index = indexOf([[1, 'red tent']])
  const { isWhole, saveId } = await snapshots.save('b', { version: 3, index }, () => false, soon)
  expect([isWhole, (await snapshots.load('b', 'en', soon))?.version]).toEqual([true, 3])
  expect(await snapshots.load('b', 'de', soon)).toBeUndefined()
  const head = parts.get(`${saveId} 0`) as Uint8Array
  parts.set(
    `${saveId} 0`,
    Buffer.from(
      Buffer.from(head)
        .toString()
        .replace(/"format":"\d/, '"format":"0'),
    ),
  )
  expect(await snapshots.load('b', 'en', soon)).toBeUndefined()
  parts.set(`${saveId} 0`, head)
  parts.delete(`${saveId} 2`)
  expect(await snapshots.load('b', 'en', soon)).toBeUndefined()
})

test('an interrupted snapshot leaves no head, and the previous one is still used', async () => {
  const { snapshots } = memory()
  await snapshots.save('b', { version: 3, index: indexOf([[1, 'red tent']]) }, () => false, soon)
  let checkCount = 0
  const laterIndex = indexOf([[1, 'blue tent']])
  const { isWhole } = await snapshots.save('b', { version: 4, index: laterIndex }, () => ++checkCount > 1, soon)
  expect([isWhole, (await snapshots.load('b', 'en', soon))?.version]).toEqual([false, 3])
})
