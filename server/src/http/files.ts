import { Fault, type File, HttpUrl } from '@docent/contract'
import type { Manager } from '../access/managers.ts'
import type { Context } from '../context.ts'
import { documentIdOfFile, importUpload, isExport } from '../sources/files/import-file.ts'
import type { FileRecord } from '../storage/files.ts'
import { timestamp } from '../timestamps.ts'
import type { Modules } from './modules.ts'
import { sendDownload } from './server/downloads.ts'
import { forEachFile, stagingFolderOf } from './server/multipart.ts'
import { sortedPage } from './server/paging.ts'
import type { Route } from './server/route.ts'
import { makeItemCheck } from './server/schemas.ts'

export function fileRoutes(
  route: Route,
  { storage, config }: Context,
  { access, sources }: Pick<Modules, 'access' | 'sources'>,
) {
  const { files } = storage
  const { findBot } = access
  const limits = { fileBytes: config.fileMaxBytes, stagingFolder: stagingFolderOf(config) }
  const uploads = { importFile: sources.importFile, checkUrl: makeItemCheck(HttpUrl), fileBytes: config.fileMaxBytes }

  async function fileOf(manager: Manager, params: { botId: string; fileId: string }) {
    const bot = await findBot(manager, params.botId)
    const file = await files.find(bot.id, params.fileId)
    if (!file) throw new Fault('not_found')
    return file
  }

  route('POST /api/manage/v1/bots/{botId}/files', async ({ caller, params, request, setAuditTarget }) => {
    const bot = await findBot(caller, params.botId)
    const report = await importUpload(uploads, bot, (take) => forEachFile(request, limits, take))
    setAuditTarget(report.created + report.updated === 0 ? null : report.files.map(({ name }) => name).join(', '))
    if (report.files.length + report.failed === 0)
      throw new Fault('validation_failed', { details: [{ path: 'file', message: 'This field is required.' }] })
    return { ...report, files: report.files.map(toFile) }
  })

  route('GET /api/manage/v1/bots/{botId}/files', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    return sortedPage(query, query.sort ?? 'id', sortedBy, (page) => files.list(bot.id, page), toFile)
  })

  route('GET /api/manage/v1/bots/{botId}/files/{fileId}', async ({ caller, params }) =>
    toFile(await fileOf(caller, params)),
  )

  route('GET /api/manage/v1/bots/{botId}/files/{fileId}/content', async ({ caller, params, reply }) => {
    const bot = await findBot(caller, params.botId)
    const file = await files.findContent(bot.id, params.fileId)
    if (!file) throw new Fault('not_found')
    // Browsers must not render it: untrusted content on our origin.
    reply.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`)
    const { sizeBytes } = file
    return sendDownload(reply, { type: 'application/octet-stream', sizeBytes }, (offset, lengthBytes) =>
      files.readPiece(file, offset, lengthBytes),
    )
  })

  route('DELETE /api/manage/v1/bots/{botId}/files/{fileId}', async ({ caller, params, setAuditTarget }) => {
    const file = await fileOf(caller, params)
    setAuditTarget(file.name)
    await files.remove(file.botId, file.id, documentIdOfFile(file.id))
    return undefined
  })
}

function sortedBy({ id, name, sizeBytes, updatedAt }: FileRecord, column: string): string | number {
  return { name, size_bytes: sizeBytes, updated_at: updatedAt }[column] ?? id
}

function toFile(file: FileRecord): File {
  return {
    id: file.id,
    name: file.name,
    kind: file.kind,
    size_bytes: file.sizeBytes,
    title: file.title,
    url: file.url,
    document_id: isExport(file.kind) ? null : documentIdOfFile(file.id),
    created_at: timestamp(file.createdAt),
    updated_at: timestamp(file.updatedAt),
  }
}
