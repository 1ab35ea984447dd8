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
  const unfinished = new Map<string, { since: number; after: string }>()
  // Where a bot goes on that has made way for others.
  const cursors = new Map<string, string>()
  const kept = new Map<string, Float32Array>()
  let running: Promise<void> | null = null
  let closed = false

  async function work() {
    for (const botId of waiting) {
      waiting.delete(botId)
      await embedBot(botId).catch(onError)
    }
    kept.clear()
    running = null
  }

  async function embedBot(botId: string) {
    const { model } = embedder
    let after = cursors.get(botId) ?? ''
    cursors.delete(botId)
    let gathered: Parameters<DocumentVectorsTable['store']>[2] = []
    while (model && !closed) {
      const missing = await documentVectors.listMissing(botId, model, DOCUMENTS_AT_ONCE, after)
      if (missing.length === 0) {
        if (!waiting.has(botId)) unfinished.delete(botId)
        return
      }
      const until = clock() + GATHER_MS
      for (const { id, hash, version } of missing) {
        after = id
        const vectors = await vectorsOf(await documents.listPassages(botId, id))
        if (closed) return
        // A document that the model fails on must not block the others; the next run retries it.
        if (vectors) gathered.push({ id, hash, version, vectors: encodeVectors(vectors) })
        if (clock() > until) break
      }
      const entry = unfinished.get(botId)
      if (entry) entry.after = after
      if (gathered.length > 0) await documentVectors.store(botId, model, gathered)
      gathered = []
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
    const found: Float32Array[] = []
    for (let from = 0; from < passages.length; from += PASSAGES_AT_ONCE) {
      if (closed) return null
      const some = passages.slice(from, from + PASSAGES_AT_ONCE)
      const texts = some.map(modelTextOf)
      const fresh = texts.filter((text) => !kept.has(text))
      const embedded = fresh.length > 0 ? await embedder.embed(fresh, { urgent: false }) : []
      const vectors = texts.map((text) => kept.get(text) ?? embedded[fresh.indexOf(text)])
      for (const vector of vectors) {
        if (!vector) return null
        found.push(vector)
      }
    }
    return found
  }

  return {
    enqueue(botId) {
      if (closed) return
      waiting.add(botId)
      cursors.delete(botId)
      if (deps.model) unfinished.set(botId, { since: unfinished.get(botId)?.since ?? clock(), after: '' })
      running ??= work()
    },
    async cacheVectors(botId, documentIds) {
      for (const id of documentIds) {
        if (!deps.model || kept.size >= MAX_KEPT) return
        const stored = await documentVectors.find(botId, id, deps.model)
        const passages = stored ? await documents.listPassages(botId, id) : []
        const vectors = stored ? decodeVectors(stored) : []
        for (const [number, passage] of passages.entries()) {
          const vector = vectors[number]
          if (vector) kept.set(modelTextOf(passage), vector)
        }
      }
    },
    unfinished: () => [...unfinished].map(([botId, entry]) => ({ botId, ...entry })),
    async close() {
      closed = true
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
  const known = new Map<string, Float32Array>()

  let embedding: Promise<void> = Promise.resolve()

  async function embed(texts: string[]) {
    const missing = texts.filter((text) => !known.has(text))
    const vectors = missing.length > 0 ? await embedder.embed(missing, { urgent: false }) : []
    if (known.size + missing.length > KEPT) known.clear()
    for (const [index, text] of missing.entries()) {
      const vector = vectors[index]
      if (vector) known.set(text, vector)
    }
  }

  /** Undefined if not ready yet; a late vector is available the next time. */
  return async (questions: AskedQuestion[]): Promise<(Float32Array | undefined)[]> => {
    if (embedder.state.kind === 'absent') return questions.map(() => undefined)
    const texts = questions.map(({ text }) => modelText(text))
    const missing = [...new Set(texts)]
    // One batch at a time: repeated requests wait for the vectors already being computed.
    embedding = embedding.then(() => embed(missing)).catch(() => {})
    let timer: NodeJS.Timeout | undefined
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, BUDGET_MS)
    })
    await Promise.race([embedding, late])
    clearTimeout(timer)
    return texts.map((text) => known.get(text))
  }
}

// Prepares text for the sentence model, which was trained on prose: attribute names and JSON syntax are noise to it.
const identifierJoin = /(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}])/gu
const jsonMarks = /[{}[\]"]+/g
const spaces = /\s+/g

export function modelText(text: string): string {
  return text.replace(identifierJoin, ' ').replace(jsonMarks, ' ').replace(spaces, ' ').trim()
}

/**
 * A passage for the sentence model: its topic first, in case the end is truncated. Includes the questions that it
 * answers: one vector of both finds more than one of each, or their mean (lab/reports/quality-details.md).
 */
export function passageModelText(title: string, headings: string[], text: string, questions: string[] = []): string {
  const names = [...new Set([title, ...headings].map((name) => name.trim()).filter(Boolean))]
  return modelText([names.join(' > '), questions.join(' '), text].filter(Boolean).join('. '))
}
