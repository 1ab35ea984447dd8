// What the team sees of a visitor's device and pages, without any service that is asked about them.
import { describe, expect, test } from 'vitest'
import timeZones from '../../src/conversations/time-zones.json' with { type: 'json' }
import { countryOf, deviceOf } from '../../src/conversations/visits.ts'
import { engines } from '../harness/database/databases.ts'
import { queryRows } from '../harness/database/rows.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createVisitor } from '../harness/visitors.ts'

const token = ADMIN_TOKEN
const PHONE =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'

describe.each(engines)('on %s', (engine) => {
  test('a conversation shows its device, its country and the pages it was continued on', async () => {
    const { call, createBot, clock, database } = await startServer(engine)
    const { botId } = await createBot()
    const headers = { 'user-agent': PHONE, 'accept-language': 'de-CH,de;q=0.9,en;q=0.8' }
    const visitor = createVisitor(
      (route, options) => call(route, { ...options, headers: { ...headers, ...options?.headers } }),
      botId,
    )
    const times: string[] = []
    for (const page of ['/lamps', '/lamps', '/lamps/oak', '/lamps']) {
      clock.now += 60_000
      times.push(new Date(clock.now).toISOString())
      await visitor.say('Which lamp is this?', { page_url: `https://shop.example${page}` })
    }
    const list = await call('GET /api/manage/v1/bots/{botId}/conversations', { token, params: { botId } })
    const conversationId = list.body.items[0].id as string
    const params = { botId, conversationId }
    const read = () => call('GET /api/manage/v1/bots/{botId}/conversations/{conversationId}', { token, params })
    expect((await read()).body.visit).toEqual({
      device: { browser: 'Chrome', system: 'Android', kind: 'phone' },
      country: 'CH',
      timezone: null,
      referrer: null,
      pages: [
        { url: 'https://shop.example/lamps', visited_at: times[0] },
        { url: 'https://shop.example/lamps/oak', visited_at: times[2] },
      ],
    })
    // The visitor gets the same on request, without what concerns only the reader of the inbox.
    const visitorId = list.body.items[0].visitor.id as string
    const person = { token, params: { botId, visitorId } }
    const visitorExport = await call('GET /api/manage/v1/bots/{botId}/visitors/{visitorId}', person)
    expect(visitorExport.body.conversations[0].visit).toEqual((await read()).body.visit)
    expect(visitorExport.body.conversations[0]).not.toHaveProperty('mention')
    await call('DELETE /api/manage/v1/bots/{botId}/visitors/{visitorId}', person)
    for (const table of ['conversation_devices', 'conversation_pages'])
      expect(await queryRows(database, `SELECT * FROM ${table}`)).toEqual([])
  })

  test('shows where the visitor came from and their time zone, which tells the country better than the language', async () => {
    const { call, createBot } = await startServer(engine)
    const { botId } = await createBot()
    const visitOf = async (...bodies: object[]) => {
      const visitor = createVisitor(call, botId)
      for (const body of bodies) expect((await visitor.say('Which lamp is this?', body)).status).toBe(200)
      const list = await call('GET /api/manage/v1/bots/{botId}/conversations', { token, params: { botId } })
      const params = { botId, conversationId: list.body.items[0].id as string }
      const one = await call('GET /api/manage/v1/bots/{botId}/conversations/{conversationId}', { token, params })
      const { country, timezone, referrer } = one.body.visit
      return { country, timezone, referrer }
    }
    const page_url = 'https://shop.example/lamps'
    const referrer = 'https://user:secret@search.example/results?q=secret#secret'
    const first = { page_url, referrer, locale: 'en-US', timezone: 'Europe/Kyiv' }
    const visit = { country: 'UA', timezone: 'Europe/Kyiv', referrer: 'https://search.example/results' }
    expect(await visitOf(first)).toEqual(visit)
    // Of the first page; the next one was reached from our own.
    const next = { ...first, page_url: 'https://shop.example/lamps/oak', referrer: 'https://other.example/' }
    expect(await visitOf(first, next)).toEqual(visit)
    expect(await visitOf({ ...first, timezone: 'UTC', referrer: 'https://shop.example/' })).toEqual({
      country: 'US',
      timezone: 'UTC',
      referrer: null,
    })
    const sharedZone = { ...first, timezone: 'CET', locale: 'de-DE', referrer: 'https://shop.example/' }
    expect(await visitOf(sharedZone)).toMatchObject({ country: 'DE', timezone: 'CET' })
    const odd = { page_url, timezone: 'Mars/Olympus', referrer: 'android-app://com.example/' }
    expect(await visitOf(odd)).toEqual({ country: null, timezone: null, referrer: null })
    const long = { page_url, referrer: `https://search.example/${'a'.repeat(4000)}` }
    expect((await visitOf(long)).referrer).toHaveLength(500)
    const tooLong = await createVisitor(call, botId).say('Hi', { referrer: 'a'.repeat(5000) })
    expect(tooLong.status).toBe(400)
  })

  test('what the page states about the visitor is stored with the conversation, within limits', async () => {
    const { call, createBot } = await startServer(engine)
    const { botId } = await createBot()
    const read = async () => {
      const list = await call('GET /api/manage/v1/bots/{botId}/conversations', { token, params: { botId } })
      const params = { botId, conversationId: list.body.items[0].id as string }
      return (await call('GET /api/manage/v1/bots/{botId}/conversations/{conversationId}', { token, params })).body
    }
    const visitor = createVisitor(call, botId)
    const metadata = { plan: 'gold', cart_items: 3, newsletter: false, note: null }
    await visitor.post('handover', { metadata })
    expect((await read()).metadata).toEqual(metadata)
    await visitor.say('Which lamp is this?', { metadata: { plan: 'silver' } })
    expect((await read()).metadata).toEqual({ plan: 'silver' })
    await visitor.say('And this?')
    expect((await read()).metadata).toEqual({ plan: 'silver' })
    for (const wrong of [{ nested: { a: 1 } }, { long: 'x'.repeat(4096) }])
      expect((await visitor.say('And this?', { metadata: wrong })).status).toBe(400)
    // Somebody who only knows the session id changes nothing of it.
    const stranger = { session_id: visitor.sessionId(), metadata: { plan: 'stolen' } }
    await createVisitor(call, botId).say('Which lamp is this?', stranger)
    const list = await call('GET /api/manage/v1/bots/{botId}/conversations', { token, params: { botId } })
    for (const { id } of list.body.items) {
      const params = { botId, conversationId: id }
      const one = await call('GET /api/manage/v1/bots/{botId}/conversations/{conversationId}', { token, params })
      if (one.body.session_id === visitor.sessionId()) expect(one.body.metadata).toEqual({ plan: 'silver' })
    }
  })

  test.each([
    ['the form before the chat', 'lead', { form: 'pre_chat', fields: { name: 'Ada' } }],
    ['the contact form', 'lead', { fields: { name: 'Ada' } }],
    ['the button for a person', 'handover', {}],
  ] as const)(
    'a conversation that begins with %s shows them too, also of a very long address',
    async (_, route, body) => {
      const { call, createBot } = await startServer(engine)
      const { botId } = await createBot()
      const name = { name: 'name', label: 'Name', type: 'text', required: true }
      const form = { intro: null, consent_text: null, fields: [name] }
      const response = await call('PATCH /api/manage/v1/bots/{botId}', {
        token,
        params: { botId },
        body: { lead_form: form, widget: { pre_chat: form } },
      })
      expect(response.status).toBe(200)
      const visitor = createVisitor(
        (path, options) => call(path, { ...options, headers: { 'user-agent': PHONE, ...options?.headers } }),
        botId,
      )
      // PostgreSQL would compress what repeats.
      const letters = Array.from({ length: 1900 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000)))
      const page_url = `https://shop.example/${letters.join('')}`
      expect((await visitor.post(route, { ...body, page_url })).status).toBe(200)
      const read = async () => {
        const list = await call('GET /api/manage/v1/bots/{botId}/conversations', { token, params: { botId } })
        const params = { botId, conversationId: list.body.items[0].id as string }
        return (await call('GET /api/manage/v1/bots/{botId}/conversations/{conversationId}', { token, params })).body
      }
      const visit = {
        device: { browser: 'Chrome', system: 'Android', kind: 'phone' },
        country: null,
        timezone: null,
        referrer: null,
        pages: [{ url: page_url, visited_at: expect.any(String) }],
      }
      expect((await read()).visit).toEqual(visit)
      await visitor.say('Which lamp is this?', { page_url })
      expect((await read()).visit).toEqual(visit)
    },
  )
})

test('every time zone of the table is known by its own name here, and belongs to one country', () => {
  const zones = Object.values(timeZones).flatMap((names) => names.split(' '))
  expect(new Set(zones).size).toBe(zones.length)
  const nameOf = (timeZone: string) => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  expect(zones.filter((zone) => nameOf(zone) !== zone)).toEqual([])
  expect(Intl.supportedValuesOf('timeZone').filter((zone) => countryOf(zone) === undefined)).toEqual([])
})

// Time zone databases make them links to Brussels or New York.
test.each(['CET', 'MET', 'EET', 'EST5EDT', 'PST8PDT', 'EST', 'GMT', 'UTC'])('"%s" tells no country', (zone) => {
  expect(countryOf(zone)).toBeUndefined()
})

test.each([
  ['Asia/Calcutta', 'IN'],
  ['US/Eastern', 'US'],
])('"%s" is another name of a zone in %s', (zone, country) => {
  expect(countryOf(zone)).toBe(country)
})

test.each([
  [PHONE, 'Chrome', 'Android', 'phone'],
  [
    'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari',
    'iPadOS',
    'tablet',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0', 'Firefox', 'Linux', 'desktop'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge',
    'Windows',
    'desktop',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
    'Chrome',
    'iOS',
    'phone',
  ],
  ['curl/8.5.0', null, null, 'desktop'],
])('%s is %s on %s', (userAgent, browser, system, kind) => {
  expect(deviceOf(userAgent)).toEqual({ browser, system, kind })
})
