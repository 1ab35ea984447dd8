// Opens the source of vectors and readings: our own model process, an embedding provider, or none.
import { modelName } from './model-files.ts'
import { createOnDemandModels } from './on-demand-models.ts'
import { createProviderEmbedder } from './provider/provider-embedder.ts'
import type { EmbeddingProvider } from './provider/request-embeddings.ts'
import { startModels } from './start-models.ts'
import { absentModels, type Embedder, type Reader } from './types.ts'

const IDLE_AFTER_MS = 10 * 60_000
const RETRY_AFTER_MS = 30_000
// Enough for a model on one busy core; a late vector still helps if the question is repeated soon.
const BUDGET_MS = 150
// A provider adds network latency.
const PROVIDER_BUDGET_MS = 1500

export interface OpenedModels {
  embedder: Embedder
  /** English only. */
  reader: Reader
  /** The name vectors are stored under, known before the embedder has started; null without one. */
  model: string | null
  /** The embedder's only language; null if it supports all. */
  language: string | null
  /** How long an answer waits for its question's vector. */
  budgetMs: number
  close(): Promise<void>
}

export function openModels(
  settings: { modelDir?: string; provider?: EmbeddingProvider } | null,
  /** Called whenever the embedder has started, and once if there is none. */
  onStarted: (embedder: Embedder) => void,
  /** Called with the reason when a model request fails. */
  onFailure: (reason: string) => void,
): OpenedModels {
  const model = modelName(settings)
  const { provider, ...rest } = settings ?? {}
  const models = createOnDemandModels({
    start: () =>
      settings ? startModels({ ...rest, embeds: !provider, onFailure }) : Promise.resolve(absentModels('switched off')),
    idleAfterMs: IDLE_AFTER_MS,
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
