// The OpenAI-compatible chat API, tested with the official client.
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { type Engine, engines } from '../harness/database/databases.ts'
import { countRows, queryRows } from '../harness/database/rows.ts'
import { startReceiver } from '../harness/external/receiver.ts'
import { brokenBodies, hostileStrings } from '../harness/samples/bad-input.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { openAi, says, startEvents, startFakeProvider } from '../language-model/fake-provider.ts'

const COMPLETIONS = 'POST /v1/chat/completions'
const QUESTION = 'Within how many days can I send goods back?'
const returnsPage = { title: 'Returns [EU]', url: 'https://shop.test/returns_(eu)' }
const LINK = '[Returns \\[EU\\]](https://shop.test/returns_%28eu%29)'
const documents = [
  { id: 'returns', ...returnsPage, text: 'You can send goods back within 30 days.' },
  { id: 'opening', title: 'Opening hours', text: 'The workshop in Lindenstrasse is open from nine to six.' },
  { id: 'parcels', title: 'Parcels', text: 'A parcel to Norway takes nine days and costs 12 euros.' },
  { id: 'wheels', title: 'Wheels', text: 'A new wheel takes two days and costs 40 euros.' },
]
const allowLoopback = { ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' }

interface DocentFields {
  sources: object[]
  session_id: string
  confidence: number
  answered: boolean
  decision: string
}

async function withClient(engine: Engine, options: object = {}) {
  const server = await startServer(engine, { environment: allowLoopback })
  const bot = await server.createBot({ documents, ...options })
  const client = new OpenAI({ baseURL: `${server.baseUrl}/v1`, apiKey: bot.key })
  const ask = (content: string, more: object = {}) =>
    client.chat.completions.create({ model: bot.botId, messages: [{ role: 'user', content }], ...more, stream: false })
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    server.call(COMPLETIONS, { token: bot.key, body, headers })
  return { ...server, ...bot, client, ask, post }
}

describe('the official OpenAI client', () => {
  test('gets an answer with its sources as text, annotations and a field', async () => {
    const { ask, botId, clock } = await withClient('sqlite')
    const completion = await ask(QUESTION, { model: 'docent', temperature: 0, max_tokens: 5, tools: [], seed: null })
    const [choice] = completion.choices
    expect(choice?.message.content).toBe(`You can send goods back within 30 days.\n\n---\n- ${LINK}`)
    expect(choice?.finish_reason).toBe('stop')
    expect(completion).toMatchObject({ object: 'chat.completion', model: botId, created: clock.now / 1000 })
    const [annotation] = choice?.message.annotations ?? []
    expect(annotation?.url_citation).toMatchObject(returnsPage)
    const { start_index, end_index } = annotation?.url_citation ?? {}
    expect(choice?.message.content?.slice(start_index, end_index)).toBe(LINK)
    const { sources, session_id, confidence, answered, decision } = completion as unknown as DocentFields
    expect(sources).toEqual([returnsPage])
    expect(decision).toBe('answer')
    expect([session_id, answered, confidence > 0.5]).toEqual([expect.stringMatching(/^ses_/), true, true])
  })

  test('streams the same answer in chunks, with the usage at the end on request', async () => {
    const { client, ask } = await withClient('sqlite')
    const completion = await ask(QUESTION)
    const messages = [{ role: 'user' as const, content: QUESTION }]
    const stream_options = { include_usage: true }
    const stream = await client.chat.completions.create({ model: 'docent', messages, stream: true, stream_options })
    const chunks = await Array.fromAsync(stream)
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
    expect(text).toBe(completion.choices[0]?.message.content)
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant')
    expect(chunks.at(-2)).toMatchObject({
      choices: [{ finish_reason: 'stop' }],
      sources: [returnsPage],
      decision: 'answer',
    })
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 0 } })

    const runner = client.chat.completions.stream({ model: 'docent', messages })
    expect(await runner.finalContent()).toBe(text)
  })

  test('reaches the key’s mirror webhook in the format of the chat API, including refused and replayed calls', async () => {
    const receiver = await startReceiver()
    const { ask, post, botId } = await withClient('sqlite', { webhookUrl: receiver.url })
    const mirrored = async (count: number) => {
      const find = () => receiver.received.filter(({ json }) => json.event_type === 'chat.mirrored')
      await expect.poll(() => find().length).toBe(count)
      return find().at(-1)?.json
    }
    await ask(QUESTION, { user: 'anna' })
    const first = await mirrored(1)
    expect(first.request).toEqual({ bot_id: botId, message: QUESTION, user_id: 'anna', stream: false })
    expect(first.response.body).toMatchObject({
      response: 'You can send goods back within 30 days.',
      sources: [returnsPage],
    })

    const body = { model: 'docent', messages: [{ role: 'user', content: QUESTION }] }
    const [firstResponse, replay] = [
      await post(body, { 'idempotency-key': 'k' }),
      await post(body, { 'idempotency-key': 'k' }),
    ]
    expect(replay.body.message_id).toBe(firstResponse.body.message_id)
    expect((await mirrored(3)).response.body.message_id).toBe(firstResponse.body.message_id)
    const otherBody = { ...body, messages: [{ role: 'user', content: 'Hello' }, ...body.messages] }
    expect((await post(otherBody, { 'idempotency-key': 'k' })).status).toBe(409)
    expect((await mirrored(4)).response.body.error.code).toBe('idempotency_conflict')

    await post({ model: 'docent', messages: [] })
    const last = await mirrored(5)
    expect(last.request).toEqual({ model: 'docent', messages: [] })
    expect(last.response).toMatchObject({ status: 400, body: { error: { code: 'validation_failed' } } })
  })
})

describe.each(engines)('the official OpenAI client on %s', (engine) => {
  test('sends the history with each call: a follow-up is understood, and only the last message is stored', async () => {
    const { ask, database } = await withClient(engine)
    const costs = { role: 'user', content: [{ type: 'text', text: 'And what does it cost?' }] }
    const before = (content: string) => [
      { role: 'system', content: 'You are a pirate.' },
      { role: 'user', content },
      { role: 'assistant', content: `It takes a while.\n\n---\n- ${LINK}` },
      { role: 'tool', tool_call_id: 'x', content: 'ignored' },
    ]
    const parcel = await ask('', { messages: [...before('How long does a parcel to Norway take?'), costs] })
    expect(parcel.choices[0]?.message.content).toContain('12 euros')
    const wheel = await ask('', { messages: [...before('How long does a new wheel take?'), costs] })
    expect(wheel.choices[0]?.message.content).toContain('40 euros')
    const rows = await queryRows(database, `SELECT text FROM messages WHERE role = 'user'`)
    expect(rows.map(({ text }) => text)).toEqual(['And what does it cost?', 'And what does it cost?'])
  })

  test('continues a session with its stored history if it sends one', async () => {
    const { ask, database, post } = await withClient(engine)
    const { session_id } = (await ask('Can I send goods back?')) as unknown as DocentFields
    const second = await ask('And within how many days?', { session_id, user: 'anna', metadata: { order: '7' } })
    expect(second.choices[0]?.message.content).toContain('30 days')
    expect((second as unknown as DocentFields).session_id).toBe(session_id)
    expect(await countRows(database, 'conversations')).toBe(1)
    const response = await post({ model: 'docent', messages: [{ role: 'user', content: 'Hi' }], session_id: 'ses_x' })
    expect([response.status, response.body.error.code]).toEqual([404, 'session_not_found'])
  })

  test('counts against the quota of its key, and beyond it is refused at once and runs no bot', async () => {
    const { client, ask, call, database } = await withClient(engine, { dailyLimit: 2 })
    const [model] = (await client.models.list()).data
    expect(model).toMatchObject({ object: 'model', owned_by: 'docent', name: 'Test bot' })
    const { response } = await client.chat.completions
      .create({ model: model?.id ?? '', messages: [{ role: 'user', content: QUESTION }] })
      .withResponse()
    expect(response.headers.get('x-ratelimit-remaining')).toBe('1')
    await ask(QUESTION)
    const refusal = await failure(ask(QUESTION))
    expect(refusal).toBeInstanceOf(OpenAI.RateLimitError)
    expect(refusal).toMatchObject({ status: 429, code: 'daily_quota_exceeded', type: 'insufficient_quota' })
    expect((await client.models.list()).data).toHaveLength(1)
    expect(await countRows(database, 'conversations')).toBe(2)
    // The client would retry by itself.
    const metrics = await call('GET /metrics')
    expect(metrics.text).toContain(`docent_requests_total{route="${COMPLETIONS}",status="429"} 1`)
  })
})

describe('the official OpenAI client with responses', () => {
  const text = `You can send goods back within 30 days.\n\n---\n- ${LINK}`

  test('gets an answer with citations, and continues it by the id of the response', async () => {
    const { client, botId, database, clock } = await withClient('sqlite')
    const first = await client.responses.create({ model: 'docent', input: QUESTION, instructions: 'Be a pirate.' })
    expect(first).toMatchObject({ object: 'response', status: 'completed', model: botId, output_text: text })
    expect(first.created_at).toBe(clock.now / 1000)
    const [item] = first.output
    const [part] = item?.type === 'message' ? item.content : []
    const [citation] = part?.type === 'output_text' ? part.annotations : []
    if (citation?.type !== 'url_citation') throw new Error('no citation')
    expect(citation).toMatchObject(returnsPage)
    expect(text.slice(citation.start_index, citation.end_index)).toBe(LINK)
    expect(first).toMatchObject({ sources: [returnsPage], decision: 'answer', answered: true })

    const input = [{ role: 'user' as const, content: [{ type: 'input_text' as const, text: 'And within how long?' }] }]
    const next = await client.responses.create({ model: botId, input, previous_response_id: first.id })
    expect(next.previous_response_id).toBe(first.id)
    expect(next).toMatchObject({ session_id: (first as unknown as DocentFields).session_id })
    expect(await countRows(database, 'conversations')).toBe(1)
  })

  test('takes earlier messages and its own output as history', async () => {
    const { client, database } = await withClient('sqlite')
    const first = await client.responses.create({ model: 'docent', input: 'How long does a parcel to Norway take?' })
    const { output_text } = await client.responses.create({
      model: 'docent',
      input: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: 'How long does a parcel to Norway take?' },
        { role: 'assistant', content: first.output_text },
        { role: 'user', content: 'And what does it cost?' },
      ],
    })
    expect(output_text).toContain('12 euros')
    expect(await countRows(database, 'conversations')).toBe(2)
  })

  test('streams the same answer', async () => {
    const { client } = await withClient('sqlite')
    const events = await Array.fromAsync(
      await client.responses.create({ model: 'docent', input: QUESTION, stream: true }),
    )
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index))
    expect(events[0]?.type).toBe('response.created')
    const deltas = events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : ''))
    expect(deltas.join('')).toBe(text)
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { sources: [returnsPage] } })
    const final = await client.responses.stream({ model: 'docent', input: QUESTION }).finalResponse()
    expect(final.output_text).toBe(text)
  })

  test('counts, mirrors and replays like the chat API', async () => {
    const receiver = await startReceiver()
    const { call, key, botId } = await withClient('sqlite', { webhookUrl: receiver.url, dailyLimit: 3 })
    const mirrored = async (count: number) => {
      const find = () => receiver.received.filter(({ json }) => json.event_type === 'chat.mirrored')
      await expect.poll(() => find().length).toBe(count)
      return find().at(-1)?.json
    }
    const send = (body: unknown) =>
      call('POST /v1/responses', { token: key, body, headers: { 'idempotency-key': 'once' } })
    const body = { model: 'docent', input: QUESTION, user: 'anna' }
    const [firstResponse, replay] = [await send(body), await send(body)]
    expect(replay.body).toEqual(firstResponse.body)
    expect(replay.headers['idempotent-replayed']).toBe('true')
    const event = await mirrored(2)
    expect(event.request).toEqual({ bot_id: botId, message: QUESTION, user_id: 'anna' })
    expect(event.response.body.message_id).toBe(firstResponse.body.message_id)

    expect((await send({ model: 'docent', input: [] })).status).toBe(400)
    expect((await mirrored(3)).request).toEqual({ model: 'docent', input: [] })
    expect((await send(body)).body.error).toMatchObject({ code: 'daily_quota_exceeded', type: 'insufficient_quota' })
    expect((await mirrored(4)).request).toEqual({ bot_id: botId, message: QUESTION, user_id: 'anna' })
  })

  test.each([
    ['background', { background: true }],
    ['conversation', { conversation: 'conv_1' }],
    ['tool_choice', { tool_choice: 'required' }],
    ['text.format', { text: { format: { type: 'json_object' } } }],
    ['previous_response_id', { previous_response_id: 'other' }],
    ['input.0.content', { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'x' }] }] }],
  ])('is refused with the name of the parameter: %s', async (param, more) => {
    const { call, key } = await withClient('sqlite')
    const { status, body } = await call('POST /v1/responses', {
      token: key,
      body: { model: 'docent', input: QUESTION, ...more },
    })
    expect([status, body.error.param]).toEqual([400, param])
  })

  test('finds its model by id', async () => {
    const { client, botId, createBot } = await withClient('sqlite')
    expect(await client.models.retrieve(botId)).toMatchObject({ id: botId, object: 'model', owned_by: 'docent' })
    expect(await client.models.retrieve('docent')).toMatchObject({ id: botId })
    for (const model of [(await createBot()).botId, 'gpt-5'])
      expect(await failure(client.models.retrieve(model))).toMatchObject({ status: 404, code: 'model_not_found' })
  })
})

describe('a bot with a language model', () => {
  async function withModel(reply: Parameters<typeof startFakeProvider>[0]) {
    const provider = await startFakeProvider(reply)
    const { client, call, botId } = await withClient('sqlite')
    const language_model = {
      provider: 'openai_compatible',
      base_url: provider.url,
      api_key: 'k',
      model: 'm',
      citations: 'optional',
    }
    const manage = { token: ADMIN_TOKEN, params: { botId } }
    await call('PATCH /api/manage/v1/bots/{botId}', { ...manage, body: { language_model } })
    const messages = [{ role: 'user' as const, content: QUESTION }]
    const stream = await client.chat.completions.create({ model: botId, messages, stream: true })
    const chunks = await Array.fromAsync(stream)
    return chunks.map(({ choices }) => choices[0]?.delta.content ?? '').filter(Boolean)
  }

  test('streams the model’s words as they come', async () => {
    const pieces = await withModel(says('You have [1] ', 'a whole ', 'month.'))
    expect(pieces.length).toBeGreaterThan(2)
    expect(pieces.join('')).toBe(`You have a whole month.\n\n---\n- ${LINK}`)
  })

  test('continues with an answer from the pages if the model fails halfway', async () => {
    const pieces = await withModel((response) => {
      startEvents(response)
      response.write(openAi.delta('You have a whole month, and then '))
      setTimeout(() => response.destroy(), 50)
    })
    expect(pieces.join('')).toMatch(/\n\nYou can send goods back within 30 days\.\n\n---\n- \[Returns/)
  })
})

describe('errors in the format of OpenAI', () => {
  test('become the client’s own error classes: key, plan, model', async () => {
    const { client, ask, createBot, baseUrl, botId } = await withClient('sqlite')
    const stranger = new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey: 'sk-none' })
    const wrongKey = await failure(stranger.models.list())
    expect(wrongKey).toBeInstanceOf(OpenAI.AuthenticationError)
    expect(wrongKey).toMatchObject({ code: 'invalid_api_key', type: 'invalid_request_error', param: null })

    const free = new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey: (await createBot({ plan: 'free' })).key })
    const noPlan = await failure(free.models.list())
    expect(noPlan).toBeInstanceOf(OpenAI.PermissionDeniedError)
    expect(noPlan).toMatchObject({ code: 'plan_required' })

    const otherBot = await createBot()
    for (const model of [otherBot.botId, 'gpt-5', `${botId}x`]) {
      const refusal = await failure(ask(QUESTION, { model }))
      expect(refusal).toBeInstanceOf(OpenAI.NotFoundError)
      expect(refusal).toMatchObject({ code: 'model_not_found' })
    }
    const noRoute = await failure(client.embeddings.create({ model: botId, input: 'x' }))
    expect(noRoute).toMatchObject({ status: 404, code: 'not_found', type: 'invalid_request_error' })
  })

  test('name the parameter that a bot does not support', async () => {
    const { post, ask } = await withClient('sqlite')
    const image = { type: 'image_url', image_url: { url: 'https://shop.test/x.png' } }
    const unsupportedFields: [string, object][] = [
      ['n', { n: 2 }],
      ['tool_choice', { tool_choice: 'required' }],
      ['function_call', { function_call: { name: 'x' } }],
      ['response_format', { response_format: { type: 'json_object' } }],
      ['response_format', { response_format: 'json' }],
      ['logprobs', { logprobs: true }],
      ['modalities', { modalities: ['text', 'audio'] }],
      ['model', { model: '' }],
      ['stream', { stream: 'yes' }],
      ['messages', { messages: [{ role: 'system', content: 'Hi' }] }],
      ['messages.0.role', { messages: [{ role: 'pirate', content: 'Hi' }] }],
      ['messages.0.content', { messages: [{ role: 'user' }] }],
      ['messages.0.content', { messages: [{ role: 'user', content: ' \n' }] }],
      ['messages.0.content', { messages: [{ role: 'user', content: 'x'.repeat(10_001) }] }],
      ['messages.0.content', { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }, image] }] }],
      ['metadata.a', { metadata: { a: { b: 1 } } }],
    ]
    for (const [param, more] of unsupportedFields) {
      const { status, body } = await post({ model: 'docent', messages: [{ role: 'user', content: 'Hi' }], ...more })
      expect([status, body.error.type, body.error.param]).toEqual([400, 'invalid_request_error', param])
      expect(body.error.message).toContain(param)
    }
    const nothing = { n: null, tool_choice: null, response_format: null, user: null, metadata: null, stop: null }
    expect((await ask(QUESTION, nothing)).choices).toHaveLength(1)
  })

  test('are returned for hostile bodies, while hostile strings get an answer', async () => {
    const { call, post, key, ask } = await withClient('sqlite', { dailyLimit: 100_000 })
    for (const [name, raw, code] of brokenBodies) {
      const { status, body } = await call(COMPLETIONS, { token: key, raw })
      expect([name, status, body.error.code]).toEqual([name, 400, code])
      expect(body.error).toMatchObject({ type: 'invalid_request_error', message: expect.any(String) })
    }
    for (const text of hostileStrings) {
      const messages = [
        { role: 'user', content: text },
        { role: 'assistant', content: `${text}\n\n---\n- [${text}](${text})` },
        { role: 'user', content: [{ type: 'text', text }] },
      ]
      const { status } = await post({ model: 'docent', messages, metadata: { text: text.slice(0, 500) } })
      expect([text.slice(0, 30), status]).toEqual([text.slice(0, 30), text.trim() === '' ? 400 : 200])
    }
    const long = Array.from({ length: 2001 }, () => ({ role: 'user', content: 'Hi' }))
    expect((await post({ model: 'docent', messages: long })).status).toBe(400)
    expect((await post({ model: 'docent', messages: long.slice(1) })).status).toBe(200)
    expect((await post({ model: 'docent', messages: [], more: 'x'.repeat(1024 * 1024) })).status).toBe(413)
    expect((await ask(QUESTION)).choices).toHaveLength(1)
  })
})

async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => {
      throw new Error('was answered')
    },
    (error) => error,
  )
}
