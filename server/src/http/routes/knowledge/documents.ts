import { type DocumentSummary, Fault } from '@docent/contract'
import type { FindBot } from '../../../access/managers.ts'
import type { ImportDocuments } from '../../../knowledge/documents/import-documents.ts'
import type { DocumentRecord } from '../../../storage/documents/document-rows.ts'
import type { DocumentsTable } from '../../../storage/documents/documents.ts'
import type { DocumentPlace, DocumentsWanted } from '../../../storage/documents/list-documents.ts'
import { page, parsePlace } from '../../paging.ts'
import type { Route } from '../../route.ts'
import { timestamp } from '../../times.ts'
import { imported } from '../accounts/audit.ts'

interface Deps {
  documents: DocumentsTable
  findBot: FindBot
  importDocuments: ImportDocuments
}

export function documentRoutes(route: Route, { documents, findBot, importDocuments }: Deps) {
  route('POST /api/manage/v1/bots/{botId}/documents', async ({ caller, params, body, request, did }) => {
    const report = await importDocuments(await findBot(caller, params.botId), request.items ?? body.documents)
    did(imported(report))
    return report
  })

  route('GET /api/manage/v1/bots/{botId}/documents', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    const { q, sort = 'id' } = query
    return page(
      query,
      async (place, limit) => {
        const after = documentPlace(place, sort)
        return (await documents.list(bot.id, after, limit, { text: q?.trim(), sort })).map((each) =>
          withPlace(each, sort),
        )
      },
      ({ document }) => toSummary(document),
    )
  })

  route('GET /api/manage/v1/bots/{botId}/documents/{documentId}', async ({ caller, params }) => {
    const bot = await findBot(caller, params.botId)
    const document = await documents.find(bot.id, params.documentId)
    if (!document) throw new Fault('not_found')
    return { ...toSummary(document), content: document.content }
  })

  route('DELETE /api/manage/v1/bots/{botId}/documents/{documentId}', async ({ caller, params, did }) => {
    const bot = await findBot(caller, params.botId)
    did(params.documentId)
    if ((await documents.remove(bot.id, params.documentId)) === null) throw new Fault('not_found')
    return undefined
  })
}

type Sort = NonNullable<DocumentsWanted['sort']>

const sortedBy = {
  id: ({ id }: DocumentRecord) => id,
  title: ({ title }: DocumentRecord) => title,
  '-updated_at': ({ updatedAt }: DocumentRecord) => updatedAt,
}

/** The cursor names the order too: a place in one is none in another. */
function withPlace(document: DocumentRecord, sort: Sort) {
  return { id: JSON.stringify([sort, sortedBy[sort](document), document.id]), document }
}

function documentPlace(place: string, sort: Sort): DocumentPlace | null {
  const match = parsePlace(place, new RegExp(`^\\["${sort}",("(?:[^"\\\\]|\\\\.)*"|\\d+),("(?:[^"\\\\]|\\\\.)*")\\]$`))
  return match && { value: JSON.parse(match[1] as string), id: JSON.parse(match[2] as string) }
}

function toSummary(document: DocumentRecord): DocumentSummary {
  return {
    id: document.id,
    title: document.title,
    url: document.url,
    language: document.language,
    format: document.format,
    crawl_id: document.crawlId,
    passages: document.passageCount,
    created_at: timestamp(document.createdAt),
    updated_at: timestamp(document.updatedAt),
  }
}
