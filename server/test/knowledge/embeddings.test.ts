// The semantic index: vectors are computed in the background, nobody waits for them, and they are stored.
import { describe, expect, test } from 'vitest'
import { modelName } from '../../src/inference/model-files.ts'
import { type Engine, engines } from '../harness/database/databases.ts'
import { queryRows } from '../harness/database/rows.ts'
import { createTestDatabase } from '../harness/start-process.ts'
import { ADMIN_TOKEN, startServer, type TestBot, type TestServer } from '../harness/start-server.ts'

const token = ADMIN_TOKEN
const on = { EMBEDDINGS: 'on' }
const MODEL = modelName({}) ?? ''

const documents = [
  { id: 'pets', title: 'House rules', text: 'Pets are welcome in the whole hotel.' },
  { id: 'bar', title: 'Bar', text: 'The bar on the ground floor serves wine until midnight.' },
  { id: 'wifi', title: 'Internet', text: 'Every room has wireless internet. The password lies on the desk.' },
]
const PARAPHRASE = 'Can I bring my dog?'

function createAsk({ call }: TestServer, { botId, key }: TestBot) {
  return async (message: string) => {
    const response = await call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message } })
    expect([message, response.status]).toEqual([message, 200])
    return response.body
  }
}

async function knowledge({ call }: TestServer, { botId }: TestBot) {
  return (await call('GET /api/manage/v1/bots/{botId}', { token, params: { botId } })).body.knowledge
}

async function hits({ call }: TestServer, { botId }: TestBot, q: string) {
  const route = 'GET /api/manage/v1/bots/{botId}/search'
  return (await call(route, { token, params: { botId }, query: { q } })).body.results
}

async function waitForVectors(server: TestServer, bot: TestBot, passages: number) {
  const earlyStates: object[] = []
  const look = async () => {
    const state = await knowledge(server, bot)
    if (state.status === 'ready' && state.embedded_passages < passages) earlyStates.push(state)
    return state
  }
  await expect.poll(look).toMatchObject({ passages, embedded_passages: passages, status: 'ready' })
  expect(earlyStates, 'said to be ready too early').toEqual([])
}

/** The first question after a start may come before the model is ready; its vector is there the next time. */
async function expectAnswerByMeaning(ask: (message: string) => Promise<{ response: string }>) {
  await expect.poll(async () => (await ask(PARAPHRASE)).response).toContain('Pets are welcome')
}

describe.each(engines)('with embeddings on %s', (engine: Engine) => {
  test('vectors appear by themselves, find paraphrases, delay no new document, and survive a restart', async () => {
    const database = await createTestDatabase(engine)
    const server = await startServer(engine, { environment: on, database })
    const bot = await server.createBot({ documents })
    const ask = createAsk(server, bot)
    await waitForVectors(server, bot, 3)
    await expectAnswerByMeaning(ask)
    for (const question of ['Are you hiring?', 'Do you have any job openings?']) await ask(question)
    const route = 'GET /api/manage/v1/bots/{botId}/unanswered/topics'
    const { topics } = (await server.call(route, { token, params: { botId: bot.botId } })).body
    expect(topics.map(({ count }: { count: number }) => count)).toContain(2)
    const [firstHit] = await hits(server, bot, PARAPHRASE)
    expect(firstHit).toMatchObject({ document_id: 'pets', signals: { coverage: 0 } })
    expect(firstHit.signals.vector).toBeGreaterThan(0)

    const lateDocument = { id: 'sauna', title: 'Sauna', text: 'The sauna in the cellar is heated on Fridays.' }
    const params = { botId: bot.botId }
    await server.call('POST /api/manage/v1/bots/{botId}/documents', {
      token,
      params,
      body: { documents: [lateDocument] },
    })
    expect((await ask('When is the sauna in the cellar heated?')).response).toBe(lateDocument.text)
    await waitForVectors(server, bot, 4)

    const stored = () =>
      queryRows(database, 'SELECT document_id, model, vectors FROM document_vectors ORDER BY document_id')
    const before = await stored()
    expect(before.map(({ document_id, model }) => [document_id, model])).toEqual(
      ['bar', 'pets', 'sauna', 'wifi'].map((id) => [id, MODEL]),
    )
    const [version] = await queryRows(database, `SELECT knowledge_version FROM bots WHERE id = '${bot.botId}'`)
    await server.stop()

    const restartedServer = await startServer(engine, { environment: on, database })
    await waitForVectors(restartedServer, bot, 4)
    await expectAnswerByMeaning(createAsk(restartedServer, bot))
    expect(await stored()).toEqual(before)
    // Recomputed vectors would have increased it.
    expect(await queryRows(database, `SELECT knowledge_version FROM bots WHERE id = '${bot.botId}'`)).toEqual([version])
  })
})

test('without vectors the paraphrase is not found, and no answer is given', async () => {
  const server = await startServer('sqlite')
  const bot = await server.createBot({ documents })
  expect(await createAsk(server, bot)(PARAPHRASE)).toMatchObject({ answered: false, sources: [] })
  expect(await knowledge(server, bot)).toMatchObject({ passages: 3, embedded_passages: 0, status: 'ready' })
  expect((await server.call('GET /readyz')).body.details.embeddings).toBe('absent: switched off')
})

test('with a missing model folder the server starts, answers by words, and /readyz says why', async () => {
  const environment = { ...on, EMBEDDING_MODEL_DIR: '/nowhere/at/all' }
  const server = await startServer('sqlite', { environment })
  const bot = await server.createBot({ documents })
  const ask = createAsk(server, bot)
  const question = 'Until when does the bar serve wine?'
  expect((await ask(question)).response).toContain('until midnight')
  const details = async () => (await server.call('GET /readyz')).body.details.embeddings
  await expect.poll(details).toMatch(/^absent: (?!the model is still starting)/)
  expect(await details()).toContain('/nowhere/at/all')
  expect((await server.call('GET /readyz')).status).toBe(200)
  expect((await ask(question)).response).toContain('until midnight')
  expect(await knowledge(server, bot)).toMatchObject({ embedded_passages: 0, status: 'ready' })
})
