import { leadingSentences, type Segment } from '../index/segment.ts'
import type { QueryPlan, Variant } from './plan-query.ts'
import type { QueryMarks } from './query-marks.ts'
import { gramScoring, sentenceScoring } from './scoring.ts'

export interface PassageReading {
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
const neighbourDistance = 3
const usualSentences = 64

/** Scans passages word by word; created once per question and segment. */
export function createPassageReader(segment: Segment, plan: QueryPlan, variants: Variant[], marks: QueryMarks) {
  const { terms } = plan
  const gramCounts = new Uint32Array(plan.grams.length)
  const touchedGrams = new Uint16Array(plan.grams.length)
  let touchedGramCount = 0
  const seen = new Float32Array(terms.length)
  const inSentence = new Float32Array(terms.length)
  const touchedTerms = new Uint16Array(terms.length)
  let touchedTermCount = 0
  const pairSeen = new Uint8Array(terms.length)
  let sentenceScores = new Float32Array(usualSentences)
  let sentenceFigures = new Uint8Array(usualSentences)

  return function readPassage(doc: number): PassageReading {
    seen.fill(0)
    pairSeen.fill(0)
    const first = segment.sentenceStart[doc]!
    const bodyStart = first + leadingSentences
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
      if (s === bodyStart - 1) title = share(seen)
    }
    return {
      grams: gramScore(doc),
      title,
      coverage: share(seen),
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
      if (weight > seen[term]!) seen[term] = weight
      // Pairs are stored under their first word in either order: "return policy" matches "policy on returns".
      if (previousTerm >= 0 && distance <= neighbourDistance && Math.abs(previousTerm - term) === 1)
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

  function share(held: Float32Array): number {
    let sum = 0
    for (let term = 0; term < terms.length; term++) sum += terms[term]!.weight * held[term]!
    return plan.termWeightSum === 0 ? 0 : sum / plan.termWeightSum
  }

  function pairShare(): number {
    let all = 0
    let held = 0
    for (let term = 0; term + 1 < plan.ownTerms; term++) {
      const weight = terms[term]!.weight + terms[term + 1]!.weight
      all += weight
      if (pairSeen[term] === 1) held += weight
    }
    return all === 0 ? 0 : held / all
  }
}
