// The index of each bot's curated answers, or of its actions, rebuilt when they change. Vectors of their phrasings are
// computed in the background and stored.

import type { Embedder } from '../../inference/types.ts'
import type { CuratedAnswerRecord } from '../../storage/curated-answers.ts'
import { type IndexMemory, openIndexCache } from '../cache/index-cache.ts'
import { runInThread } from '../run-in-thread.ts'
import { modelText } from '../vectors/embedding.ts'
import { decodeVectors, encodeVectors } from '../vectors/quantise.ts'
import { buildCuratedIndex, type CuratedAnswer, type CuratedIndex, curatedIndexBytes } from './curated-index.ts'

const ANSWERS_AT_ONCE = 100
// Up to this many phrasings, building does not noticeably block the event loop.
const BUILT_IN_PLACE = 60

export interface CuratedIndexes {
  /** Undefined when the bot has no curated answers. */
  get(botId: string, language: string, version: number): Promise<CuratedIndex | undefined>
  /** Makes sure that the phrasings get vectors. */
  embed(botId: string): Promise<void>
}

interface CachedIndex {
  version: number
  language: string
  index: CuratedIndex | undefined
}

type Phrasings = Pick<CuratedAnswerRecord, 'id' | 'question' | 'alternatives' | 'updatedAt' | 'vectors'>

/** Where the phrasings are stored. */
interface PhrasingsTable {
  list(botId: string, after: string, limit: number): Promise<Phrasings[]>
  storeVectors(botId: string, id: string, updatedAt: number, model: string, vectors: Uint8Array): Promise<void>
  incrementVersion(botId: string): Promise<void>
}

interface Deps {
  kind?: 'curated' | 'actions'
  curatedAnswers: PhrasingsTable
  embedder: Embedder
  /** Vectors of other models are ignored. */
  model: string | null
  memory: Pick<IndexMemory, 'recordUse' | 'onRelease'>
}

export function openCuratedIndexes({
  kind = 'curated',
  curatedAnswers,
  embedder,
  model,
  memory,
}: Deps): CuratedIndexes {
  /** Bots whose phrasings are being embedded, and whether they changed since. */
  const embedding = new Map<string, boolean>()
  const cache = openIndexCache<CachedIndex>({
    kind,
    memory,
    bytesOf: ({ index }) => (index ? curatedIndexBytes(index) : 0),
  })

  async function build(botId: string, language: string): Promise<CuratedIndex | undefined> {
    const answers = await all(botId)
    if (answers.length === 0) return undefined
    const entries = answers.map(({ id, question, alternatives, vectors }): CuratedAnswer => {
      const storedVectors = vectors && vectors.model === model ? decodeVectors(vectors.data) : []
      return { id, question, alternatives, language, ...(storedVectors.length > 0 ? { vectors: storedVectors } : {}) }
    })
    const phrasings = entries.reduce((sum, { alternatives }) => sum + 1 + alternatives.length, 0)
    if (phrasings <= BUILT_IN_PLACE) return buildCuratedIndex(entries)
    return runInThread(new URL('./build-curated-worker.ts', import.meta.url), {
      items: entries,
      receive: (index: CuratedIndex) => index,
      runDirectly: () => buildCuratedIndex(entries),
    })
  }

  async function all(botId: string): Promise<Phrasings[]> {
    const answers: Phrasings[] = []
    for (;;) {
      const some = await curatedAnswers.list(botId, answers.at(-1)?.id ?? '', ANSWERS_AT_ONCE)
      answers.push(...some)
      if (some.length < ANSWERS_AT_ONCE) return answers
    }
  }

  return {
    async get(botId, language, version) {
      // A bot that never had any needs no query.
      if (version === 0) return undefined
      // A request that started earlier may have an older version.
      const isCurrent = (entry: CachedIndex) => entry.version >= version && entry.language === language
      const catchUp = async () => ({ version, language, index: await build(botId, language) })
      return (await cache.upToDate(botId, isCurrent, catchUp)).index
    },

    async embed(botId) {
      // One run per bot: changes made meanwhile cause one more.
      if (embedding.has(botId)) {
        embedding.set(botId, true)
        return
      }
      embedding.set(botId, false)
      try {
        await embedMissing(botId)
      } finally {
        const again = embedding.get(botId)
        embedding.delete(botId)
        if (again) await this.embed(botId)
      }
    },
  }

  async function embedMissing(botId: string) {
    if (!embedder.model || !model) return
    const answersWithoutVectors = (await all(botId)).filter(({ vectors }) => vectors?.model !== model)
    for (const { id, question, alternatives, updatedAt } of answersWithoutVectors) {
      const vectors = await embedder.embed([question, ...alternatives].map(modelText), { urgent: false })
      const complete = vectors.filter((vector) => vector !== undefined)
      if (complete.length < vectors.length) return
      const data = encodeVectors(complete)
      await curatedAnswers.storeVectors(botId, id, updatedAt, model, data)
    }
    if (answersWithoutVectors.length > 0) await curatedAnswers.incrementVersion(botId)
  }
}
