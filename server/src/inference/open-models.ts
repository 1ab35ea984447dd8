// Opens the source of vectors and readings: our own model process, an embedding provider, or none.
import { modelName } from './model-files.ts'
import { createOnDemandModels } from './on-demand-models.ts'
import { createProviderEmbedder } from './provider/provider-embedder.ts'
import type { EmbeddingProvider } from './provider/request-embeddings.ts'
import { startModels } from './start-models.ts'
import { absentModels, type Embedder, type Reader } from './types.ts'

const IDLE_AFTER_MS = 10 * 60_000
const RETRY_AFTER_MS = 30_000
export interface OpenedModels {
  embedder: Embedder
  reader: Reader
  /** The name vectors are stored under, known before the embedder has started; null without one. */
  model: string | null
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
  if (!provider) return { ...models, model }
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
    async close() {
      await Promise.all([embedder.close(), models.close()])
    },
  }
}
