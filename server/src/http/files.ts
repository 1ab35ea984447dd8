import { Fault, type File, type UploadReport } from '@docent/contract'
import type { FindBot, Manager } from '../access/managers.ts'
import { documentIdOfFile, type TakeFile } from '../knowledge/files/take-file.ts'
import { UnreadableFile } from '../knowledge/files/unreadable-file.ts'
import type { FileRecord, FilesTable } from '../storage/files.ts'
import { forEachFile, type UploadPart } from './multipart.ts'
import { page } from './paging.ts'
import type { Route } from './route.ts'
import { timestamp } from './times.ts'

interface Deps {
  files: FilesTable
  findBot: FindBot
  takeFile: TakeFile
  /** Why a URL may not be shown as a source, or null. */
  checkUrl: (url: unknown) => string | null
  /** The largest file. */
  fileBytes: number
  /** Where uploads wait that are too large for the memory. */
  stagingFolder: string
}

export function fileRoutes(route: Route, { files, findBot, takeFile, checkUrl, fileBytes, stagingFolder }: Deps) {
  async function fileOf(manager: Manager, params: { botId: string; fileId: string }) {
    const bot = await findBot(manager, params.botId)
    const file = await files.find(bot.id, params.fileId)
    if (!file) throw new Fault('not_found')
    return file
  }

  route('POST /api/manage/v1/bots/{botId}/files', async ({ caller, params, request, did }) => {
    const bot = await findBot(caller, params.botId)
    const report: UploadReport = { created: 0, updated: 0, unchanged: 0, failed: 0, errors: [], files: [] }
    let index = -1

    async function takeOne({ name, content, fields, isTooLarge }: UploadPart) {
      index++
      const { url, title, language } = fields
      const mistake = isTooLarge
        ? `The file is larger than ${Math.floor(fileBytes / 1024 ** 2)} MB.`
        : url && checkUrl(url)
      if (mistake) throw new UnreadableFile(mistake)
      const { file, outcome } = await takeFile(bot, { name, content, url, title, language })
      report[outcome]++
      report.files.push(toFile(file))
    }

    await forEachFile(request, { fileBytes, stagingFolder }, (part) =>
      takeOne(part).catch((error: unknown) => {
        if (!(error instanceof UnreadableFile)) throw error
        report.failed++
        report.errors.push({ index, name: part.name, message: error.message })
      }),
    )
    did(report.created + report.updated === 0 ? null : report.files.map(({ name }) => name).join(', '))
    if (index < 0)
      throw new Fault('validation_failed', { details: [{ path: 'file', message: 'This field is required.' }] })
    return report
  })

  route('GET /api/manage/v1/bots/{botId}/files', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    return page(query, (after, limit) => files.list(bot.id, after, limit), toFile)
  })

  route('GET /api/manage/v1/bots/{botId}/files/{fileId}', async ({ caller, params }) =>
    toFile(await fileOf(caller, params)),
  )

  route('GET /api/manage/v1/bots/{botId}/files/{fileId}/content', async ({ caller, params, reply }) => {
    const file = await fileOf(caller, params)
    const content = await files.readContent(file.botId, file.id)
    if (!content) throw new Fault('not_found')
    // Never shown by a browser as what it claims to be: it is somebody's file on our address.
    return reply
      .type('application/octet-stream')
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`)
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(Buffer.from(content))
  })

  route('DELETE /api/manage/v1/bots/{botId}/files/{fileId}', async ({ caller, params, did }) => {
    const file = await fileOf(caller, params)
    did(file.name)
    await files.remove(file.botId, file.id, documentIdOfFile(file.id))
    return undefined
  })
}

function toFile(file: FileRecord): File {
  return {
    id: file.id,
    name: file.name,
    kind: file.kind,
    size_bytes: file.sizeBytes,
    title: file.title,
    url: file.url,
    document_id: documentIdOfFile(file.id),
    created_at: timestamp(file.createdAt),
    updated_at: timestamp(file.updatedAt),
  }
}
