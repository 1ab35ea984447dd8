import { type CuratedAnswer, Fault } from '@docent/contract'
import type { Manager } from '../access/managers.ts'
import type { Context } from '../context.ts'
import { alternativesCell, createAnswer, updateAnswer } from '../search/curated/curated-answers.ts'
import { csvText } from '../sources/csv.ts'
import type { CuratedAnswerRecord } from '../storage/curated-answers.ts'
import type { ListCursor, ListQuery } from '../storage/lists.ts'
import { timestamp } from '../timestamps.ts'
import { describeImport } from './audit.ts'
import type { Modules } from './modules.ts'
import { sendPieces } from './server/downloads.ts'
import { sortedPage } from './server/paging.ts'
import { LARGE, type Route } from './server/route.ts'

// An answer with all its alternatives may have 60,000 characters.
const AT_ONCE = 5

export function answerRoutes(
  route: Route,
  { storage, clock }: Context,
  { access, search }: Pick<Modules, 'access' | 'search'>,
) {
  const { curatedAnswers } = storage
  const { findBot } = access
  const deps = { curatedAnswers, onChanged: search.onAnswersChanged, clock }

  async function answerOf(manager: Manager, params: { botId: string; answerId: string }) {
    const bot = await findBot(manager, params.botId)
    const record = await curatedAnswers.find(bot.id, params.answerId)
    if (!record) throw new Fault('not_found')
    return { bot, record }
  }

  route('POST /api/manage/v1/bots/{botId}/answers', async ({ caller, params, body, setAuditTarget }) => {
    const bot = await findBot(caller, params.botId)
    const record = await createAnswer(deps, bot.id, body)
    setAuditTarget(record.question)
    return toAnswer(record)
  })

  route(
    'GET /api/manage/v1/bots/{botId}/answers',
    async ({ caller, params, query }) => {
      const bot = await findBot(caller, params.botId)
      return sortedPage(query, query.sort ?? 'id', sortedBy, (page) => curatedAnswers.search(bot.id, page), toAnswer)
    },
    LARGE,
  )

  route(
    'POST /api/manage/v1/bots/{botId}/answers/import',
    async ({ caller, params, body, request, setAuditTarget }) => {
      const report = await search.importAnswers((await findBot(caller, params.botId)).id, request.items ?? body.answers)
      setAuditTarget(describeImport(report))
      return report
    },
  )

  route('GET /api/manage/v1/bots/{botId}/answers/export', async ({ caller, params, query, reply }) => {
    const bot = await findBot(caller, params.botId)
    const format = query.format ?? 'json'
    const batches = inBatches((listQuery) => curatedAnswers.search(bot.id, listQuery))
    reply
      .type(`${format === 'csv' ? 'text/csv' : 'application/json'}; charset=utf-8`)
      .header('content-disposition', `attachment; filename="answers.${format}"`)
    return sendPieces(reply, format === 'csv' ? toCsv(batches) : toJson(batches))
  })

  route('GET /api/manage/v1/bots/{botId}/answers/{answerId}', async ({ caller, params }) =>
    toAnswer((await answerOf(caller, params)).record),
  )

  route('PATCH /api/manage/v1/bots/{botId}/answers/{answerId}', async ({ caller, params, body, setAuditTarget }) => {
    const bot = await findBot(caller, params.botId)
    const record = await updateAnswer(deps, bot.id, params.answerId, body)
    setAuditTarget(record.question)
    return toAnswer(record)
  })

  route('DELETE /api/manage/v1/bots/{botId}/answers/{answerId}', async ({ caller, params, setAuditTarget }) => {
    const { bot, record } = await answerOf(caller, params)
    await curatedAnswers.remove(bot.id, record.id)
    setAuditTarget(record.question)
    return undefined
  })
}

async function* inBatches(list: (listQuery: ListQuery) => Promise<CuratedAnswerRecord[]>) {
  for (let after: ListCursor | null = null, isEnd = false; !isEnd; ) {
    const some: CuratedAnswerRecord[] = await list({ sort: 'id', after, limit: AT_ONCE })
    if (some.length > 0) yield some
    const last = some.at(-1)
    after = last ? { value: last.id, id: last.id } : null
    isEnd = some.length < AT_ONCE
  }
}

async function* toCsv(batches: AsyncIterable<CuratedAnswerRecord[]>) {
  yield csvText([['id', 'question', 'alternatives', 'answer', 'url']])
  for await (const some of batches)
    yield csvText(
      some.map(({ id, question, alternatives, answer, url }) => {
        return [id, question, alternativesCell(alternatives), answer, url ?? '']
      }),
    )
}

async function* toJson(batches: AsyncIterable<CuratedAnswerRecord[]>) {
  yield '{"answers":['
  let separator = ''
  for await (const some of batches) {
    const lines = some.map(({ id, question, alternatives, answer, url }) =>
      JSON.stringify({ id, question, alternatives, answer, url }),
    )
    yield separator + lines.join(',')
    separator = ','
  }
  yield ']}'
}

function sortedBy({ id, question, updatedAt }: CuratedAnswerRecord, column: string): string | number {
  return { question, updated_at: updatedAt }[column] ?? id
}

export function toAnswer(record: CuratedAnswerRecord): CuratedAnswer {
  const { id, question, alternatives, answer, url, createdAt, updatedAt } = record
  return { id, question, alternatives, answer, url, created_at: timestamp(createdAt), updated_at: timestamp(updatedAt) }
}
