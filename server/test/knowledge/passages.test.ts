// Passages as people work with them: cited, corrected, excluded, found by other phrasings, and kept over re-crawls.
import type { Passage, PatchPassage } from '@docent/contract'
import { describe, expect, test } from 'vitest'
import { type Engine, engines } from '../harness/database/databases.ts'
import { queryRows, runStatement } from '../harness/database/rows.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createVisitor } from '../harness/visitors.ts'

const token = ADMIN_TOKEN
const BOT = '/api/manage/v1/bots/{botId}'
const PASSAGES = `${BOT}/documents/{documentId}/passages` as const

const delivery = `# Delivery

Delivery within the country takes two to three working days.

## Express

An express parcel arrives on the next morning and costs 12 euros.

## Returns

Send a lamp back within 30 days with the label in the parcel.`

async function withPage(engine: Engine, markdown = delivery) {
  const server = await startServer(engine)
  const page = { id: 'delivery', title: 'Delivery', url: 'https://shop.test/delivery' }
  const bot = await server.createBot({ documents: [{ ...page, markdown }] })
  const params = { botId: bot.botId, documentId: page.id }
  const list = async (): Promise<Passage[]> => (await server.call(`GET ${PASSAGES}`, { token, params })).body.items
  const under = async (heading: string | null): Promise<Passage> => {
    const match = (await list()).find((passage) => passage.heading === heading)
    if (!match) throw new Error(`there is no passage under ${heading}`)
    return match
  }
  return {
    ...server,
    ...bot,
    params,
    list,
    under,
    publish: (text: string) =>
      server.call(`POST ${BOT}/documents`, { token, params, body: { documents: [{ ...page, markdown: text }] } }),
    change: async (heading: string | null, body: PatchPassage) => {
      const { id } = await under(heading)
      const response = await server.call(`PATCH ${PASSAGES}/{passageId}`, {
        token,
        params: { ...params, passageId: id },
        body,
      })
      expect(response.status).toBe(200)
      return response.body as Passage
    },
    ask: async (message: string) =>
      (await server.call('POST /api/v1/chat', { token: bot.key, body: { bot_id: bot.botId, message } })).body,
  }
}

describe.each(engines)('passages on %s', (engine) => {
  test('are listed in the order of the page, with citations, ratings and the last questions', async () => {
    const { ask, list, call, params, botId } = await withPage(engine)
    const before = await list()
    expect(before.map(({ heading, cited, missing }) => [heading, cited, missing])).toEqual([
      [null, 0, false],
      ['Express', 0, false],
      ['Returns', 0, false],
    ])
    expect((await ask('What does an express parcel cost?')).response).toContain('12 euros')
    const visitor = createVisitor(call, botId)
    const { body } = await visitor.say('How much is an express parcel?')
    await visitor.post('feedback', { message_id: body.message_id, rating: 'up' })
    const express = (await list())[1]
    expect(express).toMatchObject({ cited: 2, rated_up: 1, rated_down: 0, id: before[1]?.id })
    expect(express?.questions.map(({ text, rating }) => [text, rating])).toEqual([
      ['How much is an express parcel?', 'up'],
      ['What does an express parcel cost?', null],
    ])
    // The inbox leads from a reply back to its passages.
    const conversationId = express?.questions[0]?.conversation_id ?? ''
    const ONE = 'GET /api/manage/v1/bots/{botId}/conversations/{conversationId}'
    const { messages } = (await call(ONE, { token, params: { botId, conversationId } })).body
    const citation = { document_id: params.documentId, passage_id: express?.id, title: expect.any(String) }
    expect(messages.map(({ citations }: { citations?: unknown }) => citations)).toEqual([undefined, [citation]])
    const firstPage = await call(`GET ${PASSAGES}`, { token, params, query: { limit: '2' } })
    expect(firstPage.body.items).toHaveLength(2)
    const rest = await call(`GET ${PASSAGES}`, { token, params, query: { cursor: firstPage.body.next_cursor } })
    expect(rest.body.items.map(({ heading }: Passage) => heading)).toEqual(['Returns'])
  })

  test('answers use a correction, and keep it when the page is read again', async () => {
    const { ask, change, under, publish } = await withPage(engine)
    const text = 'An express parcel arrives on the next morning and costs 15 euros.'
    expect(await change('Express', { corrected_text: text })).toMatchObject({
      corrected_text: text,
      previous_text: null,
    })
    expect((await ask('What does an express parcel cost?')).response).toContain('15 euros')
    await publish(`${delivery}\n\n## Pick-up\n\nLamps can be collected at the shop.`)
    expect(await under('Express')).toMatchObject({ corrected_text: text, previous_text: null })
    expect((await ask('What does an express parcel cost?')).response).toContain('15 euros')
  })

  test('a page that changes shows what it said before, until somebody decides', async () => {
    const { ask, change, under, publish } = await withPage(engine)
    const text = 'An express parcel costs 15 euros.'
    const { id, text: old } = await change('Express', { corrected_text: text })
    await publish(delivery.replace('12 euros', '14 euros and comes by bicycle'))
    const passage = await under('Express')
    expect(passage).toMatchObject({ id, corrected_text: text, previous_text: old })
    expect(passage.text).toContain('14 euros')
    expect((await ask('What does an express parcel cost?')).response).toContain('15 euros')
    // To add a phrasing is no decision about the correction.
    expect(await change('Express', { phrasings: ['overnight'] })).toMatchObject({ previous_text: old })
    expect(await change('Express', { corrected_text: text })).toMatchObject({
      previous_text: null,
      corrected_text: text,
    })
    expect(await change('Express', { corrected_text: null })).toMatchObject({ corrected_text: null })
    expect((await ask('What does an express parcel cost?')).response).toContain('14 euros')
  })

  test('an excluded passage is never used, also after the page has changed, until it is included again', async () => {
    const { ask, change, under, publish, call, botId } = await withPage(engine)
    await change('Express', { excluded: true })
    const question = 'What does an express parcel cost?'
    expect((await ask(question)).response).not.toContain('12 euros')
    await publish(delivery.replace('12 euros', '13 euros'))
    expect((await under('Express')).excluded).toBe(true)
    expect((await ask(question)).response).not.toContain('13 euros')
    const results = await call(`GET ${BOT}/search`, { token, params: { botId }, query: { q: question } })
    expect(JSON.stringify(results.body.results)).not.toContain('13 euros')
    await change('Express', { excluded: false })
    expect((await ask(question)).response).toContain('13 euros')
  })

  test('search names the passage it found', async () => {
    const { call, under, botId } = await withPage(engine)
    const results = await call(`GET ${BOT}/search`, {
      token,
      params: { botId },
      query: { q: 'price of an express parcel' },
    })
    const { id, heading } = await under('Express')
    expect(results.body.results[0]).toMatchObject({ document_id: 'delivery', passage_id: id, heading })
  })

  test('a phrasing finds a passage that shares no word with it', async () => {
    const { ask, change } = await withPage(engine)
    const question = 'Do you offer overnight shipment?'
    expect((await ask(question)).response).not.toContain('next morning')
    await change('Express', { phrasings: ['Do you offer overnight shipment?', ' overnight shipping '] })
    expect((await ask(question)).response).toContain('next morning')
  })

  test('edits to a section that left the page are listed last, and come back with it', async () => {
    const { change, list, publish, call, params } = await withPage(engine)
    const text = 'Send a lamp back within 60 days.'
    const { id } = await change('Returns', { corrected_text: text })
    await publish(delivery.slice(0, delivery.indexOf('## Returns')))
    const remainingPassages = await list()
    expect(remainingPassages.map((passage) => [passage.heading, passage.missing])).toEqual([
      [null, false],
      ['Express', false],
      ['Returns', true],
    ])
    await publish(delivery)
    expect((await list())[2]).toMatchObject({ id, corrected_text: text, missing: false })
    await publish(delivery.slice(0, delivery.indexOf('## Returns')))
    const options = { token, params: { ...params, passageId: id }, body: { corrected_text: null } }
    expect((await call(`PATCH ${PASSAGES}/{passageId}`, options)).status).toBe(200)
    expect(await list()).toHaveLength(2)
    expect((await call(`PATCH ${PASSAGES}/{passageId}`, options)).status).toBe(404)
  })

  test('of two people who correct a passage at once, the second is told and loses nothing', async () => {
    const { call, params, under, change, list } = await withPage(engine)
    const passage = await under('Express')
    const save = (body: PatchPassage) =>
      call(`PATCH ${PASSAGES}/{passageId}`, { token, params: { ...params, passageId: passage.id }, body })
    const expected_edited_at = passage.edited_at
    const first = await save({ corrected_text: 'Express costs 14 euros.', expected_edited_at })
    expect(first.status).toBe(200)
    const second = await save({ corrected_text: 'Express costs 15 euros.', expected_edited_at })
    expect([second.status, second.body.error.code]).toEqual([409, 'passage_changed'])
    expect((await under('Express')).corrected_text).toBe('Express costs 14 euros.')
    const secondSave = await save({
      corrected_text: 'Express costs 15 euros.',
      expected_edited_at: first.body.edited_at,
    })
    expect(secondSave.status).toBe(200)

    // Changes of different fields at once are both kept.
    await Promise.all([change('Returns', { excluded: true }), change('Returns', { phrasings: ['Send back?'] })])
    expect((await list())[2]).toMatchObject({ excluded: true, phrasings: ['Send back?'] })
  })

  test('two passages with the same text are two', async () => {
    const { list, change, under } = await withPage(
      engine,
      '# A\n\nSame text here.\n\n# B\n\nOther.\n\n# A\n\nSame text here.',
    )
    expect(new Set((await list()).map(({ id }) => id)).size).toBe(3)
    await change('A', { excluded: true })
    expect((await list()).map(({ excluded }) => excluded)).toEqual([true, false, false])
    expect((await under('A')).excluded).toBe(true)
  })

  test('an edit that stayed behind when its passage moved applies to no other passage, and blocks none', async () => {
    const { database, change, list, under } = await withPage(engine)
    await change('Express', { corrected_text: 'An express parcel costs 15 euros.', phrasings: ['overnight'] })
    // As after a node of an earlier version has stored the page.
    await runStatement(database, 'UPDATE passage_edits SET ordinal = 2')
    const uneditedFields = { corrected_text: null, phrasings: [], edited_at: null }
    expect(await under('Returns')).toMatchObject(uneditedFields)
    const version = async () =>
      Number((await queryRows(database, 'SELECT knowledge_version FROM bots'))[0]?.knowledge_version)
    const before = await version()
    for (const heading of ['Returns', 'Express']) await change(heading, { corrected_text: `${heading} are free.` })
    expect(await version()).toBe(before + 2)
    expect((await list()).map(({ heading, corrected_text }) => [heading, corrected_text])).toEqual([
      [null, null],
      ['Express', 'Express are free.'],
      ['Returns', 'Returns are free.'],
    ])
  })

  test('what cannot be stored is refused', async () => {
    const { call, params, under } = await withPage(engine)
    const passageId = (await under(null)).id
    for (const body of [
      { corrected_text: ' ' },
      { corrected_text: 'x'.repeat(4001) },
      { phrasings: [''] },
      { excluded: 1 },
    ]) {
      const response = await call(`PATCH ${PASSAGES}/{passageId}`, { token, params: { ...params, passageId }, body })
      expect([body, response.status]).toEqual([body, 400])
    }
    const unknownDocument = { ...params, documentId: 'unknown', passageId }
    expect((await call(`GET ${PASSAGES}`, { token, params: unknownDocument })).status).toBe(404)
    expect((await call(`PATCH ${PASSAGES}/{passageId}`, { token, params: unknownDocument, body: {} })).status).toBe(404)
    expect((await call(`GET ${PASSAGES}`, { token, params, query: { cursor: 'bm9uZQ' } })).status).toBe(400)
  })
})
