// Imports documents: validates each, splits it into passages, and stores those that changed. One invalid item never
// fails the rest, and imported documents are searchable when this returns.
import { createHash } from 'node:crypto'
import { type DocumentInput, Fault, type ImportReport } from '@docent/contract'
import { detectLanguage } from '../../language/detect/detect.ts'
import type { DocumentFormat, DocumentsTable, DocumentToStore } from '../../storage/documents.ts'
import { Unreadable } from '../extraction/parse-thread.ts'
import { PARSER_VERSION } from './split-document.ts'
import type { SplitDocument } from './split-in-thread.ts'

// Small enough that other requests run in between.
const BATCH = 50
const BATCH_CHARACTERS = 1_000_000
const LONGEST_TURN_MS = 20
// A JSON body is parsed as a whole; larger imports use NDJSON.
const MAX_ITEMS = 100_000
const ERRORS_TOLD = 100
const DETECTED_CHARACTERS = 2000

interface Deps {
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

export function createImportDocuments(deps: Deps): ImportDocuments {
  const { documents, checkDocument, splitDocument, cacheVectors, onImported, clock } = deps
  return async (bot, items, crawlId) => {
    const report: ImportReport = { created: 0, updated: 0, unchanged: 0, failed: 0, errors: [] }
    let batch = new Map<string, DocumentToStore>()
    let batchCharacters = 0
    let index = -1
    let turnStart = performance.now()
    if (Array.isArray(items) && items.length > MAX_ITEMS) throw tooManyItems()

    async function storeBatch() {
      const known = await documents.hashes(bot.id, [...batch.keys()])
      const changed = [...batch.values()].filter((document) => known.get(document.id) !== document.hash)
      if (changed.length > 0) {
        await cacheVectors(
          bot.id,
          changed.flatMap(({ id }) => (known.has(id) ? [id] : [])),
        )
        await documents.store(bot.id, changed)
        onImported(bot.id)
      }
      report.unchanged += batch.size - changed.length
      for (const { id } of changed) known.has(id) ? report.updated++ : report.created++
      batch = new Map()
      batchCharacters = 0
    }

    for await (const item of items) {
      index++
      if (performance.now() - turnStart > LONGEST_TURN_MS) {
        await new Promise(setImmediate)
        turnStart = performance.now()
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
      const read = await readItem(item, bot.language, crawlId ?? null)
      const passages = await splitDocument(bot.workspaceId, read)
      const now = clock()
      const parsed = { passages, parserVersion: PARSER_VERSION, passageCount: passages.length }
      return { ...read, ...parsed, createdAt: now, updatedAt: now }
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
  const given = [item.text, item.markdown, item.html].filter((content) => content !== undefined)
  return given.length === 1 ? null : 'give exactly one of text, markdown, html'
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
