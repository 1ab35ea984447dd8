import type { Signals } from '../../answers/types.ts'

/** A piece of the bot's content, as indexed. */
export interface IndexedPassage {
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

export const SIGNAL_NAMES = [
  'words',
  'grams',
  'sentence',
  'vector',
  'title',
  'coverage',
  'pairs',
  'answerType',
] as const satisfies (keyof Signals)[]

export interface IndexHit {
  id: string
  /** Position in the index. */
  position: { segment: number; doc: number }
  score: number
  signals: Signals
}

// A passage's id in the index: its document id and position. Document ids contain no "#".
interface PassageRef {
  documentId: string
  ordinal: number
}

export function indexIdOf({ documentId, ordinal }: PassageRef): string {
  return `${documentId}#${ordinal}`
}

export function passageRef(id: string): PassageRef {
  const separator = id.lastIndexOf('#')
  return { documentId: id.slice(0, separator), ordinal: Number(id.slice(separator + 1)) }
}
