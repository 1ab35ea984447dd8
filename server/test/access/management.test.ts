// What the dashboard does, through the management API.
import { defaultHandover, defaultLeadForm, defaultWidget } from '@docent/contract'
import { describe, expect, test } from 'vitest'
import type { Call, CallOptions } from '../harness/call.ts'
import { type Engine, engines } from '../harness/database/databases.ts'
import { countRows } from '../harness/database/rows.ts'
import { waitFor } from '../harness/outside/receiver.ts'
import { crawlCalls, finished, page, startSite } from '../harness/outside/test-site.ts'
import { isEndless, paramNames, routeTable, uploadForm } from '../harness/samples/route-samples.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createMember, createTenant, syncProducts } from '../harness/tenants.ts'

const M = '/api/manage/v1'
const MEMBERS = `${M}/workspaces/{workspaceId}/members`
const DOCUMENTS = `${M}/bots/{botId}/documents`

async function withTenant(engine: Engine, environment: Record<string, string> = {}) {
  const server = await startServer(engine, { environment })
  const tenant = await createTenant(server.call, 'alpha')
  const manage = (route: string, { params, ...more }: CallOptions = {}) =>
    server.call(route, { token: ADMIN_TOKEN, params: { ...tenant, ...params }, ...more })
  const ask = (message: string) =>
    server.call('POST /api/v1/chat', { token: tenant.key, body: { bot_id: tenant.botId, message } })
  const importLines = (lines: string) =>
    manage(`POST ${DOCUMENTS}`, { raw: lines, headers: { 'content-type': 'application/x-ndjson' } })
  return { ...server, ...tenant, manage, ask, importLines }
}

describe.each(engines)('workspaces and members on %s', (engine) => {
  test('a workspace is made, read and changed by the instance owner', async () => {
    const { manage, clock } = await withTenant(engine)
    const made = await manage(`POST ${M}/workspaces`, { body: { name: '  Acme  ' } })
    expect(made.status).toBe(201)
    const workspace = { id: made.body.id, name: 'Acme', plan: 'free', daily_limit: null }
    expect(made.body).toEqual({ ...workspace, created_at: new Date(clock.now).toISOString() })
    const params = { workspaceId: made.body.id }
    const changed = await manage(`PATCH ${M}/workspaces/{workspaceId}`, { params, body: { plan: 'enterprise' } })
    expect(changed.body).toMatchObject({ name: 'Acme', plan: 'enterprise' })
    expect((await manage(`GET ${M}/workspaces/{workspaceId}`, { params })).body).toEqual(changed.body)
    for (const body of [{ name: ' ' }, { name: 'x', plan: 'gold' }, { name: 'x', daily_limit: -1 }, {}]) {
      expect((await manage(`POST ${M}/workspaces`, { body })).status).toBe(400)
    }
  })

  test('an e-mail address is there once in a workspace, whatever its case', async () => {
    const { manage } = await withTenant(engine)
    const add = (email: string, more: CallOptions = {}) =>
      manage(`POST ${MEMBERS}`, { body: { email, name: 'Ada', role: 'viewer' }, ...more })
    const first = await add('Ada@Example.test')
    expect([first.status, first.body.email]).toEqual([201, 'ada@example.test'])
    for (const email of ['ada@example.test', 'ADA@EXAMPLE.TEST']) {
      const again = await add(email)
      expect([again.status, again.body.error.code]).toEqual([409, 'already_exists'])
    }
    const other = await manage(`POST ${M}/workspaces`, { body: { name: 'Other' } })
    expect((await add('ada@example.test', { params: { workspaceId: other.body.id } })).status).toBe(201)
    for (const email of ['ada', 'a b@c', '@', 'a@b@c']) expect((await add(email)).status).toBe(400)
  })

  test('the last owner can be neither removed nor demoted, also not by two at once', async () => {
    const { call, manage, workspaceId, memberId } = await withTenant(engine)
    const last = [
      await manage(`DELETE ${MEMBERS}/{memberId}`),
      await manage(`PATCH ${MEMBERS}/{memberId}`, { body: { role: 'editor' } }),
    ]
    for (const { status, body } of last) expect([status, body.error.code]).toEqual([409, 'last_owner'])
    expect((await manage(`PATCH ${MEMBERS}/{memberId}`, { body: { name: 'Still' } })).body.role).toBe('owner')

    const second = await createMember(call, workspaceId, 'owner', 'second')
    const both = await Promise.all(
      [memberId, second.memberId].map((id) => manage(`DELETE ${MEMBERS}/{memberId}`, { params: { memberId: id } })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409])
  })

  test('a removed member’s tokens stop working at once', async () => {
    const { call, manage, workspaceId } = await withTenant(engine)
    const { memberId, token } = await createMember(call, workspaceId, 'editor')
    expect((await call(`GET ${M}/bots`, { token })).status).toBe(200)
    expect((await manage(`DELETE ${MEMBERS}/{memberId}`, { params: { memberId } })).status).toBe(204)
    expect((await call(`GET ${M}/bots`, { token })).status).toBe(401)
  })

  test('a token works until it expires or is revoked, and is shown once', async () => {
    const { call, manage, clock } = await withTenant(engine)
    const expires_at = new Date(clock.now + 1000).toISOString()
    const made = await manage(`POST ${MEMBERS}/{memberId}/tokens`, { body: { name: 'short', expires_at } })
    expect(made.status).toBe(201)
    expect(made.body.token).toMatch(/^dct_manage_[0-9A-Za-z]{38}$/)
    const { token, ...shown } = made.body
    const status = async () => (await call(`GET ${M}/bots`, { token })).status
    expect(await status()).toBe(200)
    const list = await manage(`GET ${MEMBERS}/{memberId}/tokens`)
    expect(list.body.items).toContainEqual(shown)
    clock.now += 1000
    expect(await status()).toBe(401)

    const other = await manage(`POST ${MEMBERS}/{memberId}/tokens`, { body: { name: 'long' } })
    const params = { tokenId: other.body.id }
    expect((await manage(`DELETE ${MEMBERS}/{memberId}/tokens/{tokenId}`, { params })).status).toBe(204)
    expect((await call(`GET ${M}/bots`, { token: other.body.token })).status).toBe(401)
    expect((await manage(`DELETE ${MEMBERS}/{memberId}/tokens/{tokenId}`, { params })).status).toBe(404)
  })
})

describe.each(engines)('bots on %s', (engine) => {
  test('a bot is made in the caller’s workspace, read and changed', async () => {
    const { call, token, workspaceId, clock } = await withTenant(engine)
    const made = await call(`POST ${M}/bots`, { token, body: { name: ' Helper ', site_url: 'https://shop.test' } })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      id: expect.stringMatching(/^bot_[0-9a-v]{26}$/),
      workspace_id: workspaceId,
      name: 'Helper',
      language: 'en',
      site_url: 'https://shop.test',
      fallback_message: null,
      tone: 'formal',
      answer_threshold: null,
      suggest_threshold: null,
      language_model: null,
      widget: defaultWidget,
      lead_form: defaultLeadForm,
      handover: defaultHandover,
      allowed_origins: [],
      retention_days: 90,
      source_pages: true,
      visitor_email: { replies: true, reply_to: null, transcripts: true },
      widget_seen: null,
      created_at: new Date(clock.now).toISOString(),
      knowledge: { documents: 0, passages: 0, products: 0, embedded_passages: 0, status: 'ready' },
    })
    const params = { botId: made.body.id }
    const body = { site_url: null, fallback_message: 'Ask a human.', language: 'de' }
    const changed = await call(`PATCH ${M}/bots/{botId}`, { token, params, body })
    expect(changed.body).toEqual({ ...made.body, ...body })
    expect((await call(`GET ${M}/bots/{botId}`, { token, params })).body).toEqual(changed.body)
    for (const wrong of [{ name: '' }, { language: 'german' }, { site_url: 'ftp://x' }, { fallback_message: '' }]) {
      expect((await call(`PATCH ${M}/bots/{botId}`, { token, params, body: wrong })).status).toBe(400)
    }
  })

  test('a deleted bot takes its keys, documents and conversations along', async () => {
    const { manage, ask, database } = await withTenant(engine)
    expect((await ask('What is the secret colour?')).status).toBe(200)
    expect((await manage(`DELETE ${M}/bots/{botId}`)).status).toBe(204)
    expect((await ask('What is the secret colour?')).status).toBe(401)
    for (const route of [`GET ${M}/bots/{botId}`, `GET ${DOCUMENTS}`, `DELETE ${M}/bots/{botId}`]) {
      const answer = await manage(route)
      expect([answer.status, answer.body.error.code]).toEqual([404, 'bot_not_found'])
    }
    for (const table of ['keys', 'documents', 'passages', 'conversations', 'messages', 'quota_days']) {
      expect([table, await countRows(database, table)]).toEqual([table, 0])
    }
  })
})

describe.each(engines)('documents on %s', (engine) => {
  test('a bulk takes what is right and tells what is wrong, by index and id', async () => {
    const { manage } = await withTenant(engine)
    const documents = [
      { id: 'a', title: 'A', text: 'First text' },
      { id: 'two', title: 'Two', text: 'x', markdown: 'y' },
      { id: 'none', title: 'None' },
      { title: ' ', text: 'x' },
      { id: 'with space', title: 'Id', text: 'x' },
      { id: 'url', title: 'Url', url: 'ftp://x', text: 'x' },
      7,
      null,
      { id: 'b', title: 'B', markdown: '# B\n\nSecond text' },
    ]
    const report = await manage(`POST ${DOCUMENTS}`, { body: { documents } })
    expect(report.status).toBe(200)
    expect(report.body).toMatchObject({ created: 2, updated: 0, unchanged: 0, failed: 7 })
    const told = report.body.errors.map(({ index, id }: { index: number; id: string }) => [index, id])
    expect(told).toEqual([
      [1, 'two'],
      [2, 'none'],
      [3, null],
      [4, 'with space'],
      [5, 'url'],
      [6, null],
      [7, null],
    ])
    for (const { code, message } of report.body.errors) {
      expect(code).toBe('invalid_document')
      expect(message).not.toBe('')
    }
    expect((await manage(`GET ${M}/bots/{botId}`)).body.knowledge.documents).toBe(4)
  })

  test('the same content is left alone, other content replaces, a missing id is made from the address', async () => {
    const { manage, clock } = await withTenant(engine)
    const send = async (text: string) => {
      const documents = [
        { id: 'a', title: 'A', text },
        { title: 'Page', url: 'https://shop.test/page', text },
      ]
      const { created, updated, unchanged } = (await manage(`POST ${DOCUMENTS}`, { body: { documents } })).body
      return [created, updated, unchanged]
    }
    expect(await send('Old text')).toEqual([2, 0, 0])
    expect(await send('Old text')).toEqual([0, 0, 2])
    const old = await manage(`GET ${DOCUMENTS}/{documentId}`, { params: { documentId: 'a' } })
    clock.now += 60_000
    expect(await send('New text')).toEqual([0, 2, 0])
    const replaced = await manage(`GET ${DOCUMENTS}/{documentId}`, { params: { documentId: 'a' } })
    expect(replaced.body).toMatchObject({ content: 'New text', created_at: old.body.created_at })
    expect(replaced.body.updated_at).not.toBe(old.body.updated_at)
    const twice = [
      { id: 'c', title: 'C', text: 'one' },
      { id: 'c', title: 'C', text: 'two' },
    ]
    await manage(`POST ${DOCUMENTS}`, { body: { documents: twice } })
    const last = await manage(`GET ${DOCUMENTS}/{documentId}`, { params: { documentId: 'c' } })
    expect(last.body.content).toBe('two')
  })

  test('newline-delimited JSON: a broken line in the middle is told, the rest is taken in', async () => {
    const { importLines } = await withTenant(engine)
    const lines = [
      JSON.stringify({ id: 'a', title: 'A', text: 'First' }),
      '{"id":"b","title":"B","te',
      '',
      JSON.stringify({ id: 'c', title: 'C' }),
      JSON.stringify({ id: 'd', title: 'D', text: 'Fourth' }),
    ]
    const report = await importLines(lines.join('\r\n'))
    expect(report.body).toMatchObject({ created: 2, failed: 2 })
    expect(report.body.errors.map(({ id }: { id: string }) => id)).toEqual([null, 'c'])
    expect(report.body.errors[0].index).toBe(1)
    expect(report.body.errors[0].message).toContain('JSON')
    expect((await importLines('')).body).toMatchObject({ created: 0, failed: 0 })
  })

  test('newline-delimited JSON of 3 MB is taken in and can be found when the answer arrives', async () => {
    const { importLines, manage } = await withTenant(engine)
    const filler = 'Plain words about parcels and returns. '.repeat(250)
    const lines = Array.from({ length: 300 }, (_, index) =>
      JSON.stringify({ id: `d${index}`, title: `Page ${index}`, text: `${filler}\n\nCode word zebra${index}.` }),
    )
    const body = lines.join('\n')
    expect(body.length).toBeGreaterThan(2_900_000)
    expect((await importLines(body)).body).toMatchObject({ created: 300, failed: 0 })
    const found = await manage(`GET ${M}/bots/{botId}/search`, { query: { q: 'zebra299', limit: 1 } })
    expect(found.body.results[0].document_id).toBe('d299')
  })

  test('scripts and styles of a page are never answered', async () => {
    const { manage, ask } = await withTenant(engine)
    const html =
      '<html><head><title>x</title><script>var wombat = "scriptword"</script></head><body><style>.wombat{}</style>' +
      '<p>The wombat eats grass at night.</p><script>track("wombat scriptword")</script><noscript>wombat off</noscript>'
    await manage(`POST ${DOCUMENTS}`, { body: { documents: [{ id: 'w', title: 'Wombats', html }] } })
    const answer = await ask('What does the wombat eat?')
    expect(answer.body.response).toContain('grass')
    expect(answer.body.response).not.toMatch(/scriptword|track|\{|off/)
    const found = await manage(`GET ${M}/bots/{botId}/search`, { query: { q: 'scriptword' } })
    expect(JSON.stringify(found.body)).not.toContain('scriptword')
  })

  test('search tells passages with score and signals, best first, as many as asked for, and a confidence', async () => {
    const { manage } = await withTenant(engine)
    const documents = Array.from({ length: 12 }, (_, index) => ({
      id: `d${index}`,
      title: `Bicycle ${index}`,
      url: `https://shop.test/${index}`,
      text: `The bicycle ${index} has ${'gears '.repeat(index)}and a bell.`,
    }))
    await manage(`POST ${DOCUMENTS}`, { body: { documents } })
    const search = (query: Record<string, string | number>) => manage(`GET ${M}/bots/{botId}/search`, { query })
    const { body } = await search({ q: 'bicycle bell' })
    expect(body.results).toHaveLength(10)
    const scores = body.results.map(({ score }: { score: number }) => score)
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a))
    expect(body.results[0]).toMatchObject({ url: expect.stringMatching(/^https:/), passage: expect.any(String) })
    expect(Object.keys(body.results[0].signals).length).toBeGreaterThan(0)
    expect(body.confidence).toBeGreaterThan(0)
    expect(body.confidence).toBeLessThanOrEqual(1)
    expect((await search({ q: 'bicycle', limit: 3 })).body.results).toHaveLength(3)
    expect((await search({ q: 'quasar' })).body).toEqual({ results: [], confidence: 0 })
    for (const query of [{}, { q: ' ' }, { q: 'x', limit: 0 }, { q: 'x', limit: 51 }]) {
      expect((await search(query as Record<string, string>)).status).toBe(400)
    }
  })

  test('a removed document is gone, and removing it again is a 404', async () => {
    const { manage } = await withTenant(engine)
    expect((await manage(`DELETE ${DOCUMENTS}/{documentId}`)).status).toBe(204)
    expect((await manage(`DELETE ${DOCUMENTS}/{documentId}`)).status).toBe(404)
    expect((await manage(`GET ${DOCUMENTS}/{documentId}`)).status).toBe(404)
  })
})

const lists = routeTable
  .filter(([, spec]) => spec.query && 'cursor' in spec.query.properties && spec.caller === 'management')
  .map(([route]) => route)

describe.each(engines)('lists on %s', (engine) => {
  test('pages join to the whole list, in order and without doubles, and a wrong cursor is a 400', async () => {
    const server = await withTenant(engine, { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' })
    const { call, botId, syncKey } = server
    const crawlId = await readSite(call, botId)
    const manage = (route: string, more: CallOptions = {}) => server.manage(route, { params: { crawlId }, ...more })
    const documents = Array.from({ length: 4 }, (_, index) => ({ id: `d${index}`, title: 'D', text: 'text' }))
    await manage(`POST ${DOCUMENTS}`, { body: { documents } })
    for (const [number, place] of ['Mongolia', 'Peru', 'Fiji', 'Chad', 'Oman'].entries()) {
      const said = [`Write to m${number}@example.test`, `Who rules ${place}?`]
      for (const message of said) await manage('POST /api/chat/{botId}/message', { body: { message } })
    }
    for (const instrument of ['violins', 'harps', 'oboes', 'cellos', 'horns']) {
      await manage('POST /api/chat/{botId}/message', { body: { message: `Who repairs ${instrument} near Antwerp?` } })
    }
    await Promise.all(
      [1, 2, 3, 4].flatMap((number) => [
        manage(`POST ${M}/workspaces`, { body: { name: 'More' } }),
        manage(`POST ${M}/bots`, { body: { name: 'More' } }),
        manage(`POST ${M}/bots/{botId}/keys`, { body: { name: 'More' } }),
        manage(`POST ${M}/bots/{botId}/answers`, { body: { question: `Question ${number}?`, answer: 'Answer.' } }),
        manage(`POST ${MEMBERS}`, { body: { name: 'More', email: `m${number}@example.test`, role: 'viewer' } }),
        manage(`POST ${MEMBERS}/{memberId}/tokens`, { body: { name: 'More' } }),
        manage(`POST ${M}/workspaces/{workspaceId}/invitations`, {
          body: { email: `i${number}@example.test`, role: 'viewer' },
        }),
        manage(`POST ${M}/workspaces/{workspaceId}/canned-replies`, {
          body: { shortcut: `more${number}`, text: 'More' },
        }),
        readSite(call, botId),
        manage(`POST ${M}/bots/{botId}/webhooks`, { body: { url: `https://more.test/${number}` } }),
        manage(`POST ${M}/bots/{botId}/webhooks/{webhookId}/test`),
        manage(`POST ${M}/bots/{botId}/feeds`, { body: { url: `http://127.0.0.1:9/${number}.xml` } }),
        manage(`POST ${M}/bots/{botId}/notification-channels`, {
          body: {
            kind: 'slack',
            name: `More ${number}`,
            url: `https://more.test/${number}`,
            event_types: ['lead.created'],
          },
        }),
        manage(`POST ${M}/bots/{botId}/files`, uploadForm(`more-${number}.txt`, `More ${number}`)),
      ]),
    )
    const waits = async () => (await manage(`GET ${M}/bots/{botId}/deliveries`)).text.includes('"attempts":0')
    await waitFor(async () => !(await waits()), 'the deliveries to be tried')
    for (const number of [1, 2, 3, 4]) {
      await syncProducts(call, syncKey, { products: [{ id: `p${number}`, title: 'More' }] })
    }
    const feed = `${M}/bots/{botId}/feeds/{feedId}`
    await manage(`PATCH ${feed}`, { body: { url: 'http://127.0.0.1:9/feed.xml' } })
    for (const number of [1, 2, 3, 4, 5]) {
      await manage(`POST ${feed}/run`)
      await waitFor(
        async () => (await manage(`GET ${feed}/runs`)).body.items.length === number,
        'the feed to be pulled',
      )
    }
    const rests = async () => !/"state":"(queued|running)"/.test((await manage(`GET ${M}/bots/{botId}/feeds`)).text)
    await waitFor(rests, 'the feeds to be pulled')
    expect(lists.length).toBeGreaterThanOrEqual(8)
    for (const route of lists) {
      const whole = await manage(route, { query: { limit: 100 } })
      expect([route, whole.status, whole.body.next_cursor]).toEqual([route, 200, null])
      expect(whole.body.items.length, route).toBeGreaterThanOrEqual(5)

      const joined: unknown[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const query: Record<string, string | number> = cursor ? { limit: 2, cursor } : { limit: 2 }
        const page = await manage(route, { query })
        expect(page.body.items.length, route).toBeLessThanOrEqual(2)
        joined.push(...page.body.items)
        cursor = page.body.next_cursor
      }
      expect(joined, route).toEqual(whole.body.items)
      const exact = await manage(route, { query: { limit: joined.length } })
      expect(exact.body.next_cursor, route).toBeNull()

      for (const wrong of ['!', 'a', 'ä', '=', '__proto__x!']) {
        const answer = await manage(route, { query: { cursor: wrong } })
        expect([route, wrong, answer.status]).toEqual([route, wrong, 400])
        expect(answer.body.error.details[0].path).toBe('cursor')
      }
    }
  })
})

test('a wrong cursor is a 400 for a member too', async () => {
  const { manage, token } = await withTenant('sqlite')
  for (const route of lists) {
    expect([route, (await manage(route, { token, query: { cursor: '!' } })).status]).toEqual([route, 400])
  }
})

test('a token that has expired when it is made is refused', async () => {
  const { manage, clock } = await withTenant('sqlite')
  const expires_at = new Date(clock.now).toISOString()
  const answer = await manage(`POST ${MEMBERS}/{memberId}/tokens`, { body: { name: 'late', expires_at } })
  expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_failed'])
})

test('a token that would end beyond the year 9999 is refused, and the list goes on', async () => {
  const { manage } = await withTenant('sqlite')
  const body = { name: 'far', expires_at: '9999-12-31T23:59:59-05:00' }
  expect((await manage(`POST ${MEMBERS}/{memberId}/tokens`, { body })).status).toBe(400)
  expect((await manage(`GET ${MEMBERS}/{memberId}/tokens`)).status).toBe(200)
})

test('an address that no URL can be read from is refused', async () => {
  const { manage } = await withTenant('sqlite')
  for (const site_url of ['http://[', 'https://', 'http://a b', 'https://x:99999/']) {
    expect([site_url, (await manage(`PATCH ${M}/bots/{botId}`, { body: { site_url } })).status]).toEqual([
      site_url,
      400,
    ])
  }
  const documents = [{ id: 'a', title: 'A', url: 'http://[', text: 'x' }]
  expect((await manage(`POST ${DOCUMENTS}`, { body: { documents } })).body).toMatchObject({ created: 0, failed: 1 })
})

test('a document id that a path cannot carry is refused', async () => {
  const { manage } = await withTenant('sqlite')
  const ids = ['.', '..', 'a\u0000', '\u0000', 'a/b', 'a?b', 'a#b', 'a b']
  const bad = ids.map((id) => ({ id, title: 'T', text: 'x' }))
  const good = ['...', '.a', 'a.', '..a'].map((id) => ({ id, title: 'T', text: 'x' }))
  const report = await manage(`POST ${DOCUMENTS}`, { body: { documents: [...bad, ...good] } })
  expect(report.body).toMatchObject({ created: good.length, failed: bad.length })
  for (const { id } of good) {
    expect((await manage(`GET ${DOCUMENTS}/{documentId}`, { params: { documentId: id } })).status).toBe(200)
  }
})

test('HEAD answers like GET, without a body', async () => {
  const { manage } = await withTenant('sqlite')
  for (const [route, spec] of routeTable) {
    if (!route.startsWith('GET ') || isEndless(spec)) continue
    const query = paramNames(route).length > 0 && spec.query && 'q' in spec.query.properties ? { q: 'colour' } : {}
    const get = await manage(route, { query })
    const head = await manage(route.replace('GET', 'HEAD'), { query })
    expect([route, head.status, head.text]).toEqual([route, get.status, ''])
    expect(head.headers['content-type'], route).toBe(get.headers['content-type'])
  }
  expect((await manage(`HEAD ${M}/bots/{botId}`, { params: { botId: 'unknown' } })).status).toBe(404)
  expect((await manage(`HEAD ${M}/bots`, { token: 'wrong' })).status).toBe(401)
})

/** A crawl of five pages, at rest. */
async function readSite(call: Call, botId: string): Promise<string> {
  const site = await startSite({ '/': page('Start', 'Text.', ['/1', '/2', '/3', '/4']) })
  const crawls = crawlCalls(call, botId)
  const { body } = await crawls.create({ url: site.url })
  await finished(crawls, body.id)
  return body.id
}
