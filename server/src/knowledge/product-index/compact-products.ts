// An index without the slots of products that went: copied in small steps, while the old one goes on answering.
import { createProductIndex, type ProductIndex, placeOf, postingOf, slotOf } from './product-index.ts'

/** Whether so much of an index is of products that went that copying it pays. */
export function isWorn({ ids, live }: ProductIndex): boolean {
  return ids.length > 1000 && ids.length > live * 1.5
}

export async function compactProducts(index: ProductIndex, pause: () => Promise<void>): Promise<ProductIndex> {
  const made = createProductIndex(index.language)
  const kept: number[] = []
  const places = new Int32Array(index.ids.length).fill(-1)
  for (const [slot, id] of index.ids.entries()) {
    if (id === undefined) continue
    places[slot] = kept.length
    made.slots.set(id, kept.length)
    kept.push(slot)
  }
  made.ids = kept.map((slot) => index.ids[slot])
  made.titles = kept.map((slot) => index.titles[slot] ?? [])
  made.live = kept.length
  for (const name of ['termSums', 'prices', 'updated'] as const)
    made[name] = Float64Array.from(kept, (slot) => index[name][slot] ?? 0)
  made.ratings = Float32Array.from(kept, (slot) => index.ratings[slot] ?? 0)
  made.groups = Int32Array.from(kept, (slot) => index.groups[slot] ?? 0)
  made.availability = Uint8Array.from(kept, (slot) => index.availability[slot] ?? 0)
  made.groupNumbers = new Map(index.groupNumbers)
  made.groupMembers = index.groupMembers.map((members) => members.map((slot) => places[slot] ?? -1))
  made.shared = index.shared
  made.currencies = new Map(index.currencies)
  made.spellings = index.spellings
  await pause()
  let since = 0
  for (const [term, list] of index.postings) {
    const moved = movedPostings(list, places)
    made.postings.set(term, moved)
    made.postingCount += moved.length
    since += list.length + 20
    if (since < 30_000) continue
    since = 0
    await pause()
  }
  return made
}

function movedPostings(list: readonly number[], places: Int32Array): number[] {
  const moved: number[] = []
  for (const posting of list) {
    const slot = places[slotOf(posting)] ?? -1
    if (slot >= 0) moved.push(postingOf(slot, placeOf(posting)))
  }
  return moved
}
