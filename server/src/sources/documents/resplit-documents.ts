// After an upgrade, splits documents of an earlier parser version again, in the background. Most passages stay the
// same and keep their vectors.
import { setTimeout as pause } from 'node:timers/promises'
import type { DocumentsTable, OutdatedDocument } from '../../storage/documents.ts'
import { ExtractorFull } from '../extraction/extractor.ts'
import { Unreadable } from '../extraction/parse-thread.ts'
import { PARSER_VERSION } from './split-document.ts'
import type { SplitDocument } from './split-in-thread.ts'

const DOCUMENTS_AT_ONCE = 20
const PAUSE_MS = 20
const FULL_PAUSE_MS = 1000

interface Deps {
  documents: Pick<DocumentsTable, 'listOutdated' | 'listPassages' | 'markParsed' | 'storeSplit'>
  splitDocument: SplitDocument
  cacheVectors: (botId: string, documentIds: string[]) => Promise<void>
  /** Called when passages have changed. */
  onChanged: (botId: string) => void
}

export function createResplitDocuments({ documents, splitDocument, cacheVectors, onChanged }: Deps) {
  let closed = false
  let running: Promise<void> | null = null

  async function run() {
    while (!closed) {
      const outdated = await documents.listOutdated(PARSER_VERSION, DOCUMENTS_AT_ONCE)
      if (outdated.length === 0) return
      for (const document of outdated) {
        if (closed) return
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
    if (content(before) === content(passages)) return documents.markParsed(botId, id, PARSER_VERSION)
    await cacheVectors(botId, [id])
    await documents.storeSplit(document, passages, PARSER_VERSION)
    onChanged(botId)
  }

  return {
    start: (onError: (error: unknown) => void) => {
      running ??= run().catch((error) => {
        // Closing ends the parser threads first, so errors are expected then.
        if (!closed) onError(error)
      })
    },
    async close() {
      closed = true
      await running
    },
  }
}
