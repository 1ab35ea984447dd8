// Imports the pages of an export as documents. They belong to its file: pages missing from a later upload are
// removed, and deleting the file deletes them all.
import type { BotRecord } from '../../storage/bots.ts'
import type { DocumentsTable } from '../../storage/documents.ts'
import type { FilesTable } from '../../storage/files.ts'
import type { ImportDocuments } from '../documents/import-documents.ts'
import type { ExportProblem } from '../exports/export-page.ts'
import type { Export } from '../exports/read-export.ts'
import { UnreadableFile } from './unreadable-file.ts'

export interface PagesDeps {
  files: Pick<FilesTable, 'listDocumentIds'>
  documents: Pick<DocumentsTable, 'remove'>
  importDocuments: ImportDocuments
}

interface Origin {
  fileId: string
  /** For pages without their own. */
  url: string | undefined
  language: string | undefined
}

/** Returns what was skipped. */
export async function importPages(
  { files, documents, importDocuments }: PagesDeps,
  bot: BotRecord,
  { pages, problems }: Export,
  { fileId, url, language }: Origin,
): Promise<ExportProblem[]> {
  const items = pages.map((page) => ({
    id: page.id,
    title: page.title,
    url: page.url ?? url ?? null,
    [page.format]: page.content,
    ...(language ? { language } : {}),
  }))
  const report = await importDocuments(bot, items, fileId)
  const refused = report.errors.map(({ index, message }) => ({ name: pages[index]?.title ?? '', message }))
  if (report.failed === pages.length) throw new UnreadableFile(refused[0]?.message ?? 'No page could be read.')
  const there = new Set(pages.map(({ id }) => id))
  for (const id of await files.listDocumentIds(bot.id, fileId))
    if (!there.has(id)) await documents.remove(bot.id, id, fileId)
  return [...problems, ...refused]
}
