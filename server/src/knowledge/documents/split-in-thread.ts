// Splits documents into passages without holding up the event loop: long ones in a thread.
import type { StoredPassage } from '../../storage/documents/document-rows.ts'
import type { Extractor } from '../extract/extractor.ts'
import { type Content, splitDocument } from './split-document.ts'

// At most 25 ms of work, mostly 6. Starting a thread for less would take longer.
const IN_PLACE_CHARACTERS = 20_000

/** The workspace is whose share of the threads is used. Fails with Unreadable or ExtractorFull. */
export type SplitDocument = (workspaceId: string, content: Content) => Promise<StoredPassage[]>

export function createSplitDocument({ document }: Pick<Extractor, 'document'>): SplitDocument {
  return async (workspaceId, { format, content, title, language }) => {
    const only = { format, content, title, language }
    return content.length <= IN_PLACE_CHARACTERS ? splitDocument(only) : document(workspaceId, only)
  }
}
