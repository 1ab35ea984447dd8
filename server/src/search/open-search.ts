// Opens the search over a bot's passages and curated answers.
import type { Context } from '../context.ts'
import type { Embedder, Reader } from '../inference/types.ts'
import { withoutValues } from '../language/fold.ts'
import { makeContentKnowledgeOf } from './bot-knowledge.ts'
import { openIndexMemory } from './cache/index-cache.ts'
import { makeImportAnswers } from './curated/curated-answers.ts'
import { openCuratedIndexes } from './curated/curated-indexes.ts'
import { openPassageIndexes } from './index/passage-indexes.ts'
import { makeNameSection } from './source-page.ts'
import { makeEmbedDocuments, makeEmbedQuestions } from './vectors/embedding.ts'

// After this, words decide. It includes waiting for models that are starting and for other visitors' questions.
const MODEL_BUDGET_MS = 3000

interface Neighbours {
  embedder: Embedder
  reader: Reader
  /** The model whose vectors are stored, known before it has started. */
  model: string | null
  /** English words, ranked by frequency. */
  wordRanks: ReadonlyMap<string, number>
  frequentWords: ReadonlySet<string>
  secretKey: string
  /** What is wrong with a curated answer, or null. */
  checkAnswer: (item: unknown) => string | null
}

export type Search = ReturnType<typeof openSearch>

export function openSearch({ storage, config, metrics, clock, onError }: Context, neighbours: Neighbours) {
  const { embedder, reader, model, wordRanks, frequentWords, secretKey, checkAnswer } = neighbours
  const { actions, curatedAnswers, documents, documentVectors } = storage
  const memory = openIndexMemory(config.indexMemoryBytes)
  const embedDocuments = makeEmbedDocuments({ documents, documentVectors, embedder, model, clock, onError })
  const curatedIndexes = openCuratedIndexes({ curatedAnswers, embedder, model, memory })
  const actionIndexes = openCuratedIndexes({
    kind: 'actions',
    curatedAnswers: {
      ...actions,
      // There are few, so all of them are one page.
      list: async (botId, after) => (after === '' ? (await actions.listPhrasings(botId)).map(comparable) : []),
    },
    embedder,
    model,
    memory,
  })
  const indexes = openPassageIndexes({ documents, snapshots: storage.indexSnapshots, model, memory, onError })
  const nameSection = makeNameSection(secretKey)
  const onAnswersChanged = (botId: string) => void curatedIndexes.embed(botId).catch(onError)

  return {
    /** One budget for the indexes of passages, curated answers and products. */
    memory,
    nameSection,

    /** What a bot knows without its products, which the catalogue adds. */
    contentKnowledgeOf: makeContentKnowledgeOf({
      indexes,
      curatedIndexes,
      actionIndexes,
      documents,
      curatedAnswers,
      wordRanks,
      frequentWords,
      embedder,
      reader,
      modelBudgetMs: MODEL_BUDGET_MS,
      onDegraded: () => metrics.count('docent_degraded_answers_total', {}),
      widgetBaseUrl: config.widgetBaseUrl,
      nameSection,
    }),

    importAnswers: makeImportAnswers({
      curatedAnswers,
      checkAnswer,
      onChanged: onAnswersChanged,
      clock,
    }),
    onAnswersChanged,
    onActionsChanged: (botId: string) => void actionIndexes.embed(botId).catch(onError),

    embedDocuments: embedDocuments.enqueue,
    cacheVectors: embedDocuments.cacheVectors,
    embedQuestions: makeEmbedQuestions(embedder),

    /** Embeds what has no vectors of the model yet. */
    async embedMissing(startedModel: string | null) {
      if (!model) return
      for (const botId of await documentVectors.listBotsMissing(model)) embedDocuments.enqueue(botId)
      if (!startedModel) return
      for (const botId of await curatedAnswers.listBotsMissing(startedModel)) await curatedIndexes.embed(botId)
      for (const botId of await actions.listBotsMissing(startedModel)) await actionIndexes.embed(botId)
    },

    /** Progress of a bot's passage vectors. */
    async embedding(botId: string) {
      const { state } = embedder
      if (!model || (state.kind === 'absent' && !state.isStarting)) return { embedded: 0, complete: true }
      const [missingDocument] = await documentVectors.listMissing(botId, model, 1)
      return { embedded: await documentVectors.countPassages(botId, model), complete: missingDocument === undefined }
    },

    /** Documents waiting for vectors on this node, counted up to a limit. */
    async vectorBacklog(limit: number) {
      const bots = model ? embedDocuments.unfinished() : []
      const backlog: { depth: number; since: number | null } = { depth: 0, since: null }
      for (const { botId, after, since } of bots) {
        if (!model || backlog.depth >= limit) break
        const missingCount = await documentVectors.countMissing(botId, model, limit - backlog.depth, after)
        if (missingCount === 0) continue
        backlog.depth += missingCount
        backlog.since = Math.min(backlog.since ?? since, since)
      }
      return backlog
    },

    async stop() {
      await embedDocuments.close()
      await indexes.close()
    },
  }
}

/** Phrasings are compared without the values in them, as messages are. */
function comparable<P extends { question: string; alternatives: string[] }>(phrasings: P): P {
  const { question, alternatives } = phrasings
  return { ...phrasings, question: withoutValues(question), alternatives: alternatives.map(withoutValues) }
}
