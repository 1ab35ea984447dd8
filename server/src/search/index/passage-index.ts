import { buildSegment, mergeSegments } from './build-segment.ts'
import type { Passage } from './passage.ts'
import type { Segment } from './segment.ts'

/** One bot's index: a large segment, perhaps a small one with recent changes, and the removed passages of each. */
export interface PassageIndex {
  readonly segments: readonly Segment[]
  /** 1 marks a removed passage; undefined if there is none. */
  readonly removed: readonly (Uint8Array | undefined)[]
}

// Every change recompiles the small segment, but the large one only rarely.
const smallLimit = 500
const smallShare = 0.25

export function buildIndex(passages: Passage[]): PassageIndex {
  return { segments: [buildSegment(passages)], removed: [undefined] }
}

/** Returns a new index with passages added, replaced (by id) and removed; the old one is unchanged. */
export function changeIndex(index: PassageIndex, change: { put?: Passage[]; remove?: string[] }): PassageIndex {
  const put = change.put ?? []
  const gone = new Set([...(change.remove ?? []), ...put.map((passage) => passage.id)])
  const removed = index.segments.map((segment, s) => markRemoved(segment, index.removed[s], gone))
  if (put.length === 0) return { ...index, removed }
  const base = index.segments[0]
  const added = buildSegment(put, base && base.ids.length >= 50 ? base.averages : undefined)
  const small = index.segments.slice(1)
  const delta =
    small.length === 0
      ? added
      : mergeSegments([...small, added], (s, doc) => removed[s + 1]?.[doc] !== 1, base?.averages)
  const next: PassageIndex = { segments: [...index.segments.slice(0, 1), delta], removed: [removed[0], undefined] }
  return isTooScattered(base, delta.ids.length + countRemoved(removed[0])) ? compactIndex(next) : next
}

/** The cost of adding this many passages, in passages to compile; merging an existing one costs a quarter. */
export function changeCost(index: PassageIndex, put: number): number {
  const [base, ...small] = index.segments
  const merged = small.reduce((sum, { ids }) => sum + ids.length, 0)
  const compacts = isTooScattered(base, put + merged + countRemoved(index.removed[0]))
  return put + (merged + (compacts && base ? base.ids.length + put : 0)) / 4
}

function isTooScattered(base: Segment | undefined, scattered: number): boolean {
  return scattered > Math.max(smallLimit, (base?.ids.length ?? 0) * smallShare)
}

/** The same passages in one segment, without removed ones. */
export function compactIndex(index: PassageIndex): PassageIndex {
  const merged = mergeSegments([...index.segments], (s, doc) => index.removed[s]?.[doc] !== 1)
  return { segments: [merged], removed: [undefined] }
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

function markRemoved(segment: Segment, before: Uint8Array | undefined, gone: Set<string>): Uint8Array | undefined {
  let marks = before
  segment.ids.forEach((id, doc) => {
    if (!gone.has(id)) return
    if (marks === before) marks = before ? before.slice() : new Uint8Array(segment.ids.length)
    marks![doc] = 1
  })
  return marks
}

const countRemoved = (marks: Uint8Array | undefined): number => marks?.reduce((sum, mark) => sum + mark, 0) ?? 0
