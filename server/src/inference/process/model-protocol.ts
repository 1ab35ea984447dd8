// Messages between the model process and its parent.
import type { ReaderPassage, ReaderQuestion } from '../reader-input.ts'
import type { Reading } from '../types.ts'

export interface ModelSettings {
  /** Folder and file of each model; null if not wanted. */
  embedder: { dir: string; file: string; maxTokens: number } | null
  reader: { dir: string; file: string } | null
  threads: number
}

export type ModelRequest =
  | { kind: 'embed'; texts: string[] }
  | { kind: 'read'; question: ReaderQuestion; passages: readonly ReaderPassage[] }

export type ModelReply =
  /** Why each model is absent; null if it is loaded. */
  | { kind: 'ready'; embedderProblem: string | null; readerProblem: string | null }
  | { kind: 'vectors'; vectors: Float32Array; dimensions: number }
  | { kind: 'readings'; readings: Reading[] }
  | { kind: 'failed'; reason: string }
