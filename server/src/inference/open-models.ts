// Opens the source of vectors and readings: our own model process, an embedding provider, or none.
import type { Context } from '../context.ts'
import { modelName, readVocabularyWords, type VocabularyWords } from './model-files.ts'
import { inTime } from './model-process-owner.ts'
import { openProviderEmbedder } from './provider-embedder.ts'
import { startModels } from './start-models.ts'
import { absentModels, type Embedder, isAvailable, type ModelState, type Models, type Reader } from './types.ts'

const IDLE_AFTER_MS = 10 * 60_000
const RETRY_AFTER_MS = 30_000

interface OpenedModels extends VocabularyWords {
  embedder: Embedder
  reader: Reader
  /** The name vectors are stored under, known before the embedder has started; null without one. */
  model: string | null
  /** Each model's name, or why there is none. */
  describe(): { embeddings: string; reader: string }
  stop(): Promise<void>
}

export function openModels(
  { config, logger, onError }: Pick<Context, 'config' | 'logger' | 'onError'>,
  /** Called with the model whenever the embedder has started, and once with null if there is none. */
  onEmbedderStarted: (model: string | null) => Promise<void>,
): OpenedModels {
  const settings = config.embeddings
  const model = modelName(settings)
  const words = readVocabularyWords()
  const onFailure = (reason: string) => logger.warn({ reason }, 'a request to a model failed')
  const onStarted = ({ model: startedModel, state }: Embedder) => {
    if (!startedModel) logger.warn({ embeddings: state }, 'questions are matched by words only')
    onEmbedderStarted(startedModel).catch(onError)
  }
  const { provider, ...rest } = settings ?? {}
  const models = openOnDemandModels({
    start: () =>
      settings ? startModels({ ...rest, embeds: !provider, onFailure }) : Promise.resolve(absentModels('switched off')),
    idleAfterMs: IDLE_AFTER_MS,
    onStarted: provider ? () => {} : (startedModels) => onStarted(startedModels.embedder),
  })
  if (!provider) return { ...models, model, ...words, describe: () => describeModels(models), stop: models.close }
  const embedder = openProviderEmbedder({
    ...provider,
    name: model ?? provider.model,
    retryAfterMs: RETRY_AFTER_MS,
    onStarted,
  })
  return {
    embedder,
    reader: models.reader,
    model,
    ...words,
    describe: () => describeModels({ embedder, reader: models.reader }),
    async stop() {
      await Promise.all([embedder.close(), models.close()])
    },
  }
}

function describeModels({ embedder, reader }: Pick<Models, 'embedder' | 'reader'>) {
  return { embeddings: describeState(embedder.state), reader: describeState(reader.state) }
}

function describeState(state: ModelState): string {
  return state.kind === 'ready' ? state.model : `absent: ${state.reason}`
}

// Models that start in the background, stop when idle (they hold about 200 MB), and restart on demand.

const RESTART_AFTER_MS = 30_000

interface Options {
  start: () => Promise<Models>
  idleAfterMs: number
  /** Called on every start, and once if there are no models. */
  onStarted: (models: Models) => void
}

function openOnDemandModels({ start, idleAfterMs, onStarted }: Options): Models {
  const starting: ModelState = { kind: 'absent', reason: 'the model is still starting', isStarting: true }
  const states: { embedder: ModelState; reader: ModelState } = { embedder: starting, reader: starting }
  let awake: Promise<Models> | null = null
  let timer: NodeJS.Timeout | undefined
  let triedAt = 0
  let underWay = 0
  let isClosed = false

  function wake(): Promise<Models> {
    awake ??= start()
      .catch((error) => absentModels(String(error)))
      .then((startedModels) => {
        triedAt = performance.now()
        // Only the first start decides that a model is absent: one that ran before may come back.
        if (states.embedder.kind === 'absent') states.embedder = startedModels.embedder.state
        if (states.reader.kind === 'absent') states.reader = startedModels.reader.state
        if (!isClosed) onStarted(startedModels)
        return startedModels
      })
    return awake
  }

  function stopWhenIdle() {
    clearTimeout(timer)
    timer = setTimeout(async () => {
      if (underWay > 0 || !awake) return
      const stopping = awake
      awake = null
      await (await stopping).close()
    }, idleAfterMs).unref()
  }

  /** Wakes the models and uses them; undefined if they are not ready in time. */
  async function withModels<T>(
    budgetMs: number | undefined,
    use: (models: Models) => Promise<T>,
  ): Promise<T | undefined> {
    underWay++
    try {
      const models = await inTime(wake(), budgetMs)
      const isGone = models?.embedder.state.kind === 'absent' && models.reader.state.kind === 'absent'
      if (models && !isGone) return await use(models)
      // They exited or failed to start: retry, but not for every question.
      if (isGone && performance.now() - triedAt > RESTART_AFTER_MS) awake = null
      return undefined
    } finally {
      underWay--
      stopWhenIdle()
    }
  }

  void wake().then(stopWhenIdle)

  async function close() {
    isClosed = true
    clearTimeout(timer)
    await (await awake)?.close()
    states.embedder = { kind: 'absent', reason: 'closed' }
    states.reader = { kind: 'absent', reason: 'closed' }
  }

  return {
    embedder: {
      get model() {
        return states.embedder.kind === 'ready' ? states.embedder.model : null
      },
      get state() {
        return states.embedder
      },
      async embed(texts, options = {}) {
        if (isClosed || !isAvailable(states.embedder)) return texts.map(() => undefined)
        const vectors = await withModels(options.budgetMs, ({ embedder }) => embedder.embed(texts, options))
        return vectors ?? texts.map(() => undefined)
      },
      close,
    },
    reader: {
      get state() {
        return states.reader
      },
      async read(question, passages, options = {}) {
        if (isClosed || !isAvailable(states.reader)) return undefined
        return withModels(options.budgetMs, ({ reader }) => reader.read(question, passages, options))
      },
    },
    close,
  }
}
