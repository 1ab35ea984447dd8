import { dotCodes, type QueryVector } from '../vectors/quantise.ts'
import type { Segment } from './segment.ts'

/** The passages of a segment nearest to the question's vector, by comparing with every one. */
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
  for (let doc = 0; doc < segment.ids.length; doc++) {
    const scale = passageScales[doc]!
    if (scale === 0 || removed?.[doc] === 1) continue
    const value = dotCodes(query.codes, passageCodes, doc * dimensions) * scale
    if (docs.length === limit && value <= values[limit - 1]!) continue
    let at = docs.length < limit ? docs.length : limit - 1
    for (; at > 0 && values[at - 1]! < value; at--) {
      values[at] = values[at - 1]!
      docs[at] = docs[at - 1]!
    }
    values[at] = value
    docs[at] = doc
  }
  return docs
}
