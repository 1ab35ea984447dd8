// Kinds of products that are close in meaning take their time from the question, like every use of a model.
import { expect, test, vi } from 'vitest'
import { makeProductIndex, putProduct } from '../../src/catalogue/index/product-index.ts'
import { makeSimilarKinds } from '../../src/catalogue/index/similar-words.ts'
import { normaliseProduct } from '../../src/catalogue/products/normalise-product.ts'

function openIndex() {
  const index = makeProductIndex('en')
  const item = { id: 's', title: 'Oslo sofa', product_type: 'Sofas', price: '400 EUR' }
  const { product } = normaliseProduct(item, { siteUrl: 'https://shop.test', now: 0 })
  if (!product) throw new Error('not a product')
  putProduct(index, product)
  return index
}

test('a question without time left does not wait for the vectors of kinds, and the next one has them', async () => {
  const index = openIndex()
  let finish = () => {}
  const vector = new Float32Array([1, 0])
  const embed = vi.fn(
    (texts: string[]) =>
      new Promise<Float32Array[]>((resolve) => {
        finish = () => resolve(texts.map(() => vector))
      }),
  )
  const similarKinds = makeSimilarKinds({ embed, state: { kind: 'ready', model: 'test' } })
  const lateEmbedder = { embed: async () => undefined, waitFor: async () => undefined }
  expect(await similarKinds(index, 'couch', lateEmbedder)).toEqual([])
  expect(embed).toHaveBeenCalledOnce()
  expect(embed).toHaveBeenCalledWith(index.kinds, { urgent: false })

  const inTime = { embed: async () => vector, waitFor: <T>(vectors: Promise<T>) => vectors }
  const kinds = similarKinds(index, 'couch', inTime)
  finish()
  expect((await kinds).map(({ key }) => key)).toEqual(index.kinds.map((kind) => `kind:${kind}`))
  expect(embed).toHaveBeenCalledOnce()
})
