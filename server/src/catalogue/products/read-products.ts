// The first half of a sync: reads, checks and stages all items before anything is written.
import { createHash, hash } from 'node:crypto'
import type { SyncRemark } from '@docent/contract'
import { createSliceTimer } from '../background-lane.ts'
import { normaliseProduct } from './normalise-product.ts'
import type { ItemErrorCode, ItemWarningCode, Remark } from './remarks.ts'
import type { StagedRows } from './stage-rows.ts'

const REMARKS_TOLD = 100

/** An entry of the request body. */
export type SyncEntry =
  | { kind: 'item'; value: unknown }
  | { kind: 'bad_item'; code: ItemErrorCode; message: string }
  | { kind: 'delete'; id: string }

export interface ParsedProducts {
  received: number
  failed: number
  errors: SyncRemark[]
  warnings: SyncRemark[]
  ids: Set<string>
  /** Rejected items with an id: a replace does not delete these products. */
  failedIds: Set<string>
  deleteIds: Set<string>
  /** Identifies repeated requests with the same content. */
  hash: string
}

interface Shop {
  siteUrl: string | null
  now: number
}

export async function readProducts(
  entries: AsyncIterable<SyncEntry[]>,
  staged: StagedRows,
  shop: Shop,
  turn: () => Promise<void>,
): Promise<ParsedProducts> {
  const read = {
    received: 0,
    failed: 0,
    errors: [] as SyncRemark[],
    warnings: [] as SyncRemark[],
    ids: new Set<string>(),
    failedIds: new Set<string>(),
    deleteIds: new Set<string>(),
  }
  const contentHash = contentHasher()
  const pieceEnds = createSliceTimer(turn)

  function tell(list: SyncRemark[], id: string | null, remark: Remark<ItemErrorCode | ItemWarningCode>) {
    if (list.length < REMARKS_TOLD) list.push({ index: read.received, id, ...remark })
  }

  function take(value: unknown) {
    const { product, id, remarks } = normaliseProduct(value, shop)
    for (const warning of remarks.warnings) tell(read.warnings, id, warning)
    if (!product) {
      if (id) read.failedIds.add(id)
      return remarks.refusal ?? { code: 'invalid_item' as const, message: 'The item could not be read.' }
    }
    if (read.ids.has(product.id)) {
      tell(read.warnings, id, {
        code: 'duplicate_id',
        message: 'This id appears more than once. The last item is used.',
      })
    }
    read.ids.add(product.id)
    const body = JSON.stringify(product)
    const row = { hash: hash('sha256', body, 'base64url').slice(0, 22), body, id: product.id, title: product.title }
    const { sku, availability } = product
    staged.add({ ...row, sku, availability, price: product.salePrice ?? product.price })
    contentHash.add(row.hash)
    return null
  }

  for await (const some of entries) {
    for (const entry of some) {
      const ended = pieceEnds()
      if (ended) await ended
      if (entry.kind === 'delete') {
        read.deleteIds.add(entry.id)
        contentHash.add(`-${entry.id}`)
        continue
      }
      const mistake = entry.kind === 'item' ? take(entry.value) : entry
      if (mistake) {
        tell(read.errors, idOf(entry), { code: mistake.code, message: mistake.message })
        read.failed++
      }
      read.received++
    }
    await staged.settle()
  }
  return { ...read, hash: contentHash.end() }
}

/** As the caller wrote it, so that they can find the item. */
function idOf(entry: SyncEntry): string | null {
  const id = entry.kind === 'item' ? (entry.value as { id?: unknown } | null)?.id : null
  return typeof id === 'string' || typeof id === 'number' ? String(id).slice(0, 256) : null
}

/** Hashes many short texts in few calls. */
function contentHasher() {
  const whole = createHash('sha256')
  let waiting = ''
  return {
    add(text: string) {
      waiting += `${text}\n`
      if (waiting.length < 10_000) return
      whole.update(waiting)
      waiting = ''
    },
    end: () => whole.update(waiting).digest('base64url'),
  }
}
