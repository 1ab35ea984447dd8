// One call to an OpenAI-compatible embeddings endpoint. Errors never include the provider's own text, which may echo
// the key or a visitor's words.

export interface EmbeddingProvider {
  baseUrl: string
  apiKey: string | null
  model: string
}

export class EmbeddingFailure extends Error {
  override readonly name = 'EmbeddingFailure'
  /** The provider rejected these texts; others may succeed. */
  readonly isAboutTexts: boolean

  constructor(message: string, isAboutTexts = false) {
    super(message)
    this.isAboutTexts = isAboutTexts
  }
}

const TIMEOUT_MS = 15_000
const refusesTexts = [400, 413, 422]

/** One unit vector per text. */
export async function requestEmbeddings(
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
    throw new EmbeddingFailure(`the provider answered ${response.status}`, refusesTexts.includes(response.status))
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
