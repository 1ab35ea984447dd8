// Test questions: saved with what the answer should be, run again on request and after content changed.
import { describe, expect, test } from 'vitest'
import { type Engine, engines } from '../harness/database/databases.ts'
import { runStatement } from '../harness/database/rows.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { pause, waitFor } from '../harness/wait.ts'

const token = ADMIN_TOKEN
const BOT = '/api/manage/v1/bots/{botId}'

const delivery = {
  id: 'delivery',
  title: 'Delivery',
  url: 'https://shop.test/delivery',
  text: 'Delivery within the country takes two to three working days. Parcels are brought by bicycle courier.',
}
const workshop = {
  id: 'workshop',
  title: 'Workshop',
  url: 'https://shop.test/workshop',
  text: 'The workshop repairs gears and brakes. A full service costs 89 euros.',
}

const HOW_LONG = { question: 'How long does delivery take?', expected_text: 'Two to  three working days' }
const SERVICE = { question: 'What does a full service cost?', expected_source: 'https://www.shop.test/workshop/' }
const MONGOLIA = { question: 'Who rules Mongolia?' }

async function withQuestions(engine: Engine, questions: object[] = [HOW_LONG, SERVICE, MONGOLIA]) {
  const server = await startServer(engine)
  const { botId } = await server.createBot({ documents: [delivery, workshop] })
  const manage = (route: string, body?: object, more: Record<string, string> = {}) =>
    server.call(route, { token, params: { botId, ...more }, ...(body ? { body } : {}) })
  const ids: string[] = []
  for (const body of questions) ids.push((await manage(`POST ${BOT}/test-questions`, body)).body.id)
  const list = async () => (await manage(`GET ${BOT}/test-questions`)).body.items
  const runs = async () => (await manage(`GET ${BOT}/test-runs`)).body.items
  const resultsOf = async (runId: string) => (await manage(`GET ${BOT}/test-runs/{runId}`, undefined, { runId })).body
  const run = async () => {
    const testRun = await manage(`POST ${BOT}/test-runs`)
    expect([testRun.status, testRun.body.cause]).toEqual([202, 'request'])
    await waitFor(async () => (await resultsOf(testRun.body.id)).state === 'finished', 'the run to end')
    return resultsOf(testRun.body.id)
  }
  const change = (documents: object[]) => manage(`POST ${BOT}/documents`, { documents })
  return { ...server, botId, manage, ids, list, runs, run, change }
}

const outcomes = (results: { question: string; outcome: string }[]) =>
  Object.fromEntries(results.map(({ question, outcome }) => [question, outcome]))

describe.each(engines)('test questions on %s', (engine) => {
  test('are compared with their text, their source or whether they are answered at all', async () => {
    const { run, list } = await withQuestions(engine)
    for (const question of await list()) expect(question).toMatchObject({ outcome: null, result: null })
    const { total, done, passed, failed, worse, better, results } = await run()
    expect({ total, done, passed, failed, worse, better }).toEqual({
      total: 3,
      done: 3,
      passed: 2,
      failed: 1,
      worse: 0,
      better: 0,
    })
    expect(outcomes(results)).toEqual({
      [HOW_LONG.question]: 'passed',
      [SERVICE.question]: 'passed',
      [MONGOLIA.question]: 'failed',
    })
    const testQuestion = (await list()).find(({ question }: { question: string }) => question === HOW_LONG.question)
    expect(testQuestion.result.reply).toContain('two to three working days')
    expect(testQuestion.result.sources).toEqual([
      { title: 'Delivery', url: expect.stringContaining('shop.test/delivery') },
    ])
    expect(testQuestion.last_passed).toEqual(testQuestion.result)
  })

  test('may expect a document without a page of its own, by its id or by the reading page that was cited', async () => {
    const { run, change, manage } = await withQuestions(engine, [])
    await change([{ id: 'care', title: 'Care', text: 'Leather saddles need wax twice a year.' }])
    const question = 'How often do leather saddles need wax?'
    const { sources } = (await manage(`POST ${BOT}/try`, { message: question })).body
    expect(sources[0].url).toContain('/sources/')
    const movedUrl = sources[0].url.replace(/^.*\/sources\/[^/]+/, 'https://elsewhere.test/sources/bot_old')
    for (const expected_source of ['care', sources[0].url, movedUrl, 'workshop'])
      await manage(`POST ${BOT}/test-questions`, { question, expected_source })
    expect(await run()).toMatchObject({ passed: 3, failed: 1 })
  })

  test('that got worse say so with the reply before and after, until they pass again', async () => {
    const { run, change } = await withQuestions(engine, [HOW_LONG, SERVICE])
    await run()
    await change([{ ...delivery, text: 'Delivery within the country takes a week.' }])
    for (const time of ['at once', 'still']) {
      const { worse, passed, results } = await run()
      expect([time, worse, passed]).toEqual([time, 1, 1])
      expect(results[0]).toMatchObject({ question: HOW_LONG.question, outcome: 'worse' })
      expect(results[0].reply).toContain('takes a week')
      expect(results[0].before.reply).toContain('two to three working days')
    }
    await change([delivery])
    const { worse, better, results } = await run()
    expect([worse, better]).toEqual([0, 1])
    expect(results[0]).toMatchObject({ question: HOW_LONG.question, outcome: 'better' })
    expect(results[0].before.reply).toContain('takes a week')
    expect((await run()).better).toBe(0)
  })

  test('run by themselves once changed content rests, once, and only where that is switched on', async () => {
    const { clock, change, runs, run, manage } = await withQuestions(engine, [HOW_LONG])
    await run()
    const waitForRuns = (count: number) =>
      waitFor(async () => {
        clock.now += 1000
        const items = await runs()
        return items.length === count && items[0].state === 'finished'
      }, `run ${count} to end`)
    const letTimePass = async () => {
      for (let round = 0; round < 4; round++) {
        await pause(1200)
        clock.now += 60_000
      }
    }
    await change([{ ...delivery, text: 'Delivery takes a week.' }])
    await waitForRuns(2)
    expect((await runs())[0]).toMatchObject({ cause: 'content', worse: 1, total: 1 })
    const off = await manage(`PATCH ${BOT}/test-runs`, { run_automatically: false })
    expect(off.body).toEqual({ run_automatically: false })
    await change([delivery])
    await letTimePass()
    expect(await runs()).toHaveLength(2)
    await manage(`PATCH ${BOT}/test-runs`, { run_automatically: true })
    await waitForRuns(3)
    expect((await runs())[0]).toMatchObject({ cause: 'content', better: 1 })
    await letTimePass()
    expect(await runs()).toHaveLength(3)
  })

  test('can be changed, which forgets their results, and deleted; the 201st is refused', async () => {
    const { run, list, manage, ids } = await withQuestions(engine, [HOW_LONG])
    await run()
    const questionId = ids[0] as string
    const ONE = `${BOT}/test-questions/{questionId}`
    const updateResponse = await manage(
      `PATCH ${ONE}`,
      { expected_text: null, expected_source: 'delivery' },
      { questionId },
    )
    expect(updateResponse.body).toMatchObject({
      question: HOW_LONG.question,
      expected_text: null,
      expected_source: 'delivery',
      outcome: null,
      result: null,
      last_passed: null,
    })
    expect((await run()).passed).toBe(1)
    const readResponse = await manage(`GET ${ONE}`, undefined, { questionId })
    expect(readResponse.body).toMatchObject({ outcome: 'passed', expected_source: 'delivery' })
    for (let number = 2; number <= 200; number++)
      expect((await manage(`POST ${BOT}/test-questions`, { question: `Question ${number}?` })).status).toBe(201)
    const refusal = await manage(`POST ${BOT}/test-questions`, { question: 'One more?' })
    expect([refusal.status, refusal.body.error.code]).toEqual([409, 'too_many_test_questions'])
    expect((await manage(`DELETE ${ONE}`, undefined, { questionId })).status).toBe(204)
    expect((await manage(`GET ${ONE}`, undefined, { questionId })).status).toBe(404)
    expect(await list()).toHaveLength(50)
  })

  test('are not run without any, and only the last ten runs are kept', async () => {
    const { run, runs, manage } = await withQuestions(engine, [])
    const refusal = await manage(`POST ${BOT}/test-runs`)
    expect([refusal.status, refusal.body.error.code]).toEqual([409, 'no_test_questions'])
    await manage(`POST ${BOT}/test-questions`, HOW_LONG)
    const testRuns = await Promise.all([1, 2, 3].map(() => manage(`POST ${BOT}/test-runs`)))
    expect(new Set(testRuns.map(({ body }) => body.id)).size).toBe(1)
    await waitFor(async () => (await runs())[0].state === 'finished', 'the first run to end')
    for (let number = 0; number < 11; number++) await run()
    expect(await runs()).toHaveLength(10)
  })

  test('that cannot be asked fail, and the run goes on', async () => {
    const { run, manage, database, logs } = await withQuestions(engine, [])
    const response = await manage(`POST ${BOT}/actions`, {
      name: 'Callback',
      description: '',
      kind: 'lead',
      examples: ['Please ring me'],
      inputs: [{ name: 'email', type: 'email', description: 'Email', required: true }],
      state: 'live',
    })
    expect(response.status, response.text).toBe(201)
    await runStatement(database, `UPDATE actions SET auth_shape = 'unreadable'`)
    for (const body of [HOW_LONG, SERVICE]) await manage(`POST ${BOT}/test-questions`, body)
    expect(await run()).toMatchObject({ done: 2, failed: 2 })
    expect(logs()).toContain('unreadable')
    await runStatement(database, 'UPDATE actions SET auth_shape = NULL')
    expect(await run()).toMatchObject({ done: 2, better: 2 })
  })

  test('leave no trace in conversations, insights or the log of actions', async () => {
    const { run, manage } = await withQuestions(engine)
    const read = async () => [
      (await manage(`GET ${BOT}/conversations`)).body,
      (await manage(`GET ${BOT}/unanswered`)).body,
      (await manage(`GET ${BOT}/analytics`)).body.totals,
    ]
    const before = await read()
    await run()
    expect(await read()).toEqual(before)
  })
})

test('two nodes ask each question of a run once', async () => {
  const server = await withQuestions('postgres', [HOW_LONG, SERVICE, MONGOLIA])
  await startServer('postgres', { database: server.database })
  const { total, results } = await server.run()
  expect([total, results.length]).toEqual([3, 3])
})

test('bots with a language model run by themselves only if that is switched on', async () => {
  const { call } = await startServer('sqlite')
  const language_model = { provider: 'openai_compatible', base_url: 'https://model.test/v1', model: 'm' }
  const bot = await call('POST /api/manage/v1/bots', { token, body: { name: 'Costly', language_model } })
  const params = { botId: bot.body.id as string }
  const read = async () => (await call(`GET ${BOT}/test-runs`, { token, params })).body.run_automatically
  expect(await read()).toBe(false)
  await call(`PATCH ${BOT}/test-runs`, { token, params, body: { run_automatically: true } })
  expect(await read()).toBe(true)
})
