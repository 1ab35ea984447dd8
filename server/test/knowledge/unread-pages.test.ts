// Pages of websites that fail, or have not been read for long, in the content review.
import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { runStatement } from '../harness/database/rows.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'

const BOT = '/api/manage/v1/bots/{botId}'
const token = ADMIN_TOKEN

describe.each(engines)('on %s', (engine) => {
  test('a failing page is listed first, however many have not been read for long', async () => {
    const { call, createBot, clock, database } = await startServer(engine)
    const { botId } = await createBot()
    const params = { botId }
    const documents = ['gone', 'old', 'fresh'].map((id) => ({ id, title: id, text: `About ${id} lamps.` }))
    expect((await call(`POST ${BOT}/documents`, { token, params, body: { documents } })).status).toBe(200)
    // No crawl of the API: it would start at once.
    await runStatement(
      database,
      `INSERT INTO crawls (bot_id, id, url, hosts, include, exclude, max_pages, state, run, leased_until, created_at)
       VALUES ('${botId}', 'crl_1', 'https://site.example/', '[]', '[]', '[]', 9, 'stopped', 2, 0, 0)`,
    )
    const row = (id: string, state: string, documentId: string, readAt: number) =>
      `('${botId}', 'crl_1', '${id}', 'page', 'https://site.example/${id}', '/${id}', 0, 0, '${state}', 1, 0, 0, '${documentId}', ${readAt})`
    const rows = [
      row('gone', 'failed', 'gone', clock.now),
      row('fresh', 'done', 'fresh', clock.now),
      ...Array.from({ length: 1000 }, (_, index) => row(`old-${index}`, 'done', 'old', 1)),
    ]
    await runStatement(
      database,
      `INSERT INTO crawl_pages (bot_id, crawl_id, id, kind, url, path, depth, redirects, state, attempts, misses, due_at,
         document_id, read_at) VALUES ${rows.join(', ')}`,
    )
    const { outdated } = (await call(`GET ${BOT}/content-review`, { token, params })).body
    expect(outdated).toMatchObject([
      { document_id: 'gone', reason: 'failing', crawl_id: 'crl_1', since: new Date(clock.now).toISOString() },
      { document_id: 'old', reason: 'not_read', since: new Date(1).toISOString() },
    ])
    expect(outdated).toHaveLength(2)
  })
})
