// Reads whether a product is available, in the terms of every shop system.
import type { Availability } from '../../../answers/types.ts'

/** Compared by letters only: "In stock", "in_stock" and "https://schema.org/InStock" are the same. */
const words: Record<string, Availability | 'discontinued'> = {
  instock: 'in_stock',
  available: 'in_stock',
  availablefororder: 'in_stock',
  limitedavailability: 'in_stock',
  limitedstock: 'in_stock',
  lowstock: 'in_stock',
  onlineonly: 'in_stock',
  instoreonly: 'in_stock',
  true: 'in_stock',
  yes: 'in_stock',
  outofstock: 'out_of_stock',
  soldout: 'out_of_stock',
  unavailable: 'out_of_stock',
  notavailable: 'out_of_stock',
  reserved: 'out_of_stock',
  false: 'out_of_stock',
  no: 'out_of_stock',
  preorder: 'preorder',
  presale: 'preorder',
  comingsoon: 'preorder',
  backorder: 'backorder',
  onbackorder: 'backorder',
  madetoorder: 'backorder',
  discontinued: 'discontinued',
}

export function parseAvailability(value: unknown): Availability | 'discontinued' | null | 'unreadable' {
  if (value === null || value === undefined || value === '') return null
  if (typeof value !== 'string' && typeof value !== 'boolean') return 'unreadable'
  const letters = String(value)
    .slice(0, 100)
    .replace(/^https?:\/\/schema\.org\//i, '')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
  return Object.hasOwn(words, letters) ? (words[letters] ?? null) : 'unreadable'
}

/** Derived from the stock level, if nothing else says so. */
export function availabilityOfStock(quantity: unknown): Availability | null {
  const count = typeof quantity === 'string' && quantity.trim() !== '' ? Number(quantity) : quantity
  if (typeof count !== 'number' || !Number.isFinite(count)) return null
  return count > 0 ? 'in_stock' : 'out_of_stock'
}

/** The availability of a product with several variants. */
export function availabilityOfVariants(all: (Availability | null)[]): Availability | null {
  const order: Availability[] = ['in_stock', 'preorder', 'backorder']
  for (const better of order) if (all.includes(better)) return better
  return all.length > 0 && all.every((one) => one === 'out_of_stock') ? 'out_of_stock' : null
}
