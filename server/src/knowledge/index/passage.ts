import type { Signals } from '../../answers/types.ts'

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

export interface Hit {
  id: string
  /** Where the passage stands in the index. */
  place: { segment: number; doc: number }
  score: number
  signals: Signals
}
