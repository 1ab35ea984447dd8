// Where vectors and readings come from: models in a process of our own, an embedding provider, or nowhere.
import { modelName } from './model-files.ts'
import { createOnDemandModels } from './on-demand-models.ts'
import { createProviderEmbedder } from './provider/provider-embedder.ts'
import type { EmbeddingProvider } from './provider/request-embeddings.ts'
import { startModels } from './start-models.ts'
import { absentModels, type Embedder, type Reader } from './types.ts'

const RESTS_AFTER_MS = 10 * 60_000
const RETRY_AFTER_MS = 30_000
// Long enough for a model on one busy core; a late vector still helps when the question comes again soon.
const BUDGET_MS = 150
// A provider is across a network.
const PROVIDER_BUDGET_MS = 1500

export interface OpenedModels {
  embedder: Embedder
  /** Knows English only. */
  reader: Reader
  /** What the vectors are stored under, known before the embedder has started; null without one. */
  model: string | null
  /** The only one that the embedder knows; null: it knows all. */
  language: string | null
  /** How long an answer waits for the vector of its question. */
  budgetMs: number
  close(): Promise<void>
}

export function openModels(
  settings: { modelDir?: string; provider?: EmbeddingProvider } | null,
  /** Told whenever the embedder has come up, and once when there is none. */
  onStarted: (embedder: Embedder) => void,
  /** Told why a request to a model failed. */
  onFailure: (reason: string) => void,
): OpenedModels {
  const model = modelName(settings)
  const { provider, ...rest } = settings ?? {}
  const models = createOnDemandModels({
    start: () =>
      settings ? startModels({ ...rest, embeds: !provider, onFailure }) : Promise.resolve(absentModels('switched off')),
    restAfterMs: RESTS_AFTER_MS,
    onStarted: provider ? () => {} : (started) => onStarted(started.embedder),
  })
  if (!provider) return { ...models, model, language: 'en', budgetMs: BUDGET_MS }
  const embedder = createProviderEmbedder({
    ...provider,
    name: model ?? provider.model,
    retryAfterMs: RETRY_AFTER_MS,
    onStarted,
  })
  return {
    embedder,
    reader: models.reader,
    model,
    language: null,
    budgetMs: PROVIDER_BUDGET_MS,
    async close() {
      await Promise.all([embedder.close(), models.close()])
    },
  }
}
