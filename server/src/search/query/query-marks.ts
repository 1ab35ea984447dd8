import { findKey } from '../index/key-table.ts'
import type { Segment } from '../index/segment.ts'
import type { QueryPlan } from './plan-query.ts'

// Marks the words of a segment that matter to the question, so that scanning a passage costs one lookup for most
// words. Ranking is synchronous, so all indexes of the process share one array; marks are cleared after use.

let markOfSurface = new Uint32Array(0)

export interface QueryMarks {
  /** Word → its entry below; 0 for a word unrelated to the question. */
  markOfSurface: Uint32Array
  /** Entry → its variant in the plan plus one; 0 for none. */
  variants: number[]
  /** Entry → first link in the chain of the question's n-grams that the word contains; 0 for none. */
  grams: number[]
  chainGram: number[]
  chainNext: number[]
  clear(): void
}

// N-grams found in half of all passages say nothing, and occur in the most words.
const commonShare = 0.5
const commonFrom = 1000

export function markQuery(segment: Segment, segmentNumber: number, plan: QueryPlan): QueryMarks {
  if (markOfSurface.length < segment.surfaceKeys.length)
    markOfSurface = new Uint32Array(segment.surfaceKeys.length * 1.2)
  const variants = [0]
  const grams = [0]
  const chainGram = [0]
  const chainNext = [0]
  const marked: number[] = []
  const entryOf = (surface: number): number => {
    if (markOfSurface[surface] === 0) {
      marked.push(surface)
      grams.push(0)
      markOfSurface[surface] = variants.push(0) - 1
    }
    return markOfSurface[surface]!
  }
  plan.variants[segmentNumber]?.forEach(({ stem }, v) => {
    for (let at = segment.stemSurfaceStart[stem]!; at < segment.stemSurfaceStart[stem + 1]!; at++)
      variants[entryOf(segment.stemSurfaces[at]!)] = v + 1
  })
  const common = segment.ids.length < commonFrom ? Number.POSITIVE_INFINITY : segment.ids.length * commonShare
  plan.grams.forEach(({ key }, gram) => {
    const number = findKey(segment.gramTable, segment.gramKeys, key)
    if (number < 0 || segment.gramDocs[number]! > common) return
    for (let at = segment.gramStart[number]!; at < segment.gramStart[number + 1]!; at++) {
      const entry = entryOf(segment.gramSurfaces[at]!)
      chainNext.push(grams[entry]!)
      grams[entry] = chainGram.push(gram) - 1
    }
  })
  const clear = () => {
    for (const surface of marked) markOfSurface[surface] = 0
  }
  return { markOfSurface, variants, grams, chainGram, chainNext, clear }
}
