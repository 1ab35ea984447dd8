// Every list of the management API, page by page.

import { describe, expect, test } from 'vitest'
import type { Call, CallOptions } from '../harness/call.ts'
import { engines } from '../harness/database/databases.ts'
import { crawlCalls, page, startSite, waitForCrawl } from '../harness/external/test-site.ts'
import { routeTable, uploadForm } from '../harness/samples/route-samples.ts'
import { syncProducts } from '../harness/tenants.ts'
import { waitFor } from '../harness/wait.ts'
import { DOCUMENTS, M, MEMBERS, withTenant } from './managed-tenant.ts'

const lists = routeTable
  .filter(([, spec]) => spec.query && 'cursor' in spec.query.properties && spec.caller === 'management')
  .map(([route]) => route)

describe.each(engines)('lists on %s', (engine) => {
  test('pages add up to the whole list, in order and without duplicates, and a wrong cursor is a 400', async () => {
    const server = await withTenant(engine, { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' })
    const { call, botId, syncKey } = server
    const crawlId = await readSite(call, botId)
    const manage = (route: string, more: CallOptions = {}) => server.manage(route, { params: { crawlId }, ...more })
    const documents = Array.from({ length: 4 }, (_, index) => ({ id: `d${index}`, title: 'D', text: 'text' }))
    const sections = [1, 2, 3, 4, 5].map((number) => `# Section ${number}\n\nText ${number}.`).join('\n\n')
    const long = { id: server.documentId, title: 'Long', markdown: sections }
    await manage(`POST ${DOCUMENTS}`, { body: { documents: [...documents, long] } })
    for (const [number, place] of ['Mongolia', 'Peru', 'Fiji', 'Chad', 'Oman'].entries()) {
      const messages = [`Write to m${number}@example.test`, `Who rules ${place}?`]
      for (const message of messages) await manage('POST /api/chat/{botId}/message', { body: { message } })
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
        manage(`POST ${M}/bots/{botId}/test-questions`, { body: { question: `Question ${number}?` } }),
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
        manage(`POST ${M}/bots/{botId}/actions`, {
          body: {
            name: `More ${number}`,
            description: '',
            examples: [`More ${number}`],
            inputs: [],
            request: { method: 'GET', url: 'https://more.test/' },
          },
        }),
        manage(`POST ${M}/bots/{botId}/files`, uploadForm(`more-${number}.txt`, `More ${number}`)),
      ]),
    )
    for (const text of ['One.', 'Two.', 'Three.', 'Four.']) {
      const reply = await manage(`POST ${M}/bots/{botId}/conversations/{conversationId}/messages`, { body: { text } })
      const body = { conversation_id: server.conversationId, message_id: reply.body.id }
      await manage(`POST ${M}/bots/{botId}/answer-proposals`, { body })
    }
    for (let run = 0; run < 5; run++) {
      await manage(`POST ${M}/bots/{botId}/actions/{actionId}/test`, { body: { inputs: {} } })
    }
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
      const wholeList = await manage(route, { query: { limit: 100 } })
      expect([route, wholeList.status, wholeList.body.next_cursor]).toEqual([route, 200, null])
      expect(wholeList.body.items.length, route).toBeGreaterThanOrEqual(5)

      const items: unknown[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const query: Record<string, string | number> = cursor ? { limit: 2, cursor } : { limit: 2 }
        const page = await manage(route, { query })
        expect(page.body.items.length, route).toBeLessThanOrEqual(2)
        items.push(...page.body.items)
        cursor = page.body.next_cursor
      }
      expect(items, route).toEqual(wholeList.body.items)
      const exactPage = await manage(route, { query: { limit: items.length } })
      expect(exactPage.body.next_cursor, route).toBeNull()

      for (const wrong of ['!', 'a', 'ä', '=', '__proto__x!']) {
        const response = await manage(route, { query: { cursor: wrong } })
        expect([route, wrong, response.status]).toEqual([route, wrong, 400])
        expect(response.body.error.details[0].path).toBe('cursor')
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

/** A finished crawl of five pages. */
async function readSite(call: Call, botId: string): Promise<string> {
  const site = await startSite({ '/': page('Start', 'Text.', ['/1', '/2', '/3', '/4']) })
  const crawls = crawlCalls(call, botId)
  const { body } = await crawls.create({ url: site.url })
  await waitForCrawl(crawls, body.id)
  return body.id
}
