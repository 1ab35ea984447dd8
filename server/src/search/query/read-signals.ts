import type { Signals } from '../../answers/types.ts'
import { leadingSentences, type Segment } from '../index/segment.ts'
import { dotCodes, type QueryVector } from '../vectors/quantise.ts'
import type { Candidate } from './find-candidates.ts'
import type { QueryPlan } from './plan-query.ts'
import { markQuery } from './query-marks.ts'
import { createPassageReader } from './read-passage.ts'

export interface SignalledCandidate {
  candidate: Candidate
  signals: Signals
  /** Scores the headings like a sentence of the text. */
  headingScore: number
}

/** Computes all signals of a segment's candidates. */
export function readSignals(
  segment: Segment,
  segmentNumber: number,
  plan: QueryPlan,
  candidates: Candidate[],
  vector: QueryVector | undefined,
): SignalledCandidate[] {
  const marks = markQuery(segment, segmentNumber, plan)
  const read = createPassageReader(segment, plan, plan.variants[segmentNumber] ?? [], marks)
  const usable = vector?.codes.length === segment.dimensions ? vector : undefined
  const found = candidates.map((candidate): SignalledCandidate => {
    const { grams, title, coverage, pairs, headingScore, sentences, sentenceScores, sentenceFigures } = read(
      candidate.doc,
    )
    const firstSentence = segment.sentenceStart[candidate.doc]! + leadingSentences
    let best = -1
    let bestValue = -1
    let sentence = 0
    for (let s = 0; s < sentences; s++) {
      sentence = Math.max(sentence, sentenceScores[s]!)
      // Questions help to find the passage, but are not part of its text.
      if (segment.spans[(firstSentence + s) * 2 + 1] === 0) continue
      const figure = plan.asksForFigure && sentenceFigures[s] === 1 ? figureBonus : 0
      const value = sentenceScores[s]! + figure
      if (value > bestValue) {
        best = s
        bestValue = value
      }
    }
    return {
      candidate,
      headingScore,
      signals: {
        words: plan.termWeightSum === 0 ? 0 : candidate.words / plan.termWeightSum,
        grams,
        title,
        coverage,
        pairs,
        sentence,
        vector: cosineAt(usable, segment.passageCodes, segment.passageScales, candidate.doc),
        answerType: plan.asksForFigure && sentenceFigures[best] === 1 ? 1 : 0,
      },
    }
  })
  marks.clear()
  return found
}

const figureBonus = 0.1

function cosineAt(query: QueryVector | undefined, codes: Int8Array, scales: Float32Array, at: number): number {
  if (!query) return 0
  const scale = scales[at]!
  return scale === 0 ? 0 : Math.max(0, dotCodes(query.codes, codes, at * query.codes.length) * scale * query.scale)
}
