// Splits documents without blocking the event loop: long ones in a thread.
import type { StoredPassage } from '../../storage/documents.ts'
import type { Extractor } from '../extraction/extractor.ts'
import { type Content, splitDocument } from './split-document.ts'

// At most 25 ms, usually 6. Starting a thread would take longer.
const IN_PLACE_CHARACTERS = 20_000

/** Uses the workspace's share of the threads. Fails with Unreadable or ExtractorFull. */
export type SplitDocument = (workspaceId: string, content: Content) => Promise<StoredPassage[]>

export function createSplitDocument({ document }: Pick<Extractor, 'document'>): SplitDocument {
  return async (workspaceId, { format, content, title, language }) => {
    const only = { format, content, title, language }
    return content.length <= IN_PLACE_CHARACTERS ? splitDocument(only) : document(workspaceId, only)
  }
}
