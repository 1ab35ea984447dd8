// node lab/performance/vector-scan.ts: time to compare a question's vector with every passage of a bot,
// next to the same in plain JavaScript.

import { buildIndex } from '../../server/src/search/index/passage-index.ts'
import type { Segment } from '../../server/src/search/index/segment.ts'
import { nearestPassages } from '../../server/src/search/query/find-candidates.ts'
import { dotCodes, type QueryVector, quantiseQuery } from '../../server/src/search/vectors/quantise.ts'

const SIZES = [10_000, 50_000, 200_000]
const DIMENSIONS = 384
const RUNS = 30
const WANTED = 40

const [empty] = buildIndex([]).segments
for (const size of SIZES) {
  const passageCodes = Int8Array.from({ length: size * DIMENSIONS }, () => Math.floor(Math.random() * 255) - 127)
  const passageScales = new Float32Array(size).fill(0.001)
  const ids = Array.from({ length: size }, (_, number) => `p${number}`)
  const segment = { ...empty, ids, dimensions: DIMENSIONS, passageCodes, passageScales } as Segment
  const scan = timed((query) => nearestPassages(segment, query, undefined, WANTED))
  const plain = timed(({ codes }) => {
    let best = 0
    for (let passage = 0; passage < size; passage++)
      best = Math.max(best, dotCodes(codes, passageCodes, passage * DIMENSIONS))
    return best
  })
  console.log(`${size} passages: ${scan}; plain JavaScript: ${plain}`)
}

function timed(work: (query: QueryVector) => unknown): string {
  const times = Array.from({ length: RUNS }, () => {
    const query = quantiseQuery(Float32Array.from({ length: DIMENSIONS }, () => Math.random() - 0.5))
    const startedAt = performance.now()
    work(query)
    return performance.now() - startedAt
  }).sort((a, b) => a - b)
  return `median ${(times[RUNS >> 1] ?? 0).toFixed(1)} ms, least ${(times[0] ?? 0).toFixed(1)} ms`
}
