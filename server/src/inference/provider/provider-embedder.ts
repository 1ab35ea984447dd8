// Vectors from an OpenAI-compatible provider. While it does not respond, questions are matched by words, and it is
// retried at intervals.

import { Lru } from '../../caching/lru.ts'
import type { Embedder, Vectors } from '../types.ts'
import { EmbeddingFailure, type EmbeddingProvider, requestEmbeddings } from './request-embeddings.ts'

const BATCH = 64
// Models take 512 tokens or more; some reject longer texts, others truncate them.
const LONGEST_TEXT = 8000
const CACHED_TEXTS = 2000

interface Options extends EmbeddingProvider {
  /** The name vectors are stored under. */
  name: string
  retryAfterMs: number
  /** Called whenever the provider becomes available, and once if the first attempt fails. */
  onStarted: (embedder: Embedder) => void
}

export function createProviderEmbedder({ name, retryAfterMs, onStarted, ...provider }: Options): Embedder {
  let state: Embedder['state'] = { kind: 'absent', reason: 'the provider has not answered yet', isStarting: true }
  let dimensions = 0
  let timer: NodeJS.Timeout | undefined
  const closing = new AbortController()
  const cache = new Lru<Float32Array>(CACHED_TEXTS)

  async function request(texts: string[]): Promise<Float32Array[]> {
    const vectors = await requestEmbeddings(provider, texts, closing.signal)
    dimensions ||= vectors[0]?.length ?? 0
    if (vectors.some(({ length }) => length !== dimensions)) {
      throw new EmbeddingFailure('the provider’s vectors changed their length')
    }
    return vectors
  }

  function goAbsent(error: unknown) {
    if (closing.signal.aborted) return
    state = { kind: 'absent', reason: error instanceof EmbeddingFailure ? error.message : 'the provider failed' }
    clearTimeout(timer)
    timer = setTimeout(start, retryAfterMs).unref()
  }

  async function start() {
    const isFirst = dimensions === 0 && timer === undefined
    try {
      await request(['Hello'])
    } catch (error) {
      goAbsent(error)
      if (isFirst) onStarted(embedder)
      return
    }
    if (closing.signal.aborted) return
    state = { kind: 'ready', model: name }
    onStarted(embedder)
  }

  /** Undefined for texts the provider rejects. */
  async function vectorsOf(texts: string[]): Promise<Vectors> {
    const vectors: Vectors = []
    for (let from = 0; from < texts.length; from += BATCH) {
      const some = texts.slice(from, from + BATCH)
      if (state.kind === 'absent') return [...vectors, ...texts.slice(from).map(() => undefined)]
      const found = await request(some).catch((error: unknown) => {
        if (!(error instanceof EmbeddingFailure && error.isAboutTexts)) goAbsent(error)
        return some.map(() => undefined)
      })
      vectors.push(...found)
    }
    return vectors
  }

  const embedder: Embedder = {
    get model() {
      return state.kind === 'ready' ? state.model : null
    },
    get state() {
      return state
    },
    async embed(given, { budgetMs, urgent = true } = {}) {
      const texts = given.map((text) => text.slice(0, LONGEST_TEXT))
      const vectors = texts.map((text) => cache.get(text))
      const missing = texts.flatMap((text, index) => (vectors[index] ? [] : [{ text, index }]))
      if (missing.length === 0 || state.kind === 'absent') return vectors
      const coming = vectorsOf(missing.map(({ text }) => text)).then((found) => {
        for (const [position, { text, index }] of missing.entries()) {
          const vector = found[position]
          vectors[index] = vector
          // Questions repeat, passages do not.
          if (vector && urgent) cache.set(text, vector)
        }
      })
      await (budgetMs === undefined ? coming : Promise.race([coming, wait(budgetMs)]))
      return [...vectors]
    },
    async close() {
      closing.abort()
      clearTimeout(timer)
      state = { kind: 'absent', reason: 'closed' }
    },
  }
  void start()
  return embedder
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
