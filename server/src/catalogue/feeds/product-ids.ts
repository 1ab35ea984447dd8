// Tracks the products of each feed, so that a run can remove those that are missing, and no others.
import { promisify } from 'node:util'
import { deflate, inflate } from 'node:zlib'
import type { FeedRecord, ProductFeedsTable } from '../../storage/feeds.ts'
import type { ParsedIds } from '../products/sync-products.ts'

const pack = promisify(deflate)
const unpack = promisify(inflate)

export interface Removal {
  ids: string[]
  /** Missing, but too many to remove without confirmation. */
  held: number
  /** The feed's products from now on, compressed for storage. */
  packed: Uint8Array
}

export async function planRemoval(
  feeds: Pick<ProductFeedsTable, 'listProductIds'>,
  { botId, id, removeMissing, removalConfirmed }: FeedRecord,
  { ids, failedIds }: ParsedIds,
): Promise<Removal> {
  const [own] = await feeds.listProductIds(botId, id, 'own')
  const before = own ? await idsOf(own) : []
  const missing = before.filter((one) => !ids.has(one) && !failedIds.has(one))
  const isTooMuch = missing.length * 2 > before.length && !removalConfirmed
  const removes = removeMissing && missing.length > 0 && !isTooMuch
  // Products not removed now stay assigned to the feed, so that a later run can remove them.
  const kept = removes ? [] : missing
  const refused = before.filter((one) => failedIds.has(one) && !ids.has(one))
  const packed = await pack(JSON.stringify([...ids, ...refused, ...kept]))
  if (!removes) return { ids: [], held: removeMissing ? missing.length : 0, packed }
  const elsewhere = new Set<string>()
  for (const other of await feeds.listProductIds(botId, id, 'others'))
    for (const one of await idsOf(other)) elsewhere.add(one)
  return { ids: missing.filter((one) => !elsewhere.has(one)), held: 0, packed }
}

async function idsOf(packed: Uint8Array): Promise<string[]> {
  return JSON.parse((await unpack(packed)).toString('utf8'))
}
