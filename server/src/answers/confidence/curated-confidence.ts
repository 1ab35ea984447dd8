// How likely a curated answer is right, from its match signals.
import type { CuratedMatch } from '../types.ts'
import models from './curated-confidence-model.json' with { type: 'json' }
import { probability } from './logistic.ts'

/** Confidence in the first of the matches, which are sorted best first. */
export function curatedConfidence(matches: readonly Pick<CuratedMatch, 'score' | 'signals'>[]): number {
  const [first, second] = matches
  if (!first) return 0
  return probability(
    first.signals.vector > 0 ? models.vectors : models.words,
    curatedFeatures(first, second?.score ?? 0),
  )
}

/** Each signal also has a capped value, so that low similarities can count more than high ones. */
export function curatedFeatures(
  { score, signals }: Pick<CuratedMatch, 'score' | 'signals'>,
  secondScore: number,
): Record<string, number> {
  return {
    score,
    lowScore: Math.min(0.5, score),
    margin: score - secondScore,
    clearMargin: Math.min(0.1, score - secondScore) * 10,
    words: signals.words,
    lowWords: Math.min(0.4, signals.words),
    vector: signals.vector,
    lowVector: Math.min(0.6, signals.vector),
    classifier: signals.classifier,
    classifierLikeness: signals.classifier * Math.max(signals.vector, signals.words),
  }
}
