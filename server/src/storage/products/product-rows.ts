import type { Row } from '../database.ts'

export interface ProductRecord {
  id: string
  version: number
  syncedAt: number
  body: string
}

export interface ProductRow extends Row {
  id: string
  version: number
  synced_at: number
  body: string
}

const HIGHEST_PRICE = 1e12

/** The price in hundredths, plus one: cursors need whole numbers. 0: no price. */
export function priceOrder(price: number | null): number {
  return price === null ? 0 : Math.round(Math.min(price, HIGHEST_PRICE) * 100) + 1
}

export const columns = 'id, version, synced_at, body'

export function fromRow(row: ProductRow): ProductRecord {
  return { id: row.id, version: row.version, syncedAt: row.synced_at, body: row.body }
}
