// The products of the fictional demo shop, from the repository's demo folder.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { SyncEntry } from '../catalogue/products/read-products.ts'

const FILE = fileURLToPath(new URL('../../../demo/products.json', import.meta.url))

/** What a product page shows. */
export interface DemoProduct {
  title: string
  description: string
  /** "/demo/products/…" */
  link: string
  price: number
  currency: string
  availability: string
  brand: string
  product_type: string
  attributes?: Record<string, string | number>
}

export function demoProducts(): DemoProduct[] {
  return JSON.parse(readFileSync(FILE, 'utf8'))
}

export async function* readDemoProducts(): AsyncGenerator<SyncEntry[]> {
  yield demoProducts().map((value) => ({ kind: 'item', value }))
}
