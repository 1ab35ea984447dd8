import { type DocumentSummary, Fault } from '@docent/contract'
import { titleOf } from '../access/audit.ts'
import type { Context } from '../context.ts'
import type { DocumentRecord } from '../storage/documents.ts'
import { timestamp } from '../timestamps.ts'
import { describeImport } from './audit.ts'
import type { Modules } from './modules.ts'
import { sortedPage } from './server/paging.ts'
import { LARGE, type Route } from './server/route.ts'

export function documentRoutes(
  route: Route,
  { storage }: Context,
  { access, sources }: Pick<Modules, 'access' | 'sources'>,
) {
  const { documents } = storage
  const { findBot } = access
  const { importDocuments, reviewContent, confirmDocument } = sources

  route('POST /api/manage/v1/bots/{botId}/documents', async ({ caller, params, body, request, setAuditTarget }) => {
    const report = await importDocuments(await findBot(caller, params.botId), request.items ?? body.documents)
    setAuditTarget(describeImport(report))
    return report
  })

  route('GET /api/manage/v1/bots/{botId}/documents', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    return sortedPage(query, query.sort ?? 'id', sortedBy, (page) => documents.list(bot.id, page), toSummary)
  })

  route(
    'GET /api/manage/v1/bots/{botId}/documents/{documentId}',
    async ({ caller, params }) => {
      const bot = await findBot(caller, params.botId)
      const document = await documents.find(bot.id, params.documentId)
      if (!document) throw new Fault('not_found')
      return { ...toSummary(document), content: document.content }
    },
    LARGE,
  )

  route('DELETE /api/manage/v1/bots/{botId}/documents/{documentId}', async ({ caller, params, setAuditTarget }) => {
    const bot = await findBot(caller, params.botId)
    const document = await documents.find(bot.id, params.documentId)
    if (!document || (await documents.remove(bot.id, document.id)) === null) throw new Fault('not_found')
    setAuditTarget(titleOf({ id: document.id, name: document.title }))
    return undefined
  })

  route('GET /api/manage/v1/bots/{botId}/content-review', async ({ caller, params }) =>
    reviewContent(await findBot(caller, params.botId)),
  )

  route(
    'POST /api/manage/v1/bots/{botId}/documents/{documentId}/reviewed',
    async ({ caller, params, setAuditTarget }) => {
      const bot = await findBot(caller, params.botId)
      const { title } = await confirmDocument(bot.id, params.documentId)
      setAuditTarget(titleOf({ id: params.documentId, name: title }))
      return undefined
    },
  )
}

function sortedBy({ id, title, updatedAt }: DocumentRecord, column: string): string | number {
  return { title, updated_at: updatedAt }[column] ?? id
}

function toSummary(document: DocumentRecord): DocumentSummary {
  return {
    id: document.id,
    title: document.title,
    url: document.url,
    language: document.language,
    format: document.format,
    // Documents of an uploaded export hold its file id here.
    crawl_id: document.crawlId?.startsWith('fil_') ? null : document.crawlId,
    passages: document.passageCount,
    created_at: timestamp(document.createdAt),
    updated_at: timestamp(document.updatedAt),
  }
}
