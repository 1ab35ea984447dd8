import type { Segment } from '../index/segment.ts'
import { blockSize, dotBlock } from '../vectors/dot-block.ts'
import type { QueryVector } from '../vectors/quantise.ts'

/** The passages of a segment nearest to the question's vector, by exhaustive search. */
export function nearestPassages(
  segment: Segment,
  query: QueryVector,
  removed: Uint8Array | undefined,
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
      if (scale === 0 || removed?.[doc] === 1) continue
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
