// Interfaces of the embedder and the reader.
import type { ReaderPassage, ReaderQuestion } from './reader-input.ts'

/** `absent` with the reason, for the log and `/readyz`. A model that is still starting counts as absent. */
export type ModelState = { kind: 'ready'; model: string } | { kind: 'absent'; reason: string; isStarting?: true }

/** Ready, or about to be: an answer waits for a model that is still starting. */
export const isAvailable = (state: ModelState): boolean => state.kind === 'ready' || state.isStarting === true

/** Unit vectors, one per text; `undefined` without a model or when too late. */
export type Vectors = (Float32Array | undefined)[]

export interface Embedder {
  /** The model that made the vectors; null while there is none. */
  readonly model: string | null
  readonly state: ModelState
  /** Vectors not ready within `budgetMs` are undefined, but still reach the cache. */
  embed(texts: string[], options?: { budgetMs?: number; urgent?: boolean; lane?: string }): Promise<Vectors>
  close(): Promise<void>
}

/** The reader's output for one passage. */
export interface Reading {
  /** Log-odds that the passage answers the question. */
  relevance: number
  /** Log-odds that the answer is yes, for yes-or-no questions. */
  polarity: number
  /** Where in the text the answer is, and by how much it outscores "no answer". */
  span: { start: number; end: number; lead: number } | null
}

export interface Reader {
  readonly state: ModelState
  /** One reading per passage; undefined without a model or after `budgetMs`. The lanes, one per bot, take turns. */
  read(
    question: ReaderQuestion,
    passages: readonly ReaderPassage[],
    options?: { budgetMs?: number; lane?: string },
  ): Promise<Reading[] | undefined>
}

export interface Models {
  embedder: Embedder
  reader: Reader
  close(): Promise<void>
}

function absentEmbedder(reason: string): Embedder {
  return {
    model: null,
    state: { kind: 'absent', reason },
    embed: async (texts) => texts.map(() => undefined),
    close: async () => {},
  }
}

export function absentReader(reason: string): Reader {
  return { state: { kind: 'absent', reason }, read: async () => undefined }
}

export function absentModels(reason: string): Models {
  return { embedder: absentEmbedder(reason), reader: absentReader(reason), close: async () => {} }
}
