// What the model process and its owner say to each other.
import type { ReaderPassage, ReaderQuestion } from '../reader-input.ts'
import type { Reading } from '../types.ts'

export interface ModelSettings {
  /** Folder and file of each model; null for one that is not wanted. */
  embedder: { dir: string; file: string; maxTokens: number } | null
  reader: { dir: string; file: string } | null
  threads: number
}

export type ModelRequest =
  | { kind: 'embed'; texts: string[] }
  | { kind: 'read'; question: ReaderQuestion; passages: readonly ReaderPassage[] }

export type ModelReply =
  /** Why each model is not there; null where it is. */
  | { kind: 'ready'; embedderProblem: string | null; readerProblem: string | null }
  | { kind: 'vectors'; vectors: Float32Array; dimensions: number }
  | { kind: 'readings'; readings: Reading[] }
  | { kind: 'failed'; reason: string }
