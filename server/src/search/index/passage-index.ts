import { buildSegment, mergeSegments } from './build-segment.ts'
import type { IndexedPassage } from './passage.ts'
import type { Segment } from './segment.ts'

/** One bot's index: a large segment, perhaps a small one with recent changes, and the removed passages of each. */
export interface PassageIndex {
  readonly segments: readonly Segment[]
  /** 1 marks a removed passage; undefined if there is none. */
  readonly removed: readonly (Uint8Array | undefined)[]
}

// Every change recompiles the small segment, but the large one only rarely.
const SMALL_LIMIT = 500
const SMALL_SHARE = 0.25

export function buildIndex(passages: IndexedPassage[]): PassageIndex {
  return { segments: [buildSegment(passages)], removed: [undefined] }
}

/** Returns a new index with passages added, replaced (by id) and removed; the old one is unchanged. */
export function changeIndex(index: PassageIndex, change: { put?: IndexedPassage[]; remove?: string[] }): PassageIndex {
  const newPassages = change.put ?? []
  const removedIds = new Set([...(change.remove ?? []), ...newPassages.map((passage) => passage.id)])
  const removedDocs = index.segments.map((segment, s) => markRemoved(segment, index.removed[s], removedIds))
  if (newPassages.length === 0) return { ...index, removed: removedDocs }
  const base = index.segments[0]
  const newSegment = buildSegment(newPassages, base && base.ids.length >= 50 ? base.averages : undefined)
  const small = index.segments.slice(1)
  const delta =
    small.length === 0
      ? newSegment
      : mergeSegments([...small, newSegment], (s, doc) => removedDocs[s + 1]?.[doc] !== 1, base?.averages)
  const next: PassageIndex = { segments: [...index.segments.slice(0, 1), delta], removed: [removedDocs[0], undefined] }
  return isTooScattered(base, delta.ids.length + countRemoved(removedDocs[0])) ? compactIndex(next) : next
}

/** The cost of adding this many passages, in passages to compile; merging an existing one costs a quarter. */
export function changeCost(index: PassageIndex, putCount: number): number {
  const [base, ...small] = index.segments
  const mergedCount = small.reduce((sum, { ids }) => sum + ids.length, 0)
  const compacts = isTooScattered(base, putCount + mergedCount + countRemoved(index.removed[0]))
  return putCount + (mergedCount + (compacts && base ? base.ids.length + putCount : 0)) / 4
}

function isTooScattered(base: Segment | undefined, scatteredCount: number): boolean {
  return scatteredCount > Math.max(SMALL_LIMIT, (base?.ids.length ?? 0) * SMALL_SHARE)
}

/** The same passages in one segment, without removed ones. */
function compactIndex(index: PassageIndex): PassageIndex {
  const segment = mergeSegments([...index.segments], (s, doc) => index.removed[s]?.[doc] !== 1)
  return { segments: [segment], removed: [undefined] }
}

export function indexSize(index: PassageIndex): { passages: number; bytes: number } {
  let passages = 0
  let bytes = 0
  index.segments.forEach((segment, s) => {
    passages += segment.ids.length - countRemoved(index.removed[s])
    for (const value of Object.values(segment)) if (ArrayBuffer.isView(value)) bytes += value.byteLength
    for (const id of segment.ids) bytes += 16 + id.length
  })
  return { passages, bytes }
}

function markRemoved(
  segment: Segment,
  before: Uint8Array | undefined,
  removedIds: Set<string>,
): Uint8Array | undefined {
  let marks = before
  segment.ids.forEach((id, doc) => {
    if (!removedIds.has(id)) return
    if (marks === before) marks = before ? before.slice() : new Uint8Array(segment.ids.length)
    marks![doc] = 1
  })
  return marks
}

const countRemoved = (marks: Uint8Array | undefined): number => marks?.reduce((sum, mark) => sum + mark, 0) ?? 0
