// Documents through the management API: added, replaced, searched and removed.
import { describe, expect, test } from 'vitest'
import { DOCUMENTS, M, withTenant } from '../access/managed-tenant.ts'
import { engines } from '../harness/database/databases.ts'

describe.each(engines)('documents on %s', (engine) => {
  test('a bulk import adds valid documents and reports invalid ones by index and id', async () => {
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
    const errors = report.body.errors.map(({ index, id }: { index: number; id: string }) => [index, id])
    expect(errors).toEqual([
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

  test('unchanged content is skipped, other content replaces it, and a missing id is derived from the URL', async () => {
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
    const newDocument = await manage(`GET ${DOCUMENTS}/{documentId}`, { params: { documentId: 'a' } })
    expect(newDocument.body).toMatchObject({ content: 'New text', created_at: old.body.created_at })
    expect(newDocument.body.updated_at).not.toBe(old.body.updated_at)
    const sameIdDocuments = [
      { id: 'c', title: 'C', text: 'one' },
      { id: 'c', title: 'C', text: 'two' },
    ]
    await manage(`POST ${DOCUMENTS}`, { body: { documents: sameIdDocuments } })
    const last = await manage(`GET ${DOCUMENTS}/{documentId}`, { params: { documentId: 'c' } })
    expect(last.body.content).toBe('two')
  })

  test('newline-delimited JSON: an invalid line is reported, the rest is added', async () => {
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

  test('newline-delimited JSON of 3 MB can be searched when the response arrives', async () => {
    const { importLines, manage } = await withTenant(engine)
    const filler = 'Plain words about parcels and returns. '.repeat(250)
    const lines = Array.from({ length: 300 }, (_, index) =>
      JSON.stringify({ id: `d${index}`, title: `Page ${index}`, text: `${filler}\n\nCode word zebra${index}.` }),
    )
    const body = lines.join('\n')
    expect(body.length).toBeGreaterThan(2_900_000)
    expect((await importLines(body)).body).toMatchObject({ created: 300, failed: 0 })
    const results = await manage(`GET ${M}/bots/{botId}/search`, { query: { q: 'zebra299', limit: 1 } })
    expect(results.body.results[0].document_id).toBe('d299')
  })

  test('scripts and styles of a page never appear in an answer', async () => {
    const { manage, ask } = await withTenant(engine)
    const html =
      '<html><head><title>x</title><script>var wombat = "scriptword"</script></head><body><style>.wombat{}</style>' +
      '<p>The wombat eats grass at night.</p><script>track("wombat scriptword")</script><noscript>wombat off</noscript>'
    await manage(`POST ${DOCUMENTS}`, { body: { documents: [{ id: 'w', title: 'Wombats', html }] } })
    const response = await ask('What does the wombat eat?')
    expect(response.body.response).toContain('grass')
    expect(response.body.response).not.toMatch(/scriptword|track|\{|off/)
    const results = await manage(`GET ${M}/bots/{botId}/search`, { query: { q: 'scriptword' } })
    expect(JSON.stringify(results.body)).not.toContain('scriptword')
  })

  test('search returns passages with score and signals, best first, up to the limit, and a confidence', async () => {
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

test('an invalid URL is refused', async () => {
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

test('a document id that cannot be part of a path is refused', async () => {
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
