// Answers questions about one bot's products.
import type { FoundProduct, ProductAnswers } from '../answers/types.ts'
import type { Embedder } from '../inference/types.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { ProductsTable } from '../storage/products.ts'
import { answerFromProducts, searchCatalogue } from './answers/answer-from-products.ts'
import { selectProducts } from './answers/select-products.ts'
import { openBotCatalogue } from './index/bot-catalogue.ts'
import type { ProductIndexes } from './index/product-indexes.ts'
import { type ModelTime, makeSimilarKinds } from './index/similar-words.ts'
import type { ShopProduct } from './product.ts'

interface Deps {
  productIndexes: ProductIndexes
  products: Pick<ProductsTable, 'findMany'>
  embedder: Embedder
}

type BotWithProducts = Pick<BotRecord, 'id' | 'language' | 'currency' | 'productVersion' | 'productReadyVersion'>

export function openProductAnswers({ productIndexes, products, embedder }: Deps) {
  const similarKinds = makeSimilarKinds(embedder)

  /** Undefined for a bot without products. */
  return (bot: BotWithProducts, modelTime: ModelTime): (() => Promise<ProductAnswers>) | undefined => {
    if (bot.productVersion === 0) return undefined
    return async () => {
      const index = await productIndexes.get(bot)
      const catalogue = openBotCatalogue(bot, index, products, (one, phrase) => similarKinds(one, phrase, modelTime))
      return {
        answer: (question, language, history, voice, reader) =>
          answerFromProducts(question, language, history, voice, catalogue, reader),
        search: async (text, language, limit) => {
          const { products: foundProducts, meetsAll } = await searchCatalogue(text, language, catalogue, limit)
          return { products: foundProducts.map((product) => toFoundProduct(product, catalogue.currency)), meetsAll }
        },
        select: (question, language, history, productAnswer) =>
          selectProducts(question, language, history, catalogue, productAnswer),
      }
    }
  }
}

function toFoundProduct(product: ShopProduct, currency: string | null): FoundProduct {
  const { id, title, description, url, imageUrl, price, salePrice, availability, brand, categories } = product
  const special = salePrice !== null && (price === null || salePrice < price)
  return {
    id,
    title,
    description,
    url,
    imageUrl,
    availability,
    brand,
    categories,
    price: special ? salePrice : price,
    regularPrice: special ? price : null,
    currency: product.currency ?? currency,
    attributes: product.attributes,
  }
}
