// A shop's items as an in-memory catalogue for the answer engine.

import { openBotCatalogue } from '../../server/src/catalogue/index/bot-catalogue.ts'
import { makeProductIndex, putProduct } from '../../server/src/catalogue/index/product-index.ts'
import { makeSimilarKinds } from '../../server/src/catalogue/index/similar-words.ts'
import type { Catalogue } from '../../server/src/catalogue/product.ts'
import { normaliseProduct } from '../../server/src/catalogue/products/normalise-product.ts'
import type { Embedder } from '../../server/src/inference/types.ts'

export function makeShopCatalogue(items: readonly object[], embedder: Embedder): Catalogue {
  const index = makeProductIndex('en')
  const rows = new Map<string, { id: string; body: string }>()
  for (const item of items) {
    const { product } = normaliseProduct(item, { siteUrl: 'https://shop.example', now: Date.now() })
    if (!product) throw new Error(`not a product: ${JSON.stringify(item).slice(0, 100)}`)
    putProduct(index, product)
    rows.set(product.id, { id: product.id, body: JSON.stringify(product) })
  }
  const products = { findMany: async (_: string, ids: string[]) => ids.flatMap((id) => rows.get(id) ?? []) }
  const similarKinds = makeSimilarKinds(embedder)
  const modelTime = {
    embed: async (text: string) => (await embedder.embed([text]))[0],
    waitFor: <T>(coming: Promise<T>): Promise<T | undefined> => coming,
  }
  return openBotCatalogue({ id: '', currency: null }, index, products as never, (one, phrase) =>
    similarKinds(one, phrase, modelTime),
  )
}
