import type { Segment } from '../index/segment.ts'
import type { QueryPlan, Variant } from './plan-query.ts'

export interface Candidate {
  segment: number
  doc: number
  words: number
}

// Above this size, long posting lists are not scanned; their scores are looked up for the candidates only.
const walkAllBelow = 20_000
const longShare = 0.05
const enoughWalked = 2000

// Ranking is synchronous, so all indexes of the process share these arrays.
let scores = new Float32Array(0)

/** The passages of a segment with the highest keyword scores. */
export function findCandidates(
  segment: Segment,
  segmentNumber: number,
  plan: QueryPlan,
  removed: Uint8Array | undefined,
  limit: number,
): Candidate[] {
  const documents = segment.ids.length
  if (scores.length < documents) scores = new Float32Array(Math.ceil(documents * 1.2))
  const variants = plan.variants[segmentNumber] ?? []
  const { walked, skipped } = partLong(segment, variants, documents)
  for (const variant of walked) addPostings(segment, variant, plan)
  const best = topDocs(documents, removed, limit)
  const found = best.map((doc) => ({ segment: segmentNumber, doc, words: scores[doc]! }))
  scores.fill(0, 0, documents)
  for (const candidate of found) {
    for (const variant of skipped)
      candidate.words += impactIn(segment, variant.stem, candidate.doc) * factor(variant, plan)
  }
  return found
}

function partLong(segment: Segment, variants: Variant[], documents: number): { walked: Variant[]; skipped: Variant[] } {
  if (documents < walkAllBelow) return { walked: variants, skipped: [] }
  const length = ({ stem }: Variant) => segment.postingStart[stem + 1]! - segment.postingStart[stem]!
  const walked: Variant[] = []
  const skipped: Variant[] = []
  let sum = 0
  for (const variant of [...variants].sort((a, b) => length(a) - length(b))) {
    if (sum >= enoughWalked && length(variant) > documents * longShare) skipped.push(variant)
    else walked.push(variant)
    sum += length(variant)
  }
  return { walked, skipped }
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
    const found = segment.postingDocs[middle]!
    if (found === doc) return segment.postingImpacts[middle]!
    if (found < doc) low = middle + 1
    else high = middle - 1
  }
  return 0
}

// A min-heap of the best so far: one comparison rejects nearly every passage.
function topDocs(documents: number, removed: Uint8Array | undefined, limit: number): number[] {
  const heap: number[] = []
  for (let doc = 0; doc < documents; doc++) {
    const score = scores[doc]!
    if (score <= 0 || removed?.[doc] === 1) continue
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
  const moving = heap[from]!
  let at = from
  for (let child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
    if (child + 1 < heap.length && scores[heap[child + 1]!]! < scores[heap[child]!]!) child++
    if (scores[heap[child]!]! >= scores[moving]!) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = moving
}
