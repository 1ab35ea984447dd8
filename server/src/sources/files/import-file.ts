// Imports an uploaded file: its text becomes a document, and the file is kept for download.
import { createHash } from 'node:crypto'
import type { UploadReport } from '@docent/contract'
import type { BotRecord } from '../../storage/bots.ts'
import type { DocumentsTable } from '../../storage/documents.ts'
import type { FileRecord, FilesTable } from '../../storage/files.ts'
import type { ImportDocuments } from '../documents/documents.ts'
import { LONGEST_TEXT, UnreadableFile } from '../extraction/parse-limits.ts'
import type { Export, ExportProblem } from './read-export.ts'
import type { FileText } from './read-file.ts'
import type { StagedFile } from './stage-file.ts'

// Increase it when file parsing improves: uploading the same file again then parses it again.
const READER_VERSION = 2

interface UploadedFile {
  name: string
  content: StagedFile
  url?: string | undefined
  title?: string | undefined
  language?: string | undefined
}

interface Deps {
  files: Pick<FilesTable, 'findByName' | 'put' | 'listDocumentIds'>
  documents: Pick<DocumentsTable, 'exists' | 'remove'>
  /** Runs in a thread; fails with an UnreadableFile. */
  readFile: (workspaceId: string, name: string, content: StagedFile) => Promise<FileText>
  importDocuments: ImportDocuments
  clock: () => number
}

interface ImportedFile {
  file: FileRecord
  outcome: 'created' | 'updated' | 'unchanged'
  /** Skipped parts of an export. */
  problems: ExportProblem[]
}

type ImportFile = (bot: BotRecord, upload: UploadedFile) => Promise<ImportedFile>

export function makeImportFile({ files, documents, readFile, importDocuments, clock }: Deps): ImportFile {
  return async (bot, upload) => {
    const { name, content, url, title, language } = upload
    const hash = createHash('sha256')
      .update(JSON.stringify([url, title, language, READER_VERSION, content.sha256]))
      .digest('hex')
    const old = await files.findByName(bot.id, name)
    // Its document may have been deleted separately.
    if (old?.hash === hash && (await isThere(old))) return { file: old, outcome: 'unchanged', problems: [] }
    const parsedFile = await readFile(bot.workspaceId, name, content)
    if (parsedFile.content.length > LONGEST_TEXT)
      throw new UnreadableFile(
        `This file has more than ${LONGEST_TEXT} characters of text. Split it into smaller files.`,
      )

    const now = clock()
    const file: FileRecord = {
      botId: bot.id,
      id: fileIdOf(bot.id, name),
      name,
      kind: parsedFile.kind,
      sizeBytes: content.sizeBytes,
      hash,
      title: (title || parsedFile.title || name).slice(0, 500),
      url: url ?? null,
      createdAt: now,
      updatedAt: now,
    }
    const outcome = old ? 'updated' : 'created'
    if (parsedFile.export) {
      const origin = { fileId: file.id, url, language }
      const problems = await importPages({ files, documents, importDocuments }, bot, parsedFile.export, origin)
      return { file: await files.put(file, await content.read()), outcome, problems }
    }
    const document = {
      id: documentIdOfFile(file.id),
      title: file.title,
      url: file.url,
      [parsedFile.format]: parsedFile.content,
      ...(language ? { language } : {}),
    }
    // The text first: otherwise a crash in between would make the next upload count as unchanged.
    const report = await importDocuments(bot, [document])
    if (report.errors[0]) throw new UnreadableFile(report.errors[0].message)
    return { file: await files.put(file, await content.read()), outcome, problems: [] }
  }

  async function isThere({ botId, id, kind }: FileRecord): Promise<boolean> {
    if (!isExport(kind)) return documents.exists(botId, documentIdOfFile(id))
    return (await files.listDocumentIds(botId, id)).length > 0
  }
}

/** Derived from the name, so that concurrent uploads of one file are one file. */
function fileIdOf(botId: string, name: string): string {
  return `fil_${createHash('sha256').update(`${botId}\n${name}`).digest('hex').slice(0, 26)}`
}

/** Whether each of its pages becomes a document. */
export function isExport(kind: string): boolean {
  return ['notion', 'confluence', 'zendesk'].includes(kind)
}

export function documentIdOfFile(fileId: string): string {
  return `file-${fileId}`
}

// Imports the pages of an export as documents. They belong to its file: pages missing from a later upload are
// removed, and deleting the file deletes them all.
interface PagesDeps {
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
async function importPages(
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
  const pageProblems = report.errors.map(({ index, message }) => ({ name: pages[index]?.title ?? '', message }))
  if (report.failed === pages.length) throw new UnreadableFile(pageProblems[0]?.message ?? 'No page could be read.')
  const there = new Set(pages.map(({ id }) => id))
  for (const id of await files.listDocumentIds(bot.id, fileId))
    if (!there.has(id)) await documents.remove(bot.id, id, fileId)
  return [...problems, ...pageProblems]
}

// Imports the files of one upload, one by one, and reports on them.
export interface UploadPart {
  name: string
  content: StagedFile
  /** Form fields before the file. */
  fields: Record<string, string>
  isTooLarge: boolean
}

export interface UploadDeps {
  importFile: ImportFile
  /** Why a URL may not be shown as a source, or null. */
  checkUrl: (url: unknown) => string | null
  /** The size limit per file. */
  fileBytes: number
}

/** `forEachPart` calls its argument for each complete file. */
export async function importUpload(
  { importFile, checkUrl, fileBytes }: UploadDeps,
  bot: BotRecord,
  forEachPart: (take: (part: UploadPart) => Promise<void>) => Promise<void>,
) {
  const files: FileRecord[] = []
  const counts = { created: 0, updated: 0, unchanged: 0 }
  const errors: UploadReport['errors'] = []
  let index = -1

  async function take({ name, content, fields, isTooLarge }: UploadPart) {
    index++
    const { url, title, language } = fields
    const problem = isTooLarge
      ? `The file is larger than ${Math.floor(fileBytes / 1024 ** 2)} MB.`
      : url && checkUrl(url)
    if (problem) throw new UnreadableFile(problem)
    const { file, outcome, problems } = await importFile(bot, { name, content, url, title, language })
    counts[outcome]++
    files.push(file)
    for (const problem of problems) errors.push({ index, name: `${name}: ${problem.name}`, message: problem.message })
  }

  await forEachPart((part) =>
    take(part).catch((error: unknown) => {
      if (!(error instanceof UnreadableFile)) throw error
      errors.push({ index, name: part.name, message: error.message })
    }),
  )
  return { ...counts, failed: errors.length, errors, files }
}
