// What the models are asked and what they answer.
import type { ReaderPassage, ReaderQuestion } from './reader-input.ts'

/** `absent` with the reason, for the log and for `/readyz`. What is still starting is absent for now. */
export type ModelState = { kind: 'ready'; model: string } | { kind: 'absent'; reason: string; isStarting?: true }

/** Unit vectors, one per text; `undefined` where there is no model or it was too late. */
export type Vectors = (Float32Array | undefined)[]

export interface Embedder {
  /** Names the model whose vectors these are; null while there is none. */
  readonly model: string | null
  readonly state: ModelState
  /** Vectors that are not there after `budgetMs` stay undefined; they still reach the cache. */
  embed(texts: string[], options?: { budgetMs?: number; urgent?: boolean }): Promise<Vectors>
  close(): Promise<void>
}

/** What the reader makes of one passage. */
export interface Reading {
  /** Log-odds that the passage answers the question. */
  relevance: number
  /** Log-odds that the answer is a yes, where the question can be answered with yes or no. */
  polarity: number
  /** Where in the passage's text the answer lies, and by how much that beats "nowhere". */
  span: { start: number; end: number; lead: number } | null
}

export interface Reader {
  readonly state: ModelState
  /** One reading per passage; undefined without a model or when it takes longer than `budgetMs`. */
  read(
    question: ReaderQuestion,
    passages: readonly ReaderPassage[],
    options?: { budgetMs?: number },
  ): Promise<Reading[] | undefined>
}

export interface Models {
  embedder: Embedder
  reader: Reader
  close(): Promise<void>
}

export function absentEmbedder(reason: string): Embedder {
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
