// Accessories of a product: items that name it or its kind ("Footprint for Drift 2", "Backpack rain cover"), otherwise
// other kinds of items from its brand and department.
import { stem } from '../../language/stem.ts'
import { stopWords } from '../../language/stop-words.ts'
import { words } from '../../language/words.ts'
import type { Catalogue, Criterion, ShopProduct } from './types.ts'

const MOST = 3
const LOOKED_AT = 40

export function findAccessories(product: ShopProduct, catalogue: Catalogue): string[] {
  const { language } = catalogue
  const stop = stopWords(language)
  const stems = (text: string) =>
    words(text, language)
      .filter((word) => !stop.has(word))
      .map((word) => stem(word, language))
  const title = stems(product.title)
  const leaves = product.categories
    .flatMap((category) => category.split(/[;,|\n]/))
    .flatMap((path) => stems(path.split(/[>/]/).at(-1) ?? ''))
  // The narrowest category is the kind, the wider ones are the department.
  const [narrowest] = leaves.sort((a, b) => (catalogue.rarity(b) ?? 0) - (catalogue.rarity(a) ?? 0))
  const kinds = new Set([title.at(-1), narrowest].filter((one) => one !== undefined))
  const criterion = (key: string, weight: number): Criterion => ({ anyOf: [{ key, weight }], strong: true })
  const kindCriteria = [...kinds].slice(0, 8).map((key) => criterion(key, 1))
  const department = product.categories.flatMap((category) => stems(category)).filter((term) => !kinds.has(term))
  const others = [
    ...title
      .filter((term) => !kinds.has(term))
      .slice(0, 6)
      .map((key) => criterion(key, 1.5)),
    ...[...new Set(department)].slice(0, 6).map((key) => criterion(key, 0.5)),
    ...(product.brand ? [{ anyOf: [{ key: `brand:${catalogue.facetValue(product.brand)}`, weight: 0.3 }] }] : []),
  ]
  const sameKind = (1 << kindCriteria.length) - 1
  return catalogue
    .search({
      criteria: [...kindCriteria, ...others],
      sort: 'relevance',
      except: new Set([product.id]),
      limit: LOOKED_AT,
    })
    .filter(({ metHead }) => (metHead & sameKind) === 0)
    .slice(0, MOST)
    .map(({ id }) => id)
}
