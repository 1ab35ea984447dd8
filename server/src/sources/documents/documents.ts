// Imports documents: validates each, splits it into passages, and stores those that changed. One invalid item never
// fails the rest, and imported documents are searchable when this returns.
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type DocumentInput, Fault, type ImportReport } from '@docent/contract'
import { detectLanguage } from '../../language/detect-language.ts'
import type {
  DocumentFormat,
  DocumentsTable,
  DocumentToStore,
  OutdatedDocument,
  StoredPassage,
} from '../../storage/documents.ts'
import { type Extractor, ExtractorFull } from '../extraction/extractor.ts'
import { Unreadable } from '../extraction/parse-thread.ts'
import { type Content, PARSER_VERSION, splitDocument } from './split-document.ts'

// Small enough that other requests run in between.
const BATCH = 50
const BATCH_CHARACTERS = 1_000_000
const LONGEST_SLICE_MS = 20
// A JSON body is parsed as a whole; larger imports use NDJSON.
const MAX_ITEMS = 100_000
const ERRORS_TOLD = 100
const DETECTED_CHARACTERS = 2000

interface ImportDeps {
  documents: Pick<DocumentsTable, 'hashes' | 'store'>
  /** What is wrong with an item, or null. */
  checkDocument: (item: unknown) => string | null
  splitDocument: SplitDocument
  /** Keeps vectors of documents about to be replaced. */
  cacheVectors: (botId: string, documentIds: string[]) => Promise<void>
  /** Called when something was imported. */
  onImported: (botId: string) => void
  clock: () => number
}

export type ImportDocuments = (
  bot: { id: string; workspaceId: string; language: string },
  items: Iterable<unknown> | AsyncIterable<unknown>,
  /** The crawl that imports them. */
  crawlId?: string,
) => Promise<ImportReport>

export function makeImportDocuments(deps: ImportDeps): ImportDocuments {
  const { documents, checkDocument, splitDocument, cacheVectors, onImported, clock } = deps
  return async (bot, items, crawlId) => {
    const report: ImportReport = { created: 0, updated: 0, unchanged: 0, failed: 0, errors: [] }
    let batch = new Map<string, DocumentToStore>()
    let batchCharacters = 0
    let index = -1
    let sliceStart = performance.now()
    if (Array.isArray(items) && items.length > MAX_ITEMS) throw tooManyItems()

    async function storeBatch() {
      const knownHashes = await documents.hashes(bot.id, [...batch.keys()])
      const changedDocuments = [...batch.values()].filter((document) => knownHashes.get(document.id) !== document.hash)
      if (changedDocuments.length > 0) {
        await cacheVectors(
          bot.id,
          changedDocuments.flatMap(({ id }) => (knownHashes.has(id) ? [id] : [])),
        )
        await documents.store(bot.id, changedDocuments)
        onImported(bot.id)
      }
      report.unchanged += batch.size - changedDocuments.length
      for (const { id } of changedDocuments) knownHashes.has(id) ? report.updated++ : report.created++
      batch = new Map()
      batchCharacters = 0
    }

    for await (const item of items) {
      index++
      if (performance.now() - sliceStart > LONGEST_SLICE_MS) {
        await new Promise(setImmediate)
        sliceStart = performance.now()
      }
      const mistake =
        item instanceof Fault ? item.message : (checkDocument(item) ?? checkContent(item as DocumentInput))
      const document = mistake ?? (await prepare(item as DocumentInput).catch(messageOfUnreadable))
      if (typeof document === 'string') {
        report.failed++
        const id = (item as { id?: unknown } | null)?.id
        const error = { index, id: typeof id === 'string' ? id : null, code: 'invalid_document', message: document }
        if (report.errors.length < ERRORS_TOLD) report.errors.push(error)
        continue
      }
      if (batch.has(document.id)) await storeBatch()
      batch.set(document.id, document)
      batchCharacters += document.content.length
      if (batch.size >= BATCH || batchCharacters >= BATCH_CHARACTERS) await storeBatch()
    }
    if (batch.size > 0) await storeBatch()
    return report

    async function prepare(item: DocumentInput): Promise<DocumentToStore> {
      const parsedItem = await readItem(item, bot.language, crawlId ?? null)
      const passages = await splitDocument(bot.workspaceId, parsedItem)
      const now = clock()
      const parseResult = { passages, parserVersion: PARSER_VERSION, passageCount: passages.length }
      return { ...parsedItem, ...parseResult, createdAt: now, updatedAt: now }
    }
  }
}

function messageOfUnreadable(error: unknown): string {
  if (error instanceof Unreadable) return error.message
  throw error
}

function tooManyItems(): Fault {
  const message = `Use at most ${MAX_ITEMS} items. For more, send newline-delimited JSON.`
  return new Fault('validation_failed', { details: [{ path: 'documents', message }] })
}

function checkContent(item: DocumentInput): string | null {
  const contents = [item.text, item.markdown, item.html].filter((content) => content !== undefined)
  return contents.length === 1 ? null : 'give exactly one of text, markdown, html'
}

async function readItem(item: DocumentInput, botLanguage: string, crawlId: string | null) {
  const format: DocumentFormat = item.html !== undefined ? 'html' : item.markdown !== undefined ? 'markdown' : 'text'
  const content = item[format] ?? ''
  const language =
    item.language ?? (await detectLanguage(`${item.title}\n${content.slice(0, DETECTED_CHARACTERS)}`, botLanguage))
  const title = item.title.trim()
  const url = item.url ?? null
  // The hash includes the crawl: a crawl that finds a page takes it over.
  const hash = sha256(JSON.stringify([title, url, language, format, content, ...(crawlId ? [crawlId] : [])]))
  return { id: item.id ?? documentIdOf(url ?? title), title, url, language, format, crawlId, content, hash }
}

/** The id of a document without one. */
export function documentIdOf(urlOrTitle: string): string {
  return `doc_${sha256(urlOrTitle).slice(0, 26)}`
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

// After an upgrade, splits documents of an earlier parser version again, in the background. Most passages stay the
// same and keep their vectors.
const DOCUMENTS_AT_ONCE = 20
const PAUSE_MS = 20
const FULL_PAUSE_MS = 1000

interface ResplitDeps {
  documents: Pick<DocumentsTable, 'listOutdated' | 'listPassages' | 'markParsed' | 'storeSplit'>
  splitDocument: SplitDocument
  cacheVectors: (botId: string, documentIds: string[]) => Promise<void>
  /** Called when passages have changed. */
  onChanged: (botId: string) => void
}

export function makeResplitDocuments({ documents, splitDocument, cacheVectors, onChanged }: ResplitDeps) {
  let isClosed = false
  let running: Promise<void> | null = null

  async function run() {
    while (!isClosed) {
      const outdatedDocuments = await documents.listOutdated(PARSER_VERSION, DOCUMENTS_AT_ONCE)
      if (outdatedDocuments.length === 0) return
      for (const document of outdatedDocuments) {
        if (isClosed) return
        await resplit(document).catch((error) => passOver(document, error))
        await pause(PAUSE_MS)
      }
    }
  }

  /** Documents that cannot be split again stay unchanged. When the parser is busy, they are retried later. */
  async function passOver({ botId, id }: OutdatedDocument, error: unknown) {
    if (error instanceof ExtractorFull) return pause(FULL_PAUSE_MS)
    if (!(error instanceof Unreadable)) throw error
    await documents.markParsed(botId, id, PARSER_VERSION)
  }

  async function resplit(document: OutdatedDocument) {
    const { botId, id } = document
    // Its own queue share, so that an upgrade delays no workspace.
    const passages = await splitDocument('upgrade', document)
    const before = await documents.listPassages(botId, id)
    const content = (list: typeof passages) =>
      JSON.stringify(list.map(({ headings, anchor, text }) => [headings, anchor, text]))
    const onPage = before.map(({ pageText, ...passage }) => ({ ...passage, text: pageText }))
    if (content(onPage) === content(passages)) return documents.markParsed(botId, id, PARSER_VERSION)
    await cacheVectors(botId, [id])
    await documents.storeSplit(document, passages, PARSER_VERSION)
    onChanged(botId)
  }

  return {
    start: (onError: (error: unknown) => void) => {
      running ??= run().catch((error) => {
        // Closing ends the parser threads first, so errors are expected then.
        if (!isClosed) onError(error)
      })
    },
    async close() {
      isClosed = true
      await running
    },
  }
}

// Splits documents without blocking the event loop: long ones in a thread.

// At most 25 ms, usually 6. Starting a thread would take longer.
const IN_PLACE_CHARACTERS = 20_000

/** Uses the workspace's share of the threads. Fails with Unreadable or ExtractorFull. */
type SplitDocument = (workspaceId: string, content: Content) => Promise<StoredPassage[]>

export function makeSplitDocument({ document }: Pick<Extractor, 'document'>): SplitDocument {
  return async (workspaceId, { format, content, title, language }) => {
    const only = { format, content, title, language }
    return content.length <= IN_PLACE_CHARACTERS ? splitDocument(only) : document(workspaceId, only)
  }
}
