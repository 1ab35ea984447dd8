// Vectors from an OpenAI-compatible provider. While it does not respond, questions are matched by words, and it is
// retried at intervals.
import { Lru } from '../caching.ts'
import type { Embedder, Vectors } from './types.ts'

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

export function openProviderEmbedder({ name, retryAfterMs, onStarted, ...provider }: Options): Embedder {
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
      const batchVectors = await request(some).catch((error: unknown) => {
        if (!(error instanceof EmbeddingFailure && error.isAboutTexts)) goAbsent(error)
        return some.map(() => undefined)
      })
      vectors.push(...batchVectors)
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
    async embed(inputs, { budgetMs, urgent = true } = {}) {
      const texts = inputs.map((text) => text.slice(0, LONGEST_TEXT))
      const vectors = texts.map((text) => cache.get(text))
      const missingTexts = texts.flatMap((text, index) => (vectors[index] ? [] : [{ text, index }]))
      if (missingTexts.length === 0 || state.kind === 'absent') return vectors
      const coming = vectorsOf(missingTexts.map(({ text }) => text)).then((newVectors) => {
        for (const [position, { text, index }] of missingTexts.entries()) {
          const vector = newVectors[position]
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

// One call to an OpenAI-compatible embeddings endpoint. Errors never include the provider's own text, which may echo
// the key or a visitor's words.

interface EmbeddingProvider {
  baseUrl: string
  apiKey: string | null
  model: string
}

class EmbeddingFailure extends Error {
  override readonly name = 'EmbeddingFailure'
  /** The provider rejected these texts; others may succeed. */
  readonly isAboutTexts: boolean

  constructor(message: string, isAboutTexts = false) {
    super(message)
    this.isAboutTexts = isAboutTexts
  }
}

const TIMEOUT_MS = 15_000
const REFUSES_TEXTS = [400, 413, 422]

/** One unit vector per text. */
async function requestEmbeddings(
  { baseUrl, apiKey, model }: EmbeddingProvider,
  texts: string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const response = await fetch(`${baseUrl}/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
    body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
    // Do not forward the key to another host.
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  }).catch((error: unknown) => {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    throw new EmbeddingFailure(isLate ? 'the provider did not answer in time' : 'the provider cannot be reached')
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new EmbeddingFailure(`the provider answered ${response.status}`, REFUSES_TEXTS.includes(response.status))
  }
  const vectors = readVectors(await response.json().catch(() => null))
  if (vectors?.length !== texts.length) throw new EmbeddingFailure('the provider’s answer cannot be read')
  return vectors
}

function readVectors(answer: unknown): Float32Array[] | null {
  const { data } = (answer ?? {}) as { data?: unknown }
  if (!Array.isArray(data)) return null
  const vectors: Float32Array[] = []
  for (const [position, item] of data.entries()) {
    const { embedding, index = position } = (item ?? {}) as { embedding?: unknown; index?: unknown }
    if (!Array.isArray(embedding) || typeof index !== 'number' || index < 0 || index >= data.length) return null
    const vector = unitVector(embedding)
    if (!vector) return null
    vectors[index] = vector
  }
  return Object.keys(vectors).length === data.length ? vectors : null
}

function unitVector(numbers: unknown[]): Float32Array | null {
  if (numbers.length === 0 || !numbers.every((value) => typeof value === 'number' && Number.isFinite(value)))
    return null
  // The index compares four numbers at a time; zero padding does not change the result.
  const vector = new Float32Array(Math.ceil(numbers.length / 4) * 4)
  vector.set(numbers as number[])
  const length = Math.hypot(...vector)
  return length > 0 ? vector.map((value) => value / length) : null
}
