// Where vectors come from: an embedding provider, a model in a process of our own, or nowhere.
import { absent, type Embedder, startEmbedder } from './embedder.ts'
import { modelName } from './model-files.ts'
import { providerEmbedder } from './provider-embedder.ts'
import type { EmbeddingProvider } from './request-embeddings.ts'
import { restingEmbedder } from './resting-embedder.ts'

const RESTS_AFTER_MS = 10 * 60_000
const RETRY_AFTER_MS = 30_000
// Long enough for a model on one busy core; a late vector still helps when the question comes again soon.
const BUDGET_MS = 150
// A provider is across a network.
const PROVIDER_BUDGET_MS = 1500

export interface OpenedEmbedder {
  embedder: Embedder
  /** What its vectors are stored under, known before it has started; null without one. */
  model: string | null
  /** The only one that the model knows; null: it knows all. */
  language: string | null
  /** How long an answer waits for the vector of its question. */
  budgetMs: number
}

export function openEmbedder(
  settings: { modelDir?: string; provider?: EmbeddingProvider } | null,
  /** Told whenever it has come up, and once when there is none. */
  onStarted: (embedder: Embedder) => void,
): OpenedEmbedder {
  const model = modelName(settings)
  if (settings?.provider) {
    const { provider } = settings
    const name = model ?? provider.model
    const embedder = providerEmbedder({ ...provider, name, retryAfterMs: RETRY_AFTER_MS, onStarted })
    return { embedder, model, language: null, budgetMs: PROVIDER_BUDGET_MS }
  }
  const start = () => (settings ? startEmbedder(settings) : Promise.resolve(absent('switched off')))
  const embedder = restingEmbedder({ start, restAfterMs: RESTS_AFTER_MS, onStarted })
  // The built-in model knows English only.
  return { embedder, model, language: 'en', budgetMs: BUDGET_MS }
}
