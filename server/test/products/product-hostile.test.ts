// Items made to overload or crash the server: each takes linear time, and fails on its own.
import { describe, expect, test } from 'vitest'
import { aliasTable } from '../../src/catalogue/products/alias-table.ts'
import { normaliseProduct } from '../../src/catalogue/products/normalise-product.ts'
import { sampleProducts, startCatalogueServer } from '../harness/catalogue.ts'
import { measureCpuMs } from '../harness/event-loop.ts'
import { expectBelow } from '../harness/timing.ts'

const LENGTH = 900_000
const MAX_CPU_MS = 3000
const surroundings = { siteUrl: 'https://shop.test', now: 0 }
const names = [...new Set(Object.values(aliasTable).map((columns) => columns.flat()[0] as string))]

const hostile = [' ', ' \n', '1', '<', ', ', '/', '"', 'aB']

/** Long runs that almost match, between two letters so that trimming does not save them. */
const fill = (text: string) =>
  `a${text.repeat(LENGTH / text.length / (JSON.stringify(text).length > text.length + 2 ? 2 : 1))}a`

test('900,000 hostile characters in any field take a sync no longer than harmless ones', async () => {
  const { sendRaw } = await startCatalogueServer('sqlite')
  for (const text of hostile) {
    const long = fill(text)
    const products = names.map((name, index) => JSON.stringify({ id: `p${index}`, title: 'T', [name]: long }))
    const raw = `[${products.join()},${JSON.stringify({ id: 'last', title: 'T', [long]: { a: 1, b: 2 } })}]`
    await expectBelow(MAX_CPU_MS, async () => {
      let response: Awaited<ReturnType<typeof sendRaw>> | undefined
      const cpuMs = await measureCpuMs(async () => {
        response = await sendRaw(raw)
      })
      expect([text, response?.status, response?.body.received]).toEqual([text, 200, names.length + 1])
      return { [text]: cpuMs }
    })
  }
})

test('one field spelled ten thousand ways is read as fast as any, and the best name still wins', async () => {
  const spellings = Array.from({ length: 10_000 }, (_, index) => [
    `${' '.repeat(index % 100)}name${' '.repeat(index / 100)}`,
    `N${index}`,
  ])
  const item = { ...Object.fromEntries(spellings), title: 'Best', id: 'a' }
  const read = () => expect(normaliseProduct(item, surroundings).product?.title).toBe('Best')
  await expectBelow(300, () => measureCpuMs(read))
})

describe('an item nested as deep as a megabyte allows', () => {
  const nested = (open: string, depth: number, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`
  const deep: [name: string, value: string][] = [
    ['offers', nested('{"offers":', 60_000, '}')],
    ['offers', nested('[{"offers":', 50_000, '}]')],
    ['price', nested('{"offers":', 60_000, '}')],
    ['price', nested('{"value":', 60_000, '}')],
    ['variants', nested('[{"variants":', 50_000, '}]')],
    ['has_variant', nested('{"nodes":[', 50_000, ']}')],
    ['attributes', nested('{"attributes":', 50_000, '}')],
    ['image', nested('[', 450_000, ']')],
    ['aggregate_rating', nested('{"value":', 60_000, '}')],
    ['categories', nested('[{"name":', 50_000, '}]')],
    ['unknown', nested('[', 450_000, ']')],
  ]

  test('never fails the rest', async () => {
    const { sendRaw, ids } = await startCatalogueServer('sqlite')
    const products = deep.map(([name, value], index) => `{"id":"deep${index}","title":"T","${name}":${value}}`)
    const response = await sendRaw(`[${products.join()},${JSON.stringify(sampleProducts('good')[0])}]`)
    expect([response.status, response.body.received]).toEqual([200, deep.length + 1])
    expect(await ids()).toContain('good')
  })

  test('has its price read down to the depth that feeds have', () => {
    const price = (offers: unknown) => normaliseProduct({ id: 'a', title: 'T', offers }, surroundings).product?.price
    expect(price({ offers: [{ offers: [{ price: '5', priceCurrency: 'EUR' }] }] })).toBe(5)
  })
})

test('an item that cannot be read is refused by its id, whatever is wrong with it', () => {
  const offers = {
    get price() {
      throw new RangeError('too deep')
    },
  }
  const { product, id, remarks } = normaliseProduct({ id: 'a', title: 'T', offers }, surroundings)
  expect([product, id, remarks.refusal?.code]).toEqual([null, 'a', 'invalid_item'])
})
