// The products of the fictional demo shop, from the repository's demo folder.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { SyncEntry } from '../knowledge/products/read-products.ts'

const FILE = fileURLToPath(new URL('../../../demo/products.json', import.meta.url))

export async function* readDemoProducts(): AsyncGenerator<SyncEntry[]> {
  const items: unknown[] = JSON.parse(readFileSync(FILE, 'utf8'))
  yield items.map((value) => ({ kind: 'item', value }))
}
