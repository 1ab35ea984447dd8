// One bot's products, in the form that the answer engine uses.

import type { ProductsTable } from '../../storage/products.ts'
import type { Catalogue, Product, ProductVariant, SimilarKind } from '../product.ts'
import { fieldOf, type ProductIndex } from './product-index.ts'
import { facetValue, field } from './product-terms.ts'
import { rarityOf, searchProducts } from './search-products.ts'
import { similarTerms } from './similar-words.ts'

// Larger groups are cut to this many members.
const MEMBERS_READ = 40
// A word in more products than this does not name one.
const MAX_NAMED = 400

export function openBotCatalogue(
  { id: botId, currency }: { id: string; currency: string | null },
  index: ProductIndex,
  products: Pick<ProductsTable, 'findMany'>,
  similarKinds: (index: ProductIndex, phrase: string) => Promise<SimilarKind[]>,
): Catalogue {
  function membersOf(id: string): string[] {
    const slot = index.slots.get(id)
    if (slot === undefined) return []
    const members = index.groupMembers[index.groups[slot] ?? 0] ?? []
    const ids = members.slice(0, MEMBERS_READ).flatMap((one) => index.ids[one] ?? [])
    return [...new Set([id, ...ids])]
  }

  return {
    size: index.live,
    currency,
    language: index.language,
    facetValue,

    rarity(term) {
      const list = index.postings.get(term)
      return list && rarityOf(index, list.length)
    },
    hasFacet: (name, value) => index.postings.has(`${name}:${value}`),
    similarKinds: (phrase) => similarKinds(index, phrase),
    nameShare(term) {
      const list = index.postings.get(term) ?? []
      if (list.length === 0 || list.length > MAX_NAMED) return 0
      return list.filter((posting) => fieldOf(posting) === field.title).length / list.length
    },
    similar: (term) => similarTerms(index, term),
    search: (query) => searchProducts(index, query),

    /** In the requested order; variants sent as separate products are merged. */
    async load(ids) {
      const groups = ids.map(membersOf)
      const rows = await products.findMany(botId, [...new Set(groups.flat())])
      const byId = new Map(rows.map(({ id, body }) => [id, JSON.parse(body) as Product]))
      return groups.flatMap(([id, ...others]) => {
        const product = byId.get(id ?? '')
        if (!product || product.discontinued) return []
        return [
          withMembers(
            product,
            others.flatMap((other) => byId.get(other) ?? []),
          ),
        ]
      })
    },
  }
}

function withMembers(product: Product, members: Product[]): Product {
  if (members.length === 0) return product
  const variants = [...product.variants, ...members.map(toVariant)]
  const hasOwnFacts =
    Object.keys(product.attributes).length > 0 && product.price !== null && product.variants.length === 0
  // A member with its own size or colour is itself a variant.
  const isVariant = hasOwnFacts && product.availability !== null && product.itemGroupId !== null
  const availability = product.availability ?? members.find((one) => one.availability === 'in_stock')?.availability
  return {
    ...product,
    availability: availability ?? null,
    variants: isVariant ? [toVariant(product), ...variants] : variants,
  }
}

function toVariant({
  id,
  title,
  price,
  salePrice,
  availability,
  attributes,
  sku,
  url,
  imageUrl,
}: Product): ProductVariant {
  return { id, title, price, salePrice, availability, attributes, sku, url, imageUrl }
}
