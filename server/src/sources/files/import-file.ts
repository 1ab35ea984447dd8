// Imports an uploaded file: its text becomes a document, and the file is kept for download.
import { createHash } from 'node:crypto'
import type { BotRecord } from '../../storage/bots.ts'
import type { DocumentsTable } from '../../storage/documents.ts'
import type { FileRecord, FilesTable } from '../../storage/files.ts'
import type { ImportDocuments } from '../documents/import-documents.ts'
import type { ExportProblem } from '../exports/export-page.ts'
import { importPages } from './import-pages.ts'
import { type FileText, LONGEST_TEXT } from './read-file.ts'
import type { StagedFile } from './stage-file.ts'
import { UnreadableFile } from './unreadable-file.ts'

// Increase it when file parsing improves: uploading the same file again then parses it again.
const READER_VERSION = 1

export interface UploadedFile {
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

export interface ImportedFile {
  file: FileRecord
  outcome: 'created' | 'updated' | 'unchanged'
  /** Skipped parts of an export. */
  problems: ExportProblem[]
}

export type ImportFile = (bot: BotRecord, upload: UploadedFile) => Promise<ImportedFile>

export function createImportFile({ files, documents, readFile, importDocuments, clock }: Deps): ImportFile {
  return async (bot, upload) => {
    const { name, content, url, title, language } = upload
    const hash = createHash('sha256')
      .update(JSON.stringify([url, title, language, READER_VERSION, content.sha256]))
      .digest('hex')
    const old = await files.findByName(bot.id, name)
    // Its document may have been deleted separately.
    if (old?.hash === hash && (await isThere(old))) return { file: old, outcome: 'unchanged', problems: [] }
    const read = await readFile(bot.workspaceId, name, content)
    if (read.content.length > LONGEST_TEXT)
      throw new UnreadableFile(
        `This file has more than ${LONGEST_TEXT} characters of text. Split it into smaller files.`,
      )

    const now = clock()
    const file: FileRecord = {
      botId: bot.id,
      id: fileIdOf(bot.id, name),
      name,
      kind: read.kind,
      sizeBytes: content.sizeBytes,
      hash,
      title: (title || read.title || name).slice(0, 500),
      url: url ?? null,
      createdAt: now,
      updatedAt: now,
    }
    const outcome = old ? 'updated' : 'created'
    if (read.export) {
      const origin = { fileId: file.id, url, language }
      const problems = await importPages({ files, documents, importDocuments }, bot, read.export, origin)
      return { file: await files.put(file, await content.read()), outcome, problems }
    }
    const document = {
      id: documentIdOfFile(file.id),
      title: file.title,
      url: file.url,
      [read.format]: read.content,
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
