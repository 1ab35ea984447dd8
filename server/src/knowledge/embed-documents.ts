// Computes vectors in the background, document by document, after they can already be found by their words.
import { sentences } from '../language/sentences.ts'
import type { PassageRecord } from '../storage/document-rows.ts'
import type { DocumentVectorsTable } from '../storage/document-vectors.ts'
import type { DocumentsTable } from '../storage/documents.ts'
import type { PassageVectors } from './index/entry.ts'
import type { Embedder } from './vectors/embedder.ts'
import { modelText, passageModelText } from './vectors/model-text.ts'
import { encodeVectors } from './vectors/vector-codec.ts'

const DOCUMENTS_AT_ONCE = 32
// Each store makes every index catch up, so results are gathered for a while.
const GATHER_MS = 5000
// Enough to fill a provider's batch, few enough to stop soon.
const PASSAGES_AT_ONCE = 8

export interface EmbedDocuments {
  /** Sees to it that the bot's documents get their vectors. */
  enqueue(botId: string): void
  close(): Promise<void>
}

interface Deps {
  documents: Pick<DocumentsTable, 'listPassages'>
  documentVectors: DocumentVectorsTable
  embedder: Embedder
  /** The only one that the model knows; null: it knows all. */
  language: string | null
  clock: () => number
  onError: (error: unknown) => void
}

export function documentEmbedder(deps: Deps): EmbedDocuments {
  const { documents, documentVectors, embedder, language, clock, onError } = deps
  const waiting = new Set<string>()
  let running: Promise<void> | null = null
  let closed = false

  async function work() {
    for (const botId of waiting) {
      waiting.delete(botId)
      await embedBot(botId).catch(onError)
    }
    running = null
  }

  async function embedBot(botId: string) {
    const { model } = embedder
    let after = ''
    let gathered: { id: string; hash: string; vectors: Uint8Array }[] = []
    while (model && !closed) {
      const missing = await documentVectors.listMissing(botId, language, model, DOCUMENTS_AT_ONCE, after)
      if (missing.length === 0) return
      const until = clock() + GATHER_MS
      for (const { id, hash } of missing) {
        after = id
        const vectors = await vectorsOf(await documents.listPassages(botId, id))
        if (closed) return
        // One that the model fails on must not keep the others from theirs; the next run tries it again.
        if (vectors) gathered.push({ id, hash, vectors: encodeVectors(vectors) })
        if (clock() > until) break
      }
      if (gathered.length > 0) await documentVectors.store(botId, model, gathered)
      gathered = []
    }
  }

  /** Null when the embedder went away in the middle. */
  async function vectorsOf(passages: PassageRecord[]): Promise<PassageVectors[] | null> {
    const found: PassageVectors[] = []
    for (let from = 0; from < passages.length; from += PASSAGES_AT_ONCE) {
      if (closed) return null
      const texts = passages.slice(from, from + PASSAGES_AT_ONCE).map(modelTexts)
      const vectors = await embedder.embed(texts.flat(), { urgent: false })
      let next = 0
      for (const { length } of texts) {
        const [passage, ...rest] = vectors.slice(next, next + length).filter((vector) => vector !== undefined)
        if (!passage || rest.length !== length - 1) return null
        found.push({ passage, sentences: rest })
        next += length
      }
    }
    return found
  }

  return {
    enqueue(botId) {
      if (closed) return
      waiting.add(botId)
      running ??= work()
    },
    async close() {
      closed = true
      await running
    },
  }
}

/** The passage as a whole, then its sentences. */
function modelTexts({ title, headings, text, language }: PassageRecord): string[] {
  const parts = sentences(text, language).map(({ start, end }) => modelText(text.slice(start, end)))
  return [passageModelText(title, headings, text), ...parts]
}
