import { Fault, type TestQuestion, type TestRun } from '@docent/contract'
import type { Context } from '../context.ts'
import type { TestQuestionRecord, TestReply, TestRunRecord } from '../storage/test-questions.ts'
import { timestamp, timestampOrNull } from '../timestamps.ts'
import type { Modules } from './modules.ts'
import { sortedPage } from './server/paging.ts'
import type { Route } from './server/route.ts'

export function testQuestionRoutes(
  route: Route,
  { storage }: Context,
  { access, conversations }: Pick<Modules, 'access' | 'conversations'>,
) {
  const { testQuestions, testRuns } = storage
  const { findBot } = access
  const { tests } = conversations

  route('POST /api/manage/v1/bots/{botId}/test-questions', async ({ caller, params, body, setAuditTarget }) => {
    const bot = await findBot(caller, params.botId)
    const record = await tests.create(bot.id, body)
    setAuditTarget(record.question)
    return toQuestion(record)
  })

  route('GET /api/manage/v1/bots/{botId}/test-questions', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    const list = testQuestions.search.bind(null, bot.id)
    return sortedPage(query, query.sort ?? 'id', sortedBy, list, toQuestion)
  })

  route('GET /api/manage/v1/bots/{botId}/test-questions/{questionId}', async ({ caller, params }) => {
    const bot = await findBot(caller, params.botId)
    const record = await testQuestions.find(bot.id, params.questionId)
    if (!record) throw new Fault('not_found')
    return toQuestion(record)
  })

  route(
    'PATCH /api/manage/v1/bots/{botId}/test-questions/{questionId}',
    async ({ caller, params, body, setAuditTarget }) => {
      const bot = await findBot(caller, params.botId)
      const record = await tests.update(bot.id, params.questionId, body)
      setAuditTarget(record.question)
      return toQuestion(record)
    },
  )

  route(
    'DELETE /api/manage/v1/bots/{botId}/test-questions/{questionId}',
    async ({ caller, params, setAuditTarget }) => {
      const bot = await findBot(caller, params.botId)
      const record = await testQuestions.find(bot.id, params.questionId)
      if (!record) throw new Fault('not_found')
      await testQuestions.remove(bot.id, record.id)
      setAuditTarget(record.question)
      return undefined
    },
  )

  route('POST /api/manage/v1/bots/{botId}/test-runs', async ({ caller, params, setAuditTarget }) => {
    const bot = await findBot(caller, params.botId)
    const run = await tests.run(bot.id)
    tests.wake()
    setAuditTarget(`${run.total}`)
    return toRun(run)
  })

  route('GET /api/manage/v1/bots/{botId}/test-runs', async ({ caller, params }) => {
    const bot = await findBot(caller, params.botId)
    const [runs, isAutomatic] = await Promise.all([testRuns.list(bot.id), testRuns.isAutomatic(bot.id)])
    return { run_automatically: isAutomatic, items: runs.map(toRun) }
  })

  route('PATCH /api/manage/v1/bots/{botId}/test-runs', async ({ caller, params, body, setAuditTarget }) => {
    const bot = await findBot(caller, params.botId)
    await testRuns.setAutomatic(bot.id, body.run_automatically)
    setAuditTarget(`automatic test runs: ${body.run_automatically ? 'on' : 'off'}`)
    return { run_automatically: body.run_automatically }
  })

  route('GET /api/manage/v1/bots/{botId}/test-runs/{runId}', async ({ caller, params }) => {
    const bot = await findBot(caller, params.botId)
    const run = await testRuns.find(bot.id, params.runId)
    if (!run) throw new Fault('not_found')
    const results = await testRuns.listResults(bot.id, run.id)
    return {
      ...toRun(run),
      results: results.map(({ questionId, before, ...result }) => ({
        ...result,
        question_id: questionId,
        before: before && toReply(before),
      })),
    }
  })
}

function toQuestion(record: TestQuestionRecord): TestQuestion {
  const { id, question, expectedText, expectedSource, outcome, result, lastPassed, createdAt, updatedAt } = record
  return {
    id,
    question,
    outcome,
    expected_text: expectedText,
    expected_source: expectedSource,
    result: result && toReply(result),
    last_passed: lastPassed && toReply(lastPassed),
    created_at: timestamp(createdAt),
    updated_at: timestamp(updatedAt),
  }
}

function toReply({ reply, sources, at }: TestReply) {
  return { reply, sources, at: timestamp(at) }
}

function toRun({ id, cause, total, counts, isLeased, createdAt, finishedAt }: TestRunRecord): TestRun {
  const { passed, failed, worse, better } = counts
  const doneCount = passed + failed + worse + better
  return {
    id,
    cause,
    total,
    worse,
    better,
    // Between two turns, a run that has begun is not leased.
    state: finishedAt !== null ? 'finished' : isLeased || doneCount > 0 ? 'running' : 'waiting',
    done: doneCount,
    passed: passed + better,
    failed: failed + worse,
    created_at: timestamp(createdAt),
    finished_at: timestampOrNull(finishedAt),
  }
}

function sortedBy({ id, question, updatedAt }: TestQuestionRecord, column: string): string | number {
  return { question, updated_at: updatedAt }[column] ?? id
}
