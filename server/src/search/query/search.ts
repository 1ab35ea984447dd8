import type { ContextWord, Signals } from '../../answers/types.ts'
import type { AnalysedQuestion } from '../../language/analyse.ts'
import type { IndexHit } from '../index/passage.ts'
import type { PassageIndex } from '../index/passage-index.ts'
import { type QueryVector, quantiseQuery } from '../vectors/quantise.ts'
import { type Candidate, findCandidates, findLookalikes, nearestPassages } from './find-candidates.ts'
import { type FusionWeights, fuse, lexicalWeights, vectorWeights } from './fuse.ts'
import { planQuery, type QueryPlan } from './plan-query.ts'
import { readSignals, type SignalledCandidate } from './read-signals.ts'

export interface SearchOptions {
  /** Words from earlier turns that complete the question. */
  context?: readonly ContextWord[]
  /** The question's vector, if available in time. */
  vector?: Float32Array | undefined
  limit?: number
  weights?: FusionWeights
  /** Search only these passages, such as those of one product. */
  only?: ReadonlySet<string>
}

const WORD_CANDIDATES = 60
const VECTOR_CANDIDATES = 40
// When keywords find fewer than this, passages with similar words are read too.
const FEW_CANDIDATES = 40

/** The passages that answer a question best, best first. */
export function search(index: PassageIndex, question: AnalysedQuestion, options: SearchOptions = {}): IndexHit[] {
  const candidates = signalledCandidates(index, question, options)
  const hasVectors = candidates.some(({ signals }) => signals.vector > 0)
  // A heading often rephrases the question that its text answers; vectors already include it.
  const withHeading = ({ signals, headingScore }: SignalledCandidate): Signals => ({
    ...signals,
    sentence: Math.max(signals.sentence, headingScore),
  })
  const scores = fuse(
    candidates.map((one) => (hasVectors ? one.signals : withHeading(one))),
    options.weights ?? (hasVectors ? vectorWeights : lexicalWeights),
  )
  return candidates
    .map(({ candidate, signals }, i) => ({
      id: index.segments[candidate.segment]!.ids[candidate.doc]!,
      position: { segment: candidate.segment, doc: candidate.doc },
      score: scores[i]!,
      signals,
    }))
    .filter(({ signals }) => signals.grams > 0 || signals.words > 0 || signals.vector > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, options.limit ?? 10)
}

/** All candidates with their signals, unordered. */
export function signalledCandidates(
  index: PassageIndex,
  question: AnalysedQuestion,
  options: SearchOptions,
): SignalledCandidate[] {
  const segments = [...index.segments]
  const plan = planQuery(question, segments, options.context)
  const vector = options.vector && quantiseQuery(options.vector)
  return segments.flatMap((segment, s) => {
    const removedDocs = withoutOthers(index, s, options.only)
    const candidates = candidatesOf(index, s, plan, vector, removedDocs)
    return readSignals(segment, s, plan, candidates, vector)
  })
}

function candidatesOf(
  index: PassageIndex,
  s: number,
  plan: QueryPlan,
  vector: QueryVector | undefined,
  removedDocs: Uint8Array | undefined,
): Candidate[] {
  const segment = index.segments[s]!
  const segmentCandidates = findCandidates(segment, s, plan, removedDocs, WORD_CANDIDATES)
  const knownDocs = new Set(segmentCandidates.map(({ doc }) => doc))
  const add = (docs: Iterable<number>) => {
    for (const doc of docs) {
      if (knownDocs.has(doc)) continue
      knownDocs.add(doc)
      segmentCandidates.push({ segment: s, doc, words: 0 })
    }
  }
  if (segmentCandidates.length < FEW_CANDIDATES) add(findLookalikes(segment, plan, removedDocs, FEW_CANDIDATES))
  if (vector) add(nearestPassages(segment, vector, removedDocs, VECTOR_CANDIDATES))
  return segmentCandidates
}

function withoutOthers(index: PassageIndex, s: number, only: ReadonlySet<string> | undefined): Uint8Array | undefined {
  const removedDocs = index.removed[s]
  if (!only) return removedDocs
  return Uint8Array.from(index.segments[s]!.ids, (id, doc) => (only.has(id) && removedDocs?.[doc] !== 1 ? 0 : 1))
}
