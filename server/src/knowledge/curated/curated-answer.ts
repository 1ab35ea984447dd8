/** An answer that a person wrote, with the ways visitors ask for it. */
export interface CuratedAnswer {
  id: string
  question: string
  alternatives: string[]
  language: string
  /** Unit vectors of the question and its alternatives, in that order; undefined where there is none. */
  vectors?: (Float32Array | undefined)[]
}

export interface CuratedSignals {
  /** Likeness of the wording to the nearest phrasings, 0..1. */
  words: number
  /** Mean cosine to the nearest phrasings, 0 without vectors. */
  vector: number
  /** What the bot's own classifier gives this answer against the others, 0..1. */
  classifier: number
}

export interface CuratedHit {
  id: string
  /** 0..1; low for questions that none of the answers is meant for. */
  score: number
  signals: CuratedSignals
  /** The phrasing nearest in meaning, else in wording: 0 is the question, 1 the first alternative. */
  phrasing: number
}
