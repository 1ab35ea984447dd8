// Passages that share words with a question, look alike, or are close in meaning.
import { findKey, NO_STEM, type Segment } from '../index/segment.ts'
import { blockSize, dotBlock } from '../vectors/dot-block.ts'
import type { QueryVector } from '../vectors/quantise.ts'
import type { QueryPlan, Variant } from './plan-query.ts'

export interface Candidate {
  segment: number
  doc: number
  words: number
}

// Above this size, long posting lists are not scanned; their scores are looked up for the candidates only.
const WALK_ALL_BELOW = 20_000
const LONG_SHARE = 0.05
const ENOUGH_WALKED = 2000

// Ranking is synchronous, so all indexes of the process share these arrays.
let scores = new Float32Array(0)

/** The passages of a segment with the highest keyword scores. */
export function findCandidates(
  segment: Segment,
  segmentNumber: number,
  plan: QueryPlan,
  removedDocs: Uint8Array | undefined,
  limit: number,
): Candidate[] {
  const documents = segment.ids.length
  if (scores.length < documents) scores = new Float32Array(Math.ceil(documents * 1.2))
  const variants = plan.variants[segmentNumber] ?? []
  const { walked, skipped } = partLong(segment, variants, documents)
  for (const variant of walked) addPostings(segment, variant, plan)
  const best = topDocs(documents, removedDocs, limit)
  const segmentCandidates = best.map((doc) => ({ segment: segmentNumber, doc, words: scores[doc]! }))
  scores.fill(0, 0, documents)
  for (const candidate of segmentCandidates) {
    for (const variant of skipped)
      candidate.words += impactIn(segment, variant.stem, candidate.doc) * factor(variant, plan)
  }
  return segmentCandidates
}

function partLong(segment: Segment, variants: Variant[], documents: number): { walked: Variant[]; skipped: Variant[] } {
  if (documents < WALK_ALL_BELOW) return { walked: variants, skipped: [] }
  const length = ({ stem }: Variant) => segment.postingStart[stem + 1]! - segment.postingStart[stem]!
  const walkedVariants: Variant[] = []
  const skippedVariants: Variant[] = []
  let sum = 0
  for (const variant of [...variants].sort((a, b) => length(a) - length(b))) {
    if (sum >= ENOUGH_WALKED && length(variant) > documents * LONG_SHARE) skippedVariants.push(variant)
    else walkedVariants.push(variant)
    sum += length(variant)
  }
  return { walked: walkedVariants, skipped: skippedVariants }
}

const factor = (variant: Variant, plan: QueryPlan): number => (plan.terms[variant.term]!.weight * variant.weight) / 255

function addPostings(segment: Segment, variant: Variant, plan: QueryPlan): void {
  const { postingDocs, postingImpacts, postingStart } = segment
  const weight = factor(variant, plan)
  const end = postingStart[variant.stem + 1]!
  for (let at = postingStart[variant.stem]!; at < end; at++) scores[postingDocs[at]!]! += weight * postingImpacts[at]!
}

function impactIn(segment: Segment, stem: number, doc: number): number {
  let low = segment.postingStart[stem]!
  let high = segment.postingStart[stem + 1]! - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const middleDoc = segment.postingDocs[middle]!
    if (middleDoc === doc) return segment.postingImpacts[middle]!
    if (middleDoc < doc) low = middle + 1
    else high = middle - 1
  }
  return 0
}

// A min-heap of the best so far: one comparison rejects nearly every passage.
function topDocs(documents: number, removedDocs: Uint8Array | undefined, limit: number): number[] {
  const heap: number[] = []
  for (let doc = 0; doc < documents; doc++) {
    const score = scores[doc]!
    if (score <= 0 || removedDocs?.[doc] === 1) continue
    if (heap.length < limit) {
      heap.push(doc)
      if (heap.length === limit) for (let i = limit >> 1; i >= 0; i--) sink(heap, i)
    } else if (score > scores[heap[0]!]!) {
      heap[0] = doc
      sink(heap, 0)
    }
  }
  return heap
}

function sink(heap: number[], from: number): void {
  const movingDoc = heap[from]!
  let at = from
  for (let child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
    if (child + 1 < heap.length && scores[heap[child + 1]!]! < scores[heap[child]!]!) child++
    if (scores[heap[child]!]! >= scores[movingDoc]!) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = movingDoc
}

// "Waterproofing" and "waterproof", or "Lieferkosten" and "Lieferung", have different stems but share n-grams.

/** Passages with words that share n-grams with the question, those with the rarest first. */
export function findLookalikes(
  segment: Segment,
  plan: QueryPlan,
  removedDocs: Uint8Array | undefined,
  limit: number,
): number[] {
  const live = liveDocs(segment, removedDocs, limit)
  if (live) return live
  const stemWeights = new Map<number, number>()
  for (const { key, weight } of plan.grams) {
    const gram = findKey(segment.gramTable, segment.gramKeys, key)
    if (gram < 0) continue
    for (let at = segment.gramStart[gram]!; at < segment.gramStart[gram + 1]!; at++) {
      const stem = segment.surfaceStems[segment.gramSurfaces[at]!]!
      if (stem !== NO_STEM) stemWeights.set(stem, (stemWeights.get(stem) ?? 0) + weight)
    }
  }
  const docs = new Set<number>()
  for (const [stem] of [...stemWeights].sort((a, b) => b[1] - a[1])) {
    for (let at = segment.postingStart[stem]!; at < segment.postingStart[stem + 1]! && docs.size < limit; at++) {
      const doc = segment.postingDocs[at]!
      if (removedDocs?.[doc] !== 1) docs.add(doc)
    }
    if (docs.size >= limit) break
  }
  return [...docs]
}

/** All passages, if there are so few (a small bot, one product) that selecting would not pay. */
function liveDocs(segment: Segment, removedDocs: Uint8Array | undefined, limit: number): number[] | undefined {
  const live: number[] = []
  for (let doc = 0; doc < segment.ids.length; doc++) {
    if (removedDocs?.[doc] === 1) continue
    if (live.length === limit) return undefined
    live.push(doc)
  }
  return live
}

/** The passages of a segment nearest to the question's vector, by exhaustive search. */
export function nearestPassages(
  segment: Segment,
  query: QueryVector,
  removedDocs: Uint8Array | undefined,
  limit: number,
): number[] {
  if (segment.dimensions !== query.codes.length) return []
  const { passageCodes, passageScales, dimensions } = segment
  const docs: number[] = []
  const values: number[] = []
  const size = blockSize(dimensions)
  for (let first = 0; first < segment.ids.length; first += size) {
    const count = Math.min(size, segment.ids.length - first)
    const dots = dotBlock(query.codes, passageCodes, first, count)
    for (let i = 0; i < count; i++) {
      const doc = first + i
      const scale = passageScales[doc]!
      const value = dots[i]! * scale
      if (docs.length === limit && value <= values[limit - 1]!) continue
      if (scale === 0 || removedDocs?.[doc] === 1) continue
      let at = docs.length < limit ? docs.length : limit - 1
      for (; at > 0 && values[at - 1]! < value; at--) {
        values[at] = values[at - 1]!
        docs[at] = docs[at - 1]!
      }
      values[at] = value
      docs[at] = doc
    }
  }
  return docs
}
