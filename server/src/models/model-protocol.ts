// What the embedding process and its owner say to each other.

export interface EmbedSettings {
  modelDir: string
  modelFile: string
  maxTokens: number
  threads: number
}

export interface EmbedRequest {
  id: number
  texts: string[]
}

export type EmbedReply =
  | { kind: 'ready' }
  | { kind: 'absent'; reason: string }
  | { kind: 'vectors'; id: number; vectors: Float32Array; dimensions: number }
  | { kind: 'failed'; id: number; reason: string }
