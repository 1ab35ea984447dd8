// Scores a candidate passage: its retrieval signals, read from the segment's flat arrays.
import type { Signals } from '../../answers/types.ts'
import { gramScoring, sentenceScoring } from '../index/scoring.ts'
import { findKey, LEADING_SENTENCES, type Segment } from '../index/segment.ts'
import { dotCodes, type QueryVector } from '../vectors/quantise.ts'
import type { Candidate } from './find-candidates.ts'
import type { QueryPlan, Variant } from './plan-query.ts'

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
  const passageReader = makePassageReader(segment, plan, plan.variants[segmentNumber] ?? [], marks)
  const usable = vector?.codes.length === segment.dimensions ? vector : undefined
  const withSignals = candidates.map((candidate): SignalledCandidate => {
    const { grams, title, coverage, pairs, headingScore, sentences, sentenceScores, sentenceFigures } = passageReader(
      candidate.doc,
    )
    const firstSentence = segment.sentenceStart[candidate.doc]! + LEADING_SENTENCES
    let best = -1
    let bestValue = -1
    let sentence = 0
    for (let s = 0; s < sentences; s++) {
      sentence = Math.max(sentence, sentenceScores[s]!)
      // Questions help to find the passage, but are not part of its text.
      if (segment.spans[(firstSentence + s) * 2 + 1] === 0) continue
      const figure = plan.asksForFigure && sentenceFigures[s] === 1 ? FIGURE_BONUS : 0
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
  return withSignals
}

const FIGURE_BONUS = 0.1

function cosineAt(query: QueryVector | undefined, codes: Int8Array, scales: Float32Array, at: number): number {
  if (!query) return 0
  const scale = scales[at]!
  return scale === 0 ? 0 : Math.max(0, dotCodes(query.codes, codes, at * query.codes.length) * scale * query.scale)
}

interface PassageReading {
  grams: number
  title: number
  coverage: number
  pairs: number
  /** Keyword score of the headings. */
  headingScore: number
  sentences: number
  /** Keyword score and presence of a number, for each sentence of the text. Overwritten by the next reading. */
  sentenceScores: Float32Array
  sentenceFigures: Uint8Array
}

// Two question words count as neighbours with at most two words between them.
const NEIGHBOUR_DISTANCE = 3
const USUAL_SENTENCES = 64

/** Scans passages word by word; created once per question and segment. */
function makePassageReader(segment: Segment, plan: QueryPlan, variants: Variant[], marks: QueryMarks) {
  const { terms } = plan
  const gramCounts = new Uint32Array(plan.grams.length)
  const touchedGrams = new Uint16Array(plan.grams.length)
  let touchedGramCount = 0
  const seenShares = new Float32Array(terms.length)
  const inSentence = new Float32Array(terms.length)
  const touchedTerms = new Uint16Array(terms.length)
  let touchedTermCount = 0
  const pairSeen = new Uint8Array(terms.length)
  let sentenceScores = new Float32Array(USUAL_SENTENCES)
  let sentenceFigures = new Uint8Array(USUAL_SENTENCES)

  return function readPassage(doc: number): PassageReading {
    seenShares.fill(0)
    pairSeen.fill(0)
    const first = segment.sentenceStart[doc]!
    const bodyStart = first + LEADING_SENTENCES
    const last = segment.sentenceStart[doc + 1]!
    const sentences = Math.max(0, last - bodyStart)
    if (sentences > sentenceScores.length) {
      sentenceScores = new Float32Array(sentences)
      sentenceFigures = new Uint8Array(sentences)
    }
    let title = 0
    let headingScore = 0
    for (let s = first; s < last; s++) {
      const figure = readSentence(s)
      if (s >= bodyStart) {
        sentenceScores[s - bodyStart] = sentenceScore(s)
        sentenceFigures[s - bodyStart] = figure ? 1 : 0
      }
      if (s === bodyStart - 1) headingScore = sentenceScore(s)
      forgetSentence()
      if (s === bodyStart - 1) title = share(seenShares)
    }
    return {
      grams: gramScore(doc),
      title,
      coverage: share(seenShares),
      pairs: pairShare(),
      headingScore,
      sentences,
      sentenceScores,
      sentenceFigures,
    }
  }

  function readSentence(s: number): boolean {
    const { markOfSurface, chainNext, chainGram } = marks
    const { tokens, surfaceNumeric } = segment
    let figure = false
    let previousTerm = -1
    let distance = 0
    const end = segment.tokenStart[s + 1]!
    for (let at = segment.tokenStart[s]!; at < end; at++) {
      const surface = tokens[at]!
      if (plan.asksForFigure && surfaceNumeric[surface] === 1) figure = true
      distance++
      const entry = markOfSurface[surface]!
      if (entry === 0) continue
      for (let link = marks.grams[entry]!; link !== 0; link = chainNext[link]!) {
        const gram = chainGram[link]!
        if (gramCounts[gram]!++ === 0) touchedGrams[touchedGramCount++] = gram
      }
      const number = marks.variants[entry]!
      if (number === 0) continue
      const { term, weight } = variants[number - 1]!
      if (inSentence[term] === 0) touchedTerms[touchedTermCount++] = term
      inSentence[term]! += weight
      if (weight > seenShares[term]!) seenShares[term] = weight
      // Pairs are stored under their first word in either order: "return policy" matches "policy on returns".
      if (previousTerm >= 0 && distance <= NEIGHBOUR_DISTANCE && Math.abs(previousTerm - term) === 1)
        pairSeen[Math.min(previousTerm, term)] = 1
      previousTerm = term
      distance = 0
    }
    return figure
  }

  function sentenceScore(s: number): number {
    const { k1, b } = sentenceScoring
    const length = segment.tokenStart[s + 1]! - segment.tokenStart[s]!
    const norm = k1 * (1 - b + (b * length) / (2 * segment.averages.sentence))
    let score = 0
    for (let at = 0; at < touchedTermCount; at++) {
      const term = touchedTerms[at]!
      score += (terms[term]!.weight * inSentence[term]!) / (inSentence[term]! + norm)
    }
    return plan.termWeightSum === 0 ? 0 : score / plan.termWeightSum
  }

  function forgetSentence(): void {
    for (let at = 0; at < touchedTermCount; at++) inSentence[touchedTerms[at]!] = 0
    touchedTermCount = 0
  }

  function gramScore(doc: number): number {
    const { k1, b } = gramScoring
    const norm = k1 * (1 - b + (b * segment.gramLengths[doc]!) / segment.averages.grams)
    let score = 0
    for (let at = 0; at < touchedGramCount; at++) {
      const gram = touchedGrams[at]!
      score += (plan.grams[gram]!.weight * gramCounts[gram]!) / (gramCounts[gram]! + norm)
      gramCounts[gram] = 0
    }
    touchedGramCount = 0
    return plan.gramWeightSum === 0 ? 0 : score / plan.gramWeightSum
  }

  function share(shares: Float32Array): number {
    let sum = 0
    for (let term = 0; term < terms.length; term++) sum += terms[term]!.weight * shares[term]!
    return plan.termWeightSum === 0 ? 0 : sum / plan.termWeightSum
  }

  function pairShare(): number {
    let all = 0
    let seenWeight = 0
    for (let term = 0; term + 1 < plan.ownTerms; term++) {
      const weight = terms[term]!.weight + terms[term + 1]!.weight
      all += weight
      if (pairSeen[term] === 1) seenWeight += weight
    }
    return all === 0 ? 0 : seenWeight / all
  }
}

// Marks the words of a segment that matter to the question, so that scanning a passage costs one lookup for most
// words. Ranking is synchronous, so all indexes of the process share one array; marks are cleared after use.

let markOfSurface = new Uint32Array(0)

interface QueryMarks {
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
const COMMON_SHARE = 0.5
const COMMON_FROM = 1000

function markQuery(segment: Segment, segmentNumber: number, plan: QueryPlan): QueryMarks {
  if (markOfSurface.length < segment.surfaceKeys.length)
    markOfSurface = new Uint32Array(segment.surfaceKeys.length * 1.2)
  const variants = [0]
  const grams = [0]
  const chainGram = [0]
  const chainNext = [0]
  const markedSurfaces: number[] = []
  const entryOf = (surface: number): number => {
    if (markOfSurface[surface] === 0) {
      markedSurfaces.push(surface)
      grams.push(0)
      markOfSurface[surface] = variants.push(0) - 1
    }
    return markOfSurface[surface]!
  }
  plan.variants[segmentNumber]?.forEach(({ stem }, v) => {
    for (let at = segment.stemSurfaceStart[stem]!; at < segment.stemSurfaceStart[stem + 1]!; at++)
      variants[entryOf(segment.stemSurfaces[at]!)] = v + 1
  })
  const common = segment.ids.length < COMMON_FROM ? Number.POSITIVE_INFINITY : segment.ids.length * COMMON_SHARE
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
    for (const surface of markedSurfaces) markOfSurface[surface] = 0
  }
  return { markOfSurface, variants, grams, chainGram, chainNext, clear }
}
