import type { ContextWord, Signals } from '../../answers/types.ts'
import type { AnalysedQuestion } from '../../language/analyse.ts'
import { type IndexHit, SIGNAL_NAMES } from '../index/passage.ts'
import type { PassageIndex } from '../index/passage-index.ts'
import { type QueryVector, quantiseQuery } from '../vectors/quantise.ts'
import { type Candidate, findCandidates, findLookalikes, nearestPassages } from './find-candidates.ts'
import { planQuery, type QueryPlan } from './plan-query.ts'
import { readSignals, type SignalledCandidate } from './read-signals.ts'

interface SearchOptions {
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
function signalledCandidates(
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

// Each signal is scaled to 0..1 over a question's candidates, then weighted and added. The scale spans at least the
// signal's floor: where even the best candidate matches weakly, its small lead must not count in full.
// Weights and floors were chosen by leave-one-out validation across the evaluation sets
// (lab/fitting/fusion.ts, lab/reports/quality-details.md).

interface Fusion {
  weight: number
  floor: number
}
export type FusionWeights = Partial<Record<keyof Signals, Fusion>>

/** Used without vectors: another language than English, no model, or the vector was late. */
export const lexicalWeights: FusionWeights = {
  words: { weight: 0.7, floor: 0 },
  grams: { weight: 3, floor: 0 },
  sentence: { weight: 0.7, floor: 0 },
  title: { weight: 0.3, floor: 0 },
  coverage: { weight: 0.3, floor: 0 },
  pairs: { weight: 0.4, floor: 0 },
  answerType: { weight: 0.15, floor: 0 },
}

export const vectorWeights: FusionWeights = {
  words: { weight: 0.1, floor: 0.4 },
  grams: { weight: 0.3, floor: 0.5 },
  sentence: { weight: 0.3, floor: 0.2 },
  vector: { weight: 1.3, floor: 0.5 },
  title: { weight: 0.05, floor: 0 },
  coverage: { weight: 0.2, floor: 0.2 },
  pairs: { weight: 0.15, floor: 0.2 },
  answerType: { weight: 0.1, floor: 0 },
}

/** One score per candidate, 0 to 1, to sort by. */
export function fuse(rows: Signals[], weights: FusionWeights): Float32Array {
  const scores = new Float32Array(rows.length)
  let sum = 0
  for (const name of SIGNAL_NAMES) {
    const { weight, floor } = weights[name] ?? none
    if (weight === 0) continue
    sum += weight
    // A single candidate is compared with zero.
    let low = rows.length === 1 ? 0 : Number.POSITIVE_INFINITY
    let high = Number.NEGATIVE_INFINITY
    for (const row of rows) {
      low = Math.min(low, row[name])
      high = Math.max(high, row[name])
    }
    if (high <= low) continue
    const factor = weight / Math.max(high - low, floor)
    for (let i = 0; i < rows.length; i++) scores[i]! += factor * (rows[i]![name] - low)
  }
  if (sum > 0) for (let i = 0; i < scores.length; i++) scores[i]! /= sum
  return scores
}

const none: Fusion = { weight: 0, floor: 0 }
