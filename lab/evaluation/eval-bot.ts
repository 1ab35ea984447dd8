// A bot as the service builds it, in its own database, with an evaluation set's corpus.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultThresholds } from '../../server/src/answers/policy.ts'
import type { BotVoice } from '../../server/src/answers/types.ts'
import { openBackgroundLane } from '../../server/src/catalogue/background-lane.ts'
import { openProductIndexes } from '../../server/src/catalogue/index/product-indexes.ts'
import { openProductSnapshots } from '../../server/src/catalogue/index/product-snapshots.ts'
import { openProductAnswers } from '../../server/src/catalogue/open-catalogue.ts'
import type { SyncEntry } from '../../server/src/catalogue/products/read-products.ts'
import { makeSyncProducts } from '../../server/src/catalogue/products/sync-products.ts'
import { readVocabularyWords } from '../../server/src/inference/model-files.ts'
import type { Models } from '../../server/src/inference/types.ts'
import { searchData } from '../../server/src/language/languages.ts'
import { makeContentKnowledgeOf } from '../../server/src/search/bot-knowledge.ts'
import { openIndexMemory } from '../../server/src/search/cache/index-cache.ts'
import { openCuratedIndexes } from '../../server/src/search/curated/curated-indexes.ts'
import { openPassageIndexes } from '../../server/src/search/index/passage-indexes.ts'
import { makeNameSection } from '../../server/src/search/source-page.ts'
import { makeEmbedDocuments } from '../../server/src/search/vectors/embedding.ts'
import { makeImportDocuments } from '../../server/src/sources/documents/documents.ts'
import { splitDocument } from '../../server/src/sources/documents/split-document.ts'
import { defaultWidgetRecord } from '../../server/src/storage/bots.ts'
import { openStorage } from '../../server/src/storage/storage.ts'
import type { EvalEntry } from './eval-set.ts'

const BOT_ID = 'bot_eval'
// Fixed, since prompts for language models have the date of a page.
const IMPORTED_AT = Date.UTC(2026, 0, 1)
/** From the name's suffix: xquad_de. */
export function languageOf(set: string): string {
  const suffix = /_([a-z]{2})$/.exec(set)?.[1] ?? ''
  return searchData[suffix] ? suffix : 'en'
}

const throwOn = (error: unknown) => {
  throw error
}

export async function createEvalBot(
  name: string,
  corpus: EvalEntry[],
  { embedder, reader }: Pick<Models, 'embedder' | 'reader'>,
  catalogue: object[] = [],
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'docent-eval-'))
  const storage = await openStorage({ dataDir, databaseUrl: null, databasePoolSize: 1 }, Date.now())
  const { bots, curatedAnswers, documents, documentVectors, indexSnapshots, workspaces } = storage
  const language = languageOf(name)
  const workspace = {
    id: 'ws_eval',
    name,
    plan: 'enterprise' as const,
    dailyLimit: null,
    totalDailyLimit: null,
    createdAt: Date.now(),
  }
  const bot = {
    workspaceId: workspace.id,
    id: BOT_ID,
    name,
    language,
    siteUrl: null,
    fallbackMessage: null,
    translations: [],
    tone: 'formal' as const,
    answerThreshold: null,
    suggestThreshold: null,
    languageModel: null,
    widget: defaultWidgetRecord,
    currency: null,
    sourcePages: false,
    retentionDays: 90,
    knowledgeVersion: 0,
    curatedVersion: 0,
    actionsVersion: 0,
    reportsEvents: false,
    productVersion: 0,
    productReadyVersion: 0,
    createdAt: Date.now(),
  }
  await workspaces.insert(workspace)
  await bots.insert(bot)

  const embedDocuments = makeEmbedDocuments({
    documents,
    documentVectors,
    embedder,
    model: embedder.model,
    clock: Date.now,
    onError: throwOn,
  })
  const memory = openIndexMemory(4 * 1024 ** 3)
  const curatedIndexes = openCuratedIndexes({ curatedAnswers, embedder, model: embedder.model, memory })
  const importDocuments = makeImportDocuments({
    documents,
    checkDocument: () => null,
    splitDocument: async (_, content) => splitDocument(content),
    cacheVectors: embedDocuments.cacheVectors,
    onImported: () => {},
    clock: () => IMPORTED_AT,
  })

  const isCurated = corpus.some(({ examples }) => examples)
  if (isCurated) {
    for (const { _id, title, examples = [] } of corpus) {
      const [question = title, ...alternatives] = examples
      const times = { createdAt: Date.now(), updatedAt: Date.now() }
      await curatedAnswers.put(BOT_ID, {
        id: _id,
        question,
        alternatives,
        answer: title,
        url: null,
        vectors: null,
        ...times,
      })
    }
    await curatedIndexes.embed(BOT_ID)
  } else {
    await importDocuments(
      bot,
      corpus.map(({ _id, title, text, markdown, language: entryLanguage }) => ({
        id: _id,
        title: title || ' ',
        ...(markdown === undefined ? { text } : { markdown }),
        language: entryLanguage ?? language,
      })),
    )
    embedDocuments.enqueue(BOT_ID)
    while (embedder.model && (await documentVectors.listMissing(BOT_ID, embedder.model, 1)).length > 0) {
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  const indexes = openPassageIndexes({
    documents,
    snapshots: indexSnapshots,
    model: embedder.model,
    memory,
    onError: throwOn,
  })
  const contentKnowledgeOf = makeContentKnowledgeOf({
    indexes,
    curatedIndexes,
    documents,
    curatedAnswers,
    ...readVocabularyWords(),
    embedder,
    widgetBaseUrl: 'https://docent.example',
    nameSection: makeNameSection('evaluation'),
    reader,
    modelBudgetMs: Number.POSITIVE_INFINITY,
  })
  const productAnswersOf = await openEvalCatalogue()
  const fresh = (await bots.find(workspace.id, BOT_ID)) ?? bot

  async function openEvalCatalogue() {
    const { products, productSnapshots } = storage
    const lane = openBackgroundLane()
    const productIndexes = openProductIndexes({
      products,
      snapshots: openProductSnapshots(productSnapshots),
      memory,
      nextSlice: lane.nextSlice,
      onError: throwOn,
    })
    const syncProducts = makeSyncProducts({
      ...storage,
      stagingFolder: join(dataDir, 'staging'),
      lane,
      clock: () => IMPORTED_AT,
      onProductsChanged: productIndexes.catchUp,
    })
    async function* entries(): AsyncGenerator<SyncEntry[]> {
      yield catalogue.map((value) => ({ kind: 'item', value }))
    }
    if (catalogue.length > 0) await syncProducts(bot, { entries: entries(), options: () => ({}) })
    return openProductAnswers(productIndexes, products, embedder)
  }

  const voice: BotVoice = {
    name,
    language,
    tone: 'formal',
    siteUrl: 'https://eval.example',
    fallbackMessage: () => null,
    thresholds: defaultThresholds,
  }

  return {
    language,
    voice,
    isCurated,
    knowledge: async () => {
      const content = await contentKnowledgeOf(fresh)
      return { ...content, openProducts: productAnswersOf(fresh, content) }
    },
    async close() {
      await embedDocuments.close()
      await indexes.close()
      await storage.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
