// Opens the sources of a bot's knowledge: documents, files and websites, which become passages.
import type { Context } from '../context.ts'
import { openCrawler } from './crawl/crawler.ts'
import { openContentReview } from './documents/content-review.ts'
import { makeImportDocuments, makeResplitDocuments, makeSplitDocument } from './documents/documents.ts'
import { startExtractor } from './extraction/extractor.ts'
import { UnreadableFile } from './extraction/parse-limits.ts'
import { Unreadable } from './extraction/parse-thread.ts'
import { makeImportFile } from './files/import-file.ts'
import type { StagedFile } from './files/stage-file.ts'

interface Neighbours {
  /** What is wrong with a document, or null. */
  checkDocument: (item: unknown) => string | null
  /** Keeps vectors of documents about to be replaced. */
  cacheVectors: (botId: string, documentIds: string[]) => Promise<void>
  /** Called when passages have changed. */
  onPassagesChanged: (botId: string) => void
}

export type Sources = ReturnType<typeof openSources>

export function openSources(context: Context, { checkDocument, cacheVectors, onPassagesChanged }: Neighbours) {
  const { storage, config, logger, clock, onError } = context
  const { crawlPages, documents, files } = storage
  const extractor = startExtractor(config.parsing)
  const splitDocument = makeSplitDocument(extractor)

  const importDocuments = makeImportDocuments({
    documents,
    checkDocument,
    splitDocument,
    cacheVectors,
    onImported: onPassagesChanged,
    clock,
  })

  const resplitDocuments = makeResplitDocuments({
    documents,
    splitDocument,
    cacheVectors,
    onChanged: onPassagesChanged,
  })
  resplitDocuments.start(onError)

  async function readFile(workspaceId: string, name: string, content: StagedFile) {
    try {
      return await extractor.file(workspaceId, content, name)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      if (error.cause) logger.warn({ workspace: workspaceId, reason: String(error.cause) }, 'a file could not be read')
      throw new UnreadableFile(error.message)
    }
  }

  const crawler = openCrawler(context, { importDocuments, extractor })

  return {
    ...openContentReview({ documents, passages: storage.passages, crawlPages, clock }),
    importDocuments,
    importFile: makeImportFile({ files, documents, readFile, importDocuments, clock }),
    crawler,
    extractor,

    async stop() {
      await crawler.close()
      await extractor.close()
      await resplitDocuments.close()
    },
  }
}
