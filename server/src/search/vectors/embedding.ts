// Computes vectors of documents in the background; until then keyword search finds them.
import type { Embedder } from '../../inference/types.ts'
import type { DocumentsTable, PassageRecord } from '../../storage/documents.ts'
import type { DocumentVectorsTable } from '../../storage/vectors.ts'
import { decodeVectors, encodeVectors } from './quantise.ts'

const DOCUMENTS_AT_ONCE = 32
// Every write makes all indexes catch up, so results are batched.
const GATHER_MS = 5000
// Enough to fill a provider's batch, few enough to stop quickly.
const PASSAGES_AT_ONCE = 32
// Vectors of documents being replaced, since most of their passages stay the same.
const MAX_KEPT = 10_000

interface EmbedDocuments {
  /** Makes sure that the bot's documents get vectors. */
  enqueue(botId: string): void
  /** Keeps vectors of documents about to be replaced, for their unchanged passages. */
  cacheVectors(botId: string, documentIds: string[]): Promise<void>
  /** Bots with documents waiting for vectors: since when, and the last document done. */
  unfinished(): { botId: string; since: number; after: string }[]
  close(): Promise<void>
}

interface Deps {
  documents: Pick<DocumentsTable, 'listPassages'>
  documentVectors: DocumentVectorsTable
  embedder: Embedder
  /** The model whose vectors are stored, known before it has started. */
  model: string | null
  clock: () => number
  onError: (error: unknown) => void
}

export function makeEmbedDocuments(deps: Deps): EmbedDocuments {
  const { documents, documentVectors, embedder, clock, onError } = deps
  const waiting = new Set<string>()
  // A bot stays here while the model is unavailable.
  const unfinishedBots = new Map<string, { since: number; after: string }>()
  // Where a bot goes on that has made way for others.
  const cursors = new Map<string, string>()
  const cachedVectors = new Map<string, Float32Array>()
  let running: Promise<void> | null = null
  let isClosed = false

  async function work() {
    for (const botId of waiting) {
      waiting.delete(botId)
      await embedBot(botId).catch(onError)
    }
    cachedVectors.clear()
    running = null
  }

  async function embedBot(botId: string) {
    const { model } = embedder
    let after = cursors.get(botId) ?? ''
    cursors.delete(botId)
    let batch: Parameters<DocumentVectorsTable['store']>[2] = []
    while (model && !isClosed) {
      const missingDocuments = await documentVectors.listMissing(botId, model, DOCUMENTS_AT_ONCE, after)
      if (missingDocuments.length === 0) {
        if (!waiting.has(botId)) unfinishedBots.delete(botId)
        return
      }
      const until = clock() + GATHER_MS
      for (const { id, hash, version } of missingDocuments) {
        after = id
        const vectors = await vectorsOf(await documents.listPassages(botId, id))
        if (isClosed) return
        // A document that the model fails on must not block the others; the next run retries it.
        if (vectors) batch.push({ id, hash, version, vectors: encodeVectors(vectors) })
        if (clock() > until) break
      }
      const entry = unfinishedBots.get(botId)
      if (entry) entry.after = after
      if (batch.length > 0) await documentVectors.store(botId, model, batch)
      batch = []
      // A new bot does not wait until a large one has all of its vectors.
      const isEnqueued = waiting.delete(botId)
      if (waiting.size > 0) {
        if (!isEnqueued) cursors.set(botId, after)
        waiting.add(botId)
        return
      }
      if (isEnqueued) waiting.add(botId)
    }
  }

  /** Null when the embedder became unavailable. */
  async function vectorsOf(passages: PassageRecord[]): Promise<Float32Array[] | null> {
    const vectorList: Float32Array[] = []
    for (let from = 0; from < passages.length; from += PASSAGES_AT_ONCE) {
      if (isClosed) return null
      const some = passages.slice(from, from + PASSAGES_AT_ONCE)
      const texts = some.map(modelTextOf)
      const fresh = texts.filter((text) => !cachedVectors.has(text))
      const freshVectors = fresh.length > 0 ? await embedder.embed(fresh, { urgent: false }) : []
      const vectors = texts.map((text) => cachedVectors.get(text) ?? freshVectors[fresh.indexOf(text)])
      for (const vector of vectors) {
        if (!vector) return null
        vectorList.push(vector)
      }
    }
    return vectorList
  }

  return {
    enqueue(botId) {
      if (isClosed) return
      waiting.add(botId)
      cursors.delete(botId)
      if (deps.model) unfinishedBots.set(botId, { since: unfinishedBots.get(botId)?.since ?? clock(), after: '' })
      running ??= work()
    },
    async cacheVectors(botId, documentIds) {
      for (const id of documentIds) {
        if (!deps.model || cachedVectors.size >= MAX_KEPT) return
        const storedVectors = await documentVectors.find(botId, id, deps.model)
        const passages = storedVectors ? await documents.listPassages(botId, id) : []
        const vectors = storedVectors ? decodeVectors(storedVectors) : []
        for (const [number, passage] of passages.entries()) {
          const vector = vectors[number]
          if (vector) cachedVectors.set(modelTextOf(passage), vector)
        }
      }
    },
    unfinished: () => [...unfinishedBots].map(([botId, entry]) => ({ botId, ...entry })),
    async close() {
      isClosed = true
      await running
    },
  }
}

function modelTextOf({ title, headings, text, questions }: PassageRecord): string {
  return passageModelText(title, headings, text, questions)
}

// Embeds many questions for insights, at the lowest priority.
const BUDGET_MS = 4000
const KEPT = 3000

interface AskedQuestion {
  text: string
  language: string
}

export function makeEmbedQuestions(embedder: Embedder) {
  const vectorByText = new Map<string, Float32Array>()

  let embedding: Promise<void> = Promise.resolve()

  async function embed(texts: string[]) {
    const missingTexts = texts.filter((text) => !vectorByText.has(text))
    const vectors = missingTexts.length > 0 ? await embedder.embed(missingTexts, { urgent: false }) : []
    if (vectorByText.size + missingTexts.length > KEPT) vectorByText.clear()
    for (const [index, text] of missingTexts.entries()) {
      const vector = vectors[index]
      if (vector) vectorByText.set(text, vector)
    }
  }

  /** Undefined if not ready yet; a late vector is available the next time. */
  return async (questions: AskedQuestion[], budgetMs = BUDGET_MS): Promise<(Float32Array | undefined)[]> => {
    if (embedder.state.kind === 'absent') return questions.map(() => undefined)
    const texts = questions.map(({ text }) => modelText(text))
    const uniqueTexts = [...new Set(texts)]
    // One batch at a time: repeated requests wait for the vectors already being computed.
    embedding = embedding.then(() => embed(uniqueTexts)).catch(() => {})
    let timer: NodeJS.Timeout | undefined
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, budgetMs)
    })
    await Promise.race([embedding, late])
    clearTimeout(timer)
    return texts.map((text) => vectorByText.get(text))
  }
}

// Prepares text for the sentence model, which was trained on prose: attribute names and JSON syntax are noise to it.
const IDENTIFIER_JOIN = /(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}])/gu
const JSON_MARKS = /[{}[\]"]+/g
const SPACES = /\s+/g

export function modelText(text: string): string {
  return text.replace(IDENTIFIER_JOIN, ' ').replace(JSON_MARKS, ' ').replace(SPACES, ' ').trim()
}

/**
 * A passage for the sentence model: its topic first, in case the end is truncated. Includes the questions that it
 * answers: one vector of both finds more than one of each, or their mean (lab/reports/quality-details.md).
 */
export function passageModelText(title: string, headings: string[], text: string, questions: string[] = []): string {
  const names = [...new Set([title, ...headings].map((name) => name.trim()).filter(Boolean))]
  return modelText([names.join(' > '), questions.join(' '), text].filter(Boolean).join('. '))
}
