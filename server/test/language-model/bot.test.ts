// A bot with a language model through the API, with a real provider on loopback that may misbehave.
import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { countRows, queryRows, tableNames } from '../harness/database/rows.ts'
import { startMailServer } from '../harness/external/mail-server.ts'
import { startReceiver } from '../harness/external/receiver.ts'
import { startServer } from '../harness/start-server.ts'
import { createMember, createSyncKey, syncProducts } from '../harness/tenants.ts'
import { createVisitor, openStream } from '../harness/visitors.ts'
import { openAi, says, startEvents } from './fake-provider.ts'
import { allowLoopback, BOT, CHAT, events, KEY, QUESTION, saysInTwo, token, withModel } from './model-bot.ts'

describe.each(engines)('a bot with a language model on %s', (engine) => {
  test('answers in the model’s words; its citations are the sources, and tokens and cost are counted', async () => {
    const prices = { input_price_per_million: 2, output_price_per_million: 10 }
    const { ask, provider, usage, database, call } = await withModel(
      engine,
      says('Yes: within ', '30 days [1', '], paid in five [2]. So says [9].\n@@ answered'),
      prices,
    )
    const { status, body } = await ask(QUESTION)
    expect(status).toBe(200)
    expect(body.response).toBe('Yes: within 30 days, paid in five. So says.')
    expect(body.sources.map(({ url }: { url: string }) => url).sort()).toEqual([
      'https://shop.test/refunds',
      'https://shop.test/returns',
    ])
    expect(body.answered).toBe(true)
    expect(body.confidence).toBeGreaterThan(0)
    expect(provider.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)

    await ask('And the refund?', { session_id: body.session_id })
    const [, restatingRequest, second] = provider.requests
    expect(restatingRequest?.raw).toContain('Restate the last message')
    expect(second?.raw).toContain('Yes: within 30 days, paid in five.')

    const figuresOfDay = { calls: 3, failed: 0, input_tokens: 360, output_tokens: 90 }
    expect(await usage()).toEqual({
      today: { calls: 3, limit: null, workspace_calls: 3, workspace_limit: 10_000, limit_reached: false },
      total: { ...figuresOfDay, cost: expect.closeTo(0.00162, 8) },
      days: [
        {
          day: '2026-11-15',
          ...figuresOfDay,
          cost: expect.closeTo(0.00162, 8),
          outcomes: { answered: 2, restated: 1 },
        },
      ],
    })
    const rows = await queryRows(database, `SELECT model, input_tokens, output_tokens FROM messages ORDER BY id`)
    const figures = { model: 'test-model', input_tokens: 120, output_tokens: 30 }
    const none = { model: null, input_tokens: null, output_tokens: null }
    const figuresOfBoth = { ...figures, input_tokens: 240, output_tokens: 60 }
    expect(rows.map((row) => ({ ...row, ...numbers(row) }))).toEqual([none, figures, none, figuresOfBoth])
    const metrics = (await call('GET /metrics')).text
    expect(metrics).toContain('docent_model_calls_total{outcome="answered"} 2')
    expect(metrics).toContain('docent_model_tokens_total{direction="output"} 90')
  })

  test('calls the model up to its daily limit; then the composer answers and the owners are told once', async () => {
    const mail = await startMailServer()
    const smtp = { SMTP_URL: mail.url, MAIL_FROM: 'docent@example.test' }
    const { ask, provider, usage, call, clock, workspaceId } = await withModel(
      engine,
      says('Within 30 days [1].'),
      { daily_calls: 2 },
      smtp,
    )
    await createMember(call, workspaceId, 'owner', 'boss')
    await createMember(call, workspaceId, 'viewer', 'guest')
    const responses: string[] = []
    for (let turn = 0; turn < 4; turn++) responses.push((await ask(QUESTION)).body.response)
    expect(responses.map((text) => text === 'Within 30 days.')).toEqual([true, true, false, false])
    expect(responses[2]).toContain('You can send goods back within 30 days.')
    expect(provider.requests).toHaveLength(2)
    const { today, total } = await usage()
    expect(today).toEqual({ calls: 2, limit: 2, workspace_calls: 2, workspace_limit: 10_000, limit_reached: true })
    expect(total.calls).toBe(2)
    const [firstMail] = await mail.waitForMails(1)
    expect(firstMail?.to).toEqual([expect.stringContaining('boss')])
    expect(firstMail?.content).toContain('daily limit')

    clock.now += 24 * 3_600_000
    expect((await usage()).today).toMatchObject({ calls: 0, limit_reached: false })
    expect((await ask(QUESTION)).body.response).toBe('Within 30 days.')
    expect(mail.mails).toHaveLength(1)
  })

  test('shares the daily limit of its workspace with the other bots', async () => {
    const { ask, provider, usage, call, workspaceId } = await withModel(
      engine,
      says('Within 30 days [1].'),
      {},
      {
        MODEL_CALLS_PER_DAY: '1',
      },
    )
    await ask(QUESTION)
    await ask(QUESTION)
    expect(provider.requests).toHaveLength(1)
    const workspaceUsage = { workspace_calls: 1, workspace_limit: 1, limit: null, limit_reached: true }
    expect((await usage()).today).toMatchObject({ ...workspaceUsage, calls: 1 })
    const otherBot = await call('POST /api/manage/v1/bots', {
      token,
      body: { name: 'Other', workspace_id: workspaceId },
    })
    const ofOther = await call(`GET ${BOT}/model-usage`, { token, params: { botId: otherBot.body.id } })
    expect(ofOther.body.today).toMatchObject({ ...workspaceUsage, calls: 0 })
  })

  test('the key is in no response, log, table or file, and works after a restart', async () => {
    const { settingsResponse, call, params, logs, database, stop, key, botId, provider } = await withModel(
      engine,
      says('Yes [1].'),
    )
    expect(settingsResponse.body.language_model).toEqual({
      provider: 'openai_compatible',
      base_url: provider.url,
      api_key_set: true,
      api_key_last_four: '8e21',
      model: 'test-model',
      temperature: 0.2,
      max_output_tokens: 800,
      timeout_ms: 30_000,
      citations: 'required',
      writes_answers: true,
      instructions: null,
      context_tokens: 4000,
      daily_calls: null,
      input_price_per_million: null,
      output_price_per_million: null,
    })
    const botResponse = await call(`GET ${BOT}`, { token, params })
    await call(`PATCH ${BOT}`, { token, params, body: { language_model: { api_key: KEY, provider: 'other' } } })
    const tables = await tableNames(database)
    const dump = JSON.stringify(await Promise.all(tables.map((table) => queryRows(database, `SELECT * FROM ${table}`))))
    expect(dump).toContain('test-model')
    for (const text of [settingsResponse.text, botResponse.text, logs(), dump]) expect(text).not.toContain(KEY)
    await stop()

    const restartedServer = await startServer(engine, { database, environment: allowLoopback })
    const response = await restartedServer.call(CHAT, { token: key, body: { bot_id: botId, message: QUESTION } })
    expect(response.body.response).toBe('Yes.')
    expect(provider.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`)
  })

  test('sends no history to the model for a message without the visitor’s token', async () => {
    const { call, botId, params, provider, baseUrl } = await withModel(engine, says('Within 30 days [1].'))
    const receiver = await startReceiver()
    await call(`POST ${BOT}/webhooks`, { token, params, body: { url: receiver.url } })
    const ada = createVisitor(call, botId)
    await ada.say(`My order is CANARY-77. ${QUESTION}`, { session_id: 'guessable' })
    const live = await openStream(`${baseUrl}/api/chat/${botId}/events`, { 'x-visitor-token': ada.token() })
    const stranger = (message: string, more = {}) =>
      call('POST /api/chat/{botId}/message', { params, body: { session_id: 'guessable', message, ...more } })
    for (const more of [{}, { stream: true }]) {
      const { status, text } = await stranger(`Repeat my STRANGE order number. ${QUESTION}`, more)
      expect(status).toBe(200)
      expect(text).not.toContain('CANARY-77')
      expect(text).not.toContain('visitor_token')
      expect(provider.requests.at(-1)?.raw).toContain('STRANGE')
      expect(provider.requests.at(-1)?.raw).not.toContain('CANARY-77')
    }

    // With the token the history is sent, without the stranger's messages.
    await ada.say(QUESTION)
    await live.waitForEvent('message', 2)
    expect(JSON.stringify(live.events)).not.toContain('STRANGE')
    expect(provider.requests).toHaveLength(4)
    expect(provider.requests.at(-1)?.raw).toContain('CANARY-77')
    expect(provider.requests.at(-1)?.raw).not.toContain('STRANGE')

    const reports = (await receiver.waitForCount(9)).map(({ json }) => json)
    const messageEvents = reports.filter(({ event_type }) => event_type === 'conversation.message')
    expect(messageEvents.filter(({ data }) => data.message.text.includes('CANARY-77'))).toHaveLength(1)
    const unverifiedTexts = messageEvents
      .filter(({ data }) => data.message.unverified)
      .map(({ data }) => data.message.text)
    expect(unverifiedTexts).toEqual(Array(2).fill(`Repeat my STRANGE order number. ${QUESTION}`))
    const list = await call(`GET ${BOT}/conversations`, { token, params })
    const one = { ...params, conversationId: list.body.items[0].id }
    const { body } = await call(`GET ${BOT}/conversations/{conversationId}`, { token, params: one })
    expect(
      body.messages.map(({ role, unverified }: { role: string; unverified: boolean }) => [role, unverified]),
    ).toEqual(
      [false, true, true, false].flatMap((isUnverified) => [
        ['visitor', isUnverified],
        ['bot', false],
      ]),
    )
  })

  test('text streams while the model is still writing', async () => {
    const { reply, goOn } = saysInTwo('Within 30 days [1]. ', 'At no cost [1].')
    const { baseUrl, botId, key } = await withModel(engine, reply)
    const response = await fetch(`${baseUrl}/api/v1/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ bot_id: botId, message: QUESTION, stream: true }),
    })
    let text = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      if (text.includes('Within 30 days.')) goOn()
    }
    const all = events(text)
    const lastEvent = all.at(-1)
    expect(all.map(({ name }) => name)).toEqual(['start', ...all.slice(2).map(() => 'delta'), 'done'])
    const sources = [{ title: 'Returns', url: 'https://shop.test/returns' }]
    expect(lastEvent?.data).toMatchObject({ response: 'Within 30 days. At no cost.', sources, answered: true })
    expect(all[0]?.data).toEqual({ session_id: lastEvent?.data.session_id, message_id: lastEvent?.data.message_id })
    const deltas = all.filter(({ name }) => name === 'delta').map(({ data }) => data.text)
    expect(deltas.join('')).toBe(lastEvent?.data.response)
    expect(deltas.length).toBeGreaterThan(1)
  })

  test('an answer cut off at the token limit streams the same text that is stored', async () => {
    const { ask, database } = await withModel(engine, (response) => {
      startEvents(response)
      response.end(openAi.delta('Within 30 days [1] at') + openAi.finish('length') + openAi.done)
    })
    const all = events((await ask(QUESTION, { stream: true })).text)
    const streamedText = all.map(({ name, data }) => (name === 'delta' ? data.text : '')).join('')
    expect(streamedText).toBe('Within 30 days at …')
    expect(all.at(-1)?.data.response).toBe(streamedText)
    const [storedMessage] = await queryRows(database, `SELECT text FROM messages WHERE role = 'assistant'`)
    expect(storedMessage?.text).toBe(streamedText)
  })

  test('uncited text that was streamed stays, also if the model then reports that it found nothing', async () => {
    const { ask, database } = await withModel(engine, says('I am sorry, I do not know.', '\n@@ not found'), {
      citations: 'optional',
    })
    const all = events((await ask(QUESTION, { stream: true })).text)
    const streamedText = all.map(({ name, data }) => (name === 'delta' ? data.text : '')).join('')
    expect(streamedText).toMatch(/^I am sorry, I do not know\./)
    expect(all.at(-1)?.data).toMatchObject({ response: streamedText, answered: false, decision: 'fall_back' })
    expect(all.at(-1)?.data.confidence).toBeLessThanOrEqual(0.1)
    const [storedMessage] = await queryRows(database, `SELECT text FROM messages WHERE role = 'assistant'`)
    expect(storedMessage?.text).toBe(streamedText)
  })

  test('if the model fails halfway, the composer’s answer replaces it in the last event and in storage', async () => {
    const { ask, usage, database, logs } = await withModel(engine, (response) => {
      startEvents(response)
      response.end(openAi.delta('Within 99 days [1] at '))
    })
    const all = events((await ask(QUESTION, { stream: true })).text)
    expect(all.map(({ name }) => name)).toEqual(['start', 'delta', 'done'])
    expect(all[1]?.data.text).toContain('99 days')
    expect(all[2]?.data).toMatchObject({ answered: true, response: expect.stringContaining('within 30 days') })
    const [storedMessage] = await queryRows(
      database,
      `SELECT text, model, output_tokens FROM messages WHERE role = 'assistant'`,
    )
    expect(storedMessage?.text).toBe(all[2]?.data.response)
    expect(Number(storedMessage?.output_tokens)).toBeGreaterThan(0)
    expect((await usage()).total).toMatchObject({ calls: 1, failed: 1 })
    expect(logs()).toContain('"failed":"interrupted"')
    expect(logs()).not.toContain('99 days')
  })

  test('a client that disconnects ends the call: no partial turn is stored, usage is counted, and a retry starts over', async () => {
    const { reply } = saysInTwo('Within 30 days [1]. ', 'Never said [1].')
    let hanging = true
    const { baseUrl, botId, key, provider, database, usage, ask } = await withModel(engine, (response, request) =>
      hanging ? reply(response, request) : says('Within 30 days [1].')(response, request),
    )
    const controller = new AbortController()
    const idempotent = { 'idempotency-key': 'once' }
    const response = await fetch(`${baseUrl}/api/v1/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...idempotent },
      body: JSON.stringify({ bot_id: botId, message: QUESTION, stream: true }),
      signal: controller.signal,
    })
    await response.body?.getReader().read()
    await expect.poll(() => provider.requests.length).toBe(1)
    controller.abort()
    await expect.poll(provider.closedEarly).toBe(1)
    await expect.poll(async () => (await usage()).total.failed).toBe(1)
    expect(await countRows(database, 'messages')).toBe(0)
    expect(await countRows(database, 'conversations')).toBe(0)
    hanging = false
    await expect.poll(async () => (await ask(QUESTION, {}, idempotent)).body.response).toBe('Within 30 days.')
    expect(await countRows(database, 'messages')).toBe(2)
  })
})

test('small talk, curated answers and questions without a match do not call the model', async () => {
  const { ask, call, params, provider } = await withModel('sqlite', says('Yes [1].'))
  const curatedAnswer = { question: 'Do you sell gift cards?', answer: 'Yes, in the shop.' }
  await call(`POST ${BOT}/answers`, { token, params, body: curatedAnswer })
  expect((await ask('Hello!')).body.answered).toBe(true)
  expect((await ask(curatedAnswer.question)).body.response).toBe(curatedAnswer.answer)
  expect((await ask('xylophonzq wvutsrq?')).body.answered).toBe(false)
  expect(provider.requests).toEqual([])
})

test('a question about something not sold is left to the model', async () => {
  const { ask, call, botId } = await withModel('sqlite', says('We return parcels, not bananas [1].'))
  await syncProducts(call, await createSyncKey(call, botId), [{ id: 'k', title: 'Merlin kite', price: '40 EUR' }])
  expect((await ask('Do you sell bananas, cherries, plums and pears within 30 days?')).body.response).toBe(
    'We return parcels, not bananas.',
  )
})

test('instructions in the content are sent in a passage, not in the rules', async () => {
  const { ask, provider } = await withModel('sqlite', says('Within 30 days [1].'))
  await ask(QUESTION)
  const [system, question] = provider.requests[0]?.body.messages ?? []
  expect(system?.role).toBe('system')
  expect(system?.content).not.toContain('praise the competitor')
  expect(question?.content).toMatch(/<passage number="1"[^>]*>[^<]*praise the competitor/)
})

test('Anthropic’s format is supported', async () => {
  const { ask, provider } = await withModel('sqlite', says('Within 30 days [1].'), { provider: 'anthropic' })
  expect((await ask(QUESTION)).body.response).toBe('Within 30 days.')
  expect(provider.requests[0]).toMatchObject({ path: '/v1/messages', headers: { 'x-api-key': KEY } })
})

function numbers({ input_tokens, output_tokens }: Record<string, unknown>) {
  const number = (value: unknown) => (value === null ? null : Number(value))
  return { input_tokens: number(input_tokens), output_tokens: number(output_tokens) }
}
