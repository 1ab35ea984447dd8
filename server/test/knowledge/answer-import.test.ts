// Curated answers in bulk: import as JSON, NDJSON or CSV, export as JSON or CSV, and re-import.
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'

const ANSWERS = '/api/manage/v1/bots/{botId}/answers'
const token = ADMIN_TOKEN

async function start(engine: (typeof engines)[number]) {
  const server = await startServer(engine)
  const { botId, key } = await server.createBot()
  const params = { botId }
  return {
    /** A download of which nothing but the head is read. */
    openExport: (format: string) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const path = `${server.baseUrl}${ANSWERS.replace('{botId}', botId)}/export?format=${format}`
        get(path, { agent: false, headers: { authorization: `Bearer ${token}` } }, resolve).on('error', reject)
      }),
    change: (answerId: string, body: object) =>
      server.call(`PATCH ${ANSWERS}/{answerId}`, { token, params: { ...params, answerId }, body }),
    importText: (raw: string, type: string) =>
      server.call(`POST ${ANSWERS}/import`, { token, params, raw, headers: { 'content-type': type } }),
    importAnswers: (answers: unknown) => server.call(`POST ${ANSWERS}/import`, { token, params, body: { answers } }),
    exported: (format: string) => server.call(`GET ${ANSWERS}/export`, { token, params, query: { format } }),
    list: async () => (await server.call(`GET ${ANSWERS}`, { token, params, query: { limit: 200 } })).body.items,
    ask: async (message: string) =>
      (await server.call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message } })).body,
  }
}

describe.each(engines)('on %s', (engine) => {
  test('an imported table answers at once, and importing it again changes nothing', async () => {
    const { importText, ask, list } = await start(engine)
    const csv =
      'Question;Alternatives;Answer;URL\r\n' +
      '"Do you ship to Norway?";"Norway delivery|Can you send to Oslo?";"Yes, in 5 days.";https://shop.test/norway\r\n' +
      'Where are you?;;"Vienna; Graz";\r\n'
    const first = await importText(csv, 'text/csv')
    expect(first.body).toEqual({ created: 2, updated: 0, unchanged: 0, failed: 0, errors: [] })
    expect((await ask('Can you send to Oslo?')).response).toBe('Yes, in 5 days.')
    expect((await list()).map(({ answer }: { answer: string }) => answer).sort()).toEqual([
      'Vienna; Graz',
      'Yes, in 5 days.',
    ])
    expect((await importText(csv, 'text/csv; charset=utf-8')).body).toMatchObject({ unchanged: 2, created: 0 })
    const response = await importText('question,answer\nwhere are  you?,Linz\n', 'text/csv')
    expect(response.body).toMatchObject({ updated: 1, created: 0 })
    expect((await list()).length).toBe(2)
  })

  test('an unread export is not read ahead: it has what is changed before the client takes it', async () => {
    const { importAnswers, openExport, change } = await start(engine)
    // 15 MB: more than the sockets of both sides keep.
    const answer = '€'.repeat(9_990)
    const ids = Array.from({ length: 500 }, (_, n) => `answer-${String(n).padStart(3, '0')}`)
    const response = await importAnswers(ids.map((id) => ({ id, question: `Question ${id}?`, answer })))
    expect(response.body).toMatchObject({ created: 500 })
    const exports = { csv: await openExport('csv'), json: await openExport('json') }
    expect((await change('answer-499', { answer: 'Changed meanwhile.' })).status).toBe(200)
    const [csv, json] = await Promise.all([text(exports.csv), text(exports.json)])
    expect(csv.slice(-100)).toContain('\nanswer-499,Question answer-499?,,Changed meanwhile.,\r\n')
    const { answers } = JSON.parse(json)
    expect(answers.map(({ id }: { id: string }) => id)).toEqual(ids)
    expect(answers[498].answer === answer).toBe(true)
    expect(answers[499].answer.slice(0, 20)).toBe('Changed meanwhile.')
  })

  test('an export can be imported unchanged, including formulas and line breaks', async () => {
    const { importAnswers, exported, importText, list } = await start(engine)
    await importAnswers([
      { question: '=1+1?', answer: '-2\n"two", or more', alternatives: ['a|b is, one phrase', '+plus'] },
      { id: 'own-id', question: 'Öffnungszeiten?', answer: '9–17', url: 'https://shop.test/' },
    ])
    const before = await list()
    const csv = await exported('csv')
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(csv.headers['content-disposition']).toContain('answers.csv')
    expect(csv.text).toContain("'=1+1?")
    const json = await exported('json')
    expect(json.body.answers.map(({ id }: { id: string }) => id)).toContain('own-id')
    expect((await importText(json.text, 'application/json')).body).toMatchObject({ unchanged: 2 })
    expect((await importText(csv.text, 'text/csv')).body).toMatchObject({ unchanged: 2, failed: 0 })
    expect(await list()).toEqual(before)
  })

  test('invalid items are reported one by one and the rest is imported', async () => {
    const { importAnswers, importText, list } = await start(engine)
    const report = (
      await importAnswers([
        { question: 'Good?', answer: 'Yes.' },
        { question: 'Bad?' },
        null,
        { question: ' ', answer: 'x' },
      ])
    ).body
    expect(report).toMatchObject({ created: 1, failed: 3 })
    expect(report.errors.map(({ index }: { index: number }) => index)).toEqual([1, 2, 3])
    const lines = '{"question":"Line?","answer":"Yes."}\n{broken\n'
    expect((await importText(lines, 'application/x-ndjson')).body).toMatchObject({ created: 1, failed: 1 })
    expect((await importText('nothing\nuseful\n', 'text/csv')).body).toMatchObject({ created: 0, failed: 1 })
    expect(await list()).toHaveLength(2)
  })

  test('after an answer gets another question, its old one is free for others', async () => {
    const { importAnswers, list } = await start(engine)
    await importAnswers([{ id: 'a', question: 'X?', answer: 'old' }])
    const report = await importAnswers([
      { id: 'a', question: 'Y?', answer: 'moved' },
      { question: 'X?', answer: 'new' },
    ])
    expect(report.body).toMatchObject({ updated: 1, created: 1 })
    expect((await list()).map(({ question }: { question: string }) => question).sort()).toEqual(['X?', 'Y?'])
  })

  test('a bot has at most 500 answers; the rest of an import is reported', async () => {
    const { importAnswers, list } = await start(engine)
    const manyAnswers = Array.from({ length: 503 }, (_, index) => ({
      question: `Question ${index}?`,
      answer: 'Answer.',
    }))
    expect((await importAnswers(manyAnswers)).body).toMatchObject({ created: 500, failed: 3 })
    expect(await list()).toHaveLength(200)
  })
})
