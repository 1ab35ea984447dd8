import { Fault, type Lead } from '@docent/contract'
import type { Context } from '../context.ts'
import { csvReport } from '../sources/csv.ts'
import type { LeadRecord } from '../storage/leads.ts'
import type { ListCursor, ListQuery } from '../storage/lists.ts'
import { timestamp } from '../timestamps.ts'
import type { Modules } from './modules.ts'
import { sendPieces } from './server/downloads.ts'
import { sortedPage } from './server/paging.ts'
import type { Route } from './server/route.ts'

const AT_ONCE = 100

export function leadRoutes(route: Route, { storage }: Context, { access }: Pick<Modules, 'access'>) {
  const { leads } = storage
  const { findBot } = access

  route('GET /api/manage/v1/bots/{botId}/leads', async ({ caller, params, query, reply }) => {
    const bot = await findBot(caller, params.botId)
    const filter = { visitorId: query.visitor_id, source: query.source }
    const sort = query.sort ?? '-created_at'
    const list = (listQuery: ListQuery) => leads.list(bot.id, filter, listQuery)
    if (query.format !== 'csv') return sortedPage(query, sort, sortedBy, list, toLead)
    reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment; filename="leads.csv"')
    return sendPieces(
      reply,
      toCsv(() => inBatches(list, query.q?.trim(), sort)),
    )
  })

  route('DELETE /api/manage/v1/bots/{botId}/leads/{leadId}', async ({ caller, params, setAuditTarget }) => {
    const bot = await findBot(caller, params.botId)
    setAuditTarget(params.leadId)
    if (!(await leads.remove(bot.id, params.leadId))) throw new Fault('not_found')
    return undefined
  })
}

function sortedBy({ createdAt, name }: LeadRecord, column: string): string | number {
  return column === 'name' ? (name?.toLowerCase() ?? '') : createdAt
}

async function* inBatches(
  list: (listQuery: ListQuery) => Promise<LeadRecord[]>,
  text: string | undefined,
  sort: string,
) {
  for (let after: ListCursor | null = null, isEnd = false; !isEnd; ) {
    const some: LeadRecord[] = await list({ text, sort, after, limit: AT_ONCE })
    yield some
    const last = some.at(-1)
    after = last ? { value: sortedBy(last, sort.replace('-', '')), id: last.id } : null
    isEnd = some.length < AT_ONCE
  }
}

/** Reads all leads twice, since the head names the fields of every one: few at a time need little memory. */
async function* toCsv(batches: () => AsyncIterable<LeadRecord[]>) {
  const names = new Set<string>()
  for await (const some of batches()) {
    for (const { fields } of some) for (const name of Object.keys(fields)) names.add(name)
    yield ''
  }
  const fieldNames = [...names].sort()
  yield csvReport([
    ['id', 'created_at', 'name', 'email', 'phone', 'message', 'source', 'consent', 'page_url', ...fieldNames],
  ])
  for await (const some of batches()) {
    const rows = some.map((lead) => [
      ...[lead.id, timestamp(lead.createdAt), lead.name, lead.email, lead.phone, lead.message, lead.source],
      ...[lead.consent ? 'yes' : 'no', lead.pageUrl, ...fieldNames.map((name) => lead.fields[name])],
    ])
    if (rows.length > 0) yield csvReport(rows.map((row) => row.map((cell) => cell ?? '')))
  }
}

export function toLead(lead: LeadRecord): Lead {
  return {
    id: lead.id,
    visitor_id: lead.visitorId,
    conversation_id: lead.conversationId,
    name: lead.name,
    email: lead.email,
    phone: lead.phone,
    message: lead.message,
    fields: lead.fields,
    source: lead.source,
    consent: lead.consent,
    page_url: lead.pageUrl,
    created_at: timestamp(lead.createdAt),
    updated_at: timestamp(lead.updatedAt),
  }
}
