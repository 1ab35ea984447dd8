import { type Averages, noStem, type Segment } from '../segment.ts'
import { freezeSegment } from './freeze-segment.ts'
import { type DraftPassage, SegmentDraft } from './segment-draft.ts'

/** Merges the passages that `keep` accepts into one segment. Needs no texts: segments contain everything. */
export function mergeSegments(
  segments: Segment[],
  keep: (segment: number, doc: number) => boolean,
  averages?: Averages,
): Segment {
  const draft = new SegmentDraft()
  segments.forEach((segment, s) => {
    const surfaceOf = surfaceMapper(segment, draft)
    if (segment.dimensions > 0) draft.dimensions = segment.dimensions
    segment.ids.forEach((id, doc) => {
      if (keep(s, doc)) draft.passages.push(copyPassage(segment, id, doc, surfaceOf))
    })
  })
  return freezeSegment(draft, averages)
}

function copyPassage(segment: Segment, id: string, doc: number, surfaceOf: (surface: number) => number): DraftPassage {
  const passage: DraftPassage = {
    id,
    sentences: [],
    ...codesAt(segment.passageCodes, segment.passageScales, segment.dimensions, doc),
  }
  for (let s = segment.sentenceStart[doc]!; s < segment.sentenceStart[doc + 1]!; s++) {
    passage.sentences.push({
      start: segment.spans[s * 2]!,
      end: segment.spans[s * 2 + 1]!,
      tokens: Array.from(segment.tokens.subarray(segment.tokenStart[s]!, segment.tokenStart[s + 1]!), surfaceOf),
    })
  }
  return passage
}

function codesAt(
  codes: Int8Array,
  scales: Float32Array,
  dimensions: number,
  at: number,
): { codes?: Int8Array; scale?: number } {
  const scale = scales[at]
  return scale ? { codes: codes.subarray(at * dimensions, (at + 1) * dimensions), scale } : {}
}

function surfaceMapper(segment: Segment, draft: SegmentDraft): (surface: number) => number {
  const gramsOf: number[][] = Array.from(segment.surfaceKeys, () => [])
  segment.gramKeys.forEach((key, gram) => {
    for (let at = segment.gramStart[gram]!; at < segment.gramStart[gram + 1]!; at++)
      gramsOf[segment.gramSurfaces[at]!]!.push(key)
  })
  const mapped = new Int32Array(segment.surfaceKeys.length).fill(-1)
  return (surface) => {
    if (mapped[surface] === -1) {
      const stem = segment.surfaceStems[surface]!
      const stemKey = stem === noStem ? undefined : segment.stemKeys[stem]
      mapped[surface] = draft.surface(
        segment.surfaceKeys[surface]!,
        stemKey,
        segment.surfaceNumeric[surface] === 1,
        () => gramsOf[surface]!,
      )
    }
    return mapped[surface]!
  }
}
