/** A piece of the bot's content, as it goes into the index. */
export interface Passage {
  id: string
  title: string
  headings: string[]
  text: string
  language: string
  /** Further phrasings by which it is found, such as questions that it answers. */
  questions?: string[]
  /** A unit vector. */
  vector?: Float32Array
}

/** Every signal of a hit, kept apart for the confidence model and the playground. */
export interface Signals {
  /** BM25 over stems, title and headings weighted; divided by what a perfect match would score. */
  words: number
  /** BM25 over character grams, likewise. */
  grams: number
  /** BM25 of the best sentence, likewise. */
  sentence: number
  /** Cosine of question and passage, 0 without vectors. */
  vector: number
  /** Share of the question, by weight of its words, that title and headings hold. */
  title: number
  /** Share of the question, by weight of its words, that the passage holds. */
  coverage: number
  /** Share of the question's neighbouring words that are neighbours in the passage. */
  pairs: number
  /** 1 where the question asks for a number or date and the best sentence has one, 0 otherwise. */
  answerType: number
}

export const signalNames = [
  'words',
  'grams',
  'sentence',
  'vector',
  'title',
  'coverage',
  'pairs',
  'answerType',
] as const satisfies (keyof Signals)[]

/** Where the best sentence stands in the passage's text. */
export interface BestSentence {
  index: number
  start: number
  end: number
}

export interface Hit {
  id: string
  /** Where the passage stands in the index. */
  place: { segment: number; doc: number }
  score: number
  signals: Signals
  /** Undefined where the passage has no text. */
  bestSentence: BestSentence | undefined
}
