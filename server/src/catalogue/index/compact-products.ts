// Copies an index without the slots of deleted products, in small steps, while the old one still answers.
import {
  addGroup,
  appendSlots,
  createProductIndex,
  fieldOf,
  type ProductIndex,
  postingOf,
  slotOf,
} from './product-index.ts'

const ROWS_AT_ONCE = 2000

/** Whether enough slots belong to deleted products that copying pays off. */
export function needsCompaction({ ids, live }: ProductIndex): boolean {
  return ids.length > 1000 && ids.length > live * 1.5
}

export async function compactProducts(index: ProductIndex, pause: () => Promise<void>): Promise<ProductIndex> {
  const made = createProductIndex(index.language)
  for (const name of index.groupNumbers.keys()) if ((addGroup(made, name) + 1) % ROWS_AT_ONCE === 0) await pause()
  const newSlots = new Int32Array(index.ids.length).fill(-1)
  for (let start = 0; start < index.ids.length; start += ROWS_AT_ONCE) {
    moveSlots(index, made, start, newSlots)
    await pause()
  }
  made.currencies = new Map(index.currencies)
  made.spellings = index.spellings
  made.kinds = index.kinds
  let since = 0
  for (const [term, list] of index.postings) {
    const moved = movePostings(list, newSlots)
    made.postings.set(term, moved)
    made.postingCount += moved.length
    since += list.length + 20
    if (since < 30_000) continue
    since = 0
    await pause()
  }
  return made
}

function moveSlots(index: ProductIndex, made: ProductIndex, start: number, newSlots: Int32Array) {
  const kept: number[] = []
  for (let slot = start; slot < Math.min(start + ROWS_AT_ONCE, index.ids.length); slot++) {
    if (index.ids[slot] === undefined) continue
    newSlots[slot] = made.ids.length + kept.length
    kept.push(slot)
  }
  appendSlots(made, {
    ids: kept.map((slot) => index.ids[slot]),
    titles: kept.map((slot) => index.titles[slot] ?? []),
    measures: kept.map((slot) => index.measures[slot] ?? []),
    termSums: Float64Array.from(kept, (slot) => index.termSums[slot] ?? 0),
    groups: Int32Array.from(kept, (slot) => index.groups[slot] ?? 0),
    prices: Float64Array.from(kept, (slot) => index.prices[slot] ?? 0),
    ratings: Float32Array.from(kept, (slot) => index.ratings[slot] ?? 0),
    updated: Float64Array.from(kept, (slot) => index.updated[slot] ?? 0),
    availability: Uint8Array.from(kept, (slot) => index.availability[slot] ?? 0),
  })
}

function movePostings(list: readonly number[], newSlots: Int32Array): number[] {
  const moved: number[] = []
  for (const posting of list) {
    const slot = newSlots[slotOf(posting)] ?? -1
    if (slot >= 0) moved.push(postingOf(slot, fieldOf(posting)))
  }
  return moved
}
