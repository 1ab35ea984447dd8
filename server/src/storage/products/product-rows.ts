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

export const columns = 'id, version, synced_at, body'

export function fromRow(row: ProductRow): ProductRecord {
  return { id: row.id, version: row.version, syncedAt: row.synced_at, body: row.body }
}
