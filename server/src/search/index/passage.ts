import type { Signals } from '../../answers/types.ts'

/** A piece of the bot's content, as indexed. */
export interface Passage {
  id: string
  title: string
  headings: string[]
  text: string
  language: string
  /** Alternative phrasings to find it by, such as questions that it answers. */
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
  /** Position in the index. */
  position: { segment: number; doc: number }
  score: number
  signals: Signals
}
