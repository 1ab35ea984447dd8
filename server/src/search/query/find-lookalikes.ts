import { findKey } from '../index/key-table.ts'
import { noStem, type Segment } from '../index/segment.ts'
import type { QueryPlan } from './plan-query.ts'

// "Waterproofing" and "waterproof", or "Lieferkosten" and "Lieferung", have different stems but share n-grams.

/** Passages with words that share n-grams with the question, those with the rarest first. */
export function findLookalikes(
  segment: Segment,
  plan: QueryPlan,
  removed: Uint8Array | undefined,
  limit: number,
): number[] {
  const live = liveDocs(segment, removed, limit)
  if (live) return live
  const shared = new Map<number, number>()
  for (const { key, weight } of plan.grams) {
    const gram = findKey(segment.gramTable, segment.gramKeys, key)
    if (gram < 0) continue
    for (let at = segment.gramStart[gram]!; at < segment.gramStart[gram + 1]!; at++) {
      const stem = segment.surfaceStems[segment.gramSurfaces[at]!]!
      if (stem !== noStem) shared.set(stem, (shared.get(stem) ?? 0) + weight)
    }
  }
  const docs = new Set<number>()
  for (const [stem] of [...shared].sort((a, b) => b[1] - a[1])) {
    for (let at = segment.postingStart[stem]!; at < segment.postingStart[stem + 1]! && docs.size < limit; at++) {
      const doc = segment.postingDocs[at]!
      if (removed?.[doc] !== 1) docs.add(doc)
    }
    if (docs.size >= limit) break
  }
  return [...docs]
}

/** All passages, if there are so few (a small bot, one product) that selecting would not pay. */
function liveDocs(segment: Segment, removed: Uint8Array | undefined, limit: number): number[] | undefined {
  const live: number[] = []
  for (let doc = 0; doc < segment.ids.length; doc++) {
    if (removed?.[doc] === 1) continue
    if (live.length === limit) return undefined
    live.push(doc)
  }
  return live
}
