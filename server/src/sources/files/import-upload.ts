// Imports the files of one upload, one by one, and reports on them.
import type { UploadReport } from '@docent/contract'
import type { BotRecord } from '../../storage/bots.ts'
import type { FileRecord } from '../../storage/files.ts'
import type { ImportFile } from './import-file.ts'
import type { StagedFile } from './stage-file.ts'
import { UnreadableFile } from './unreadable-file.ts'

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
