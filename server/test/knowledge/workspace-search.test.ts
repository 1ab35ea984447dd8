// The search over everything in a workspace, which the dashboard opens with Ctrl+K.
import { describe, expect, test } from 'vitest'
import { searchWorkspace } from '../../src/workspaces/search.ts'
import { engines } from '../harness/database/databases.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createVisitor } from '../harness/visitors.ts'

const BOT = '/api/manage/v1/bots/{botId}'
const token = ADMIN_TOKEN

describe.each(engines)('on %s', (engine) => {
  test('the search finds passages by their words, and conversations with who wrote and when', async () => {
    const server = await startServer(engine)
    const { botId } = await server.createBot()
    const otherBot = await server.createBot()
    const documents = [
      {
        id: 'delivery',
        title: 'Delivery',
        html: '<h1>Delivery</h1><p>We deliver lamps.</p><h2>Express</h2><p>An <b>express parcel</b> arrives on the next <a href="/m">morning</a>.</p>',
      },
      { id: 'returns', title: 'Returns', text: 'Send a lamp back within thirty days.' },
      { id: 'b2b', title: 'Returns', url: 'https://l.example/b2b/_returns_', text: 'Companies ask us first.' },
    ]
    await server.call(`POST ${BOT}/documents`, { token, params: { botId }, body: { documents } })
    const body = { question: 'What is a lumen?', answer: 'A **lumen** is a [unit of light](https://l.example).' }
    await server.call(`POST ${BOT}/answers`, { token, params: { botId }, body })
    const search = async (q: string, bot = botId) => {
      const query = { q, bot_id: bot }
      const response = await server.call('GET /api/manage/v1/search', { token, query })
      return response.body.results as Record<string, unknown>[]
    }

    const [passage, ...others] = await search('parcels morning')
    expect(others).toEqual([])
    expect(passage).toMatchObject({ kind: 'passage', document_id: 'delivery', title: 'Delivery › Express' })
    expect(passage?.detail).toBe('An express parcel arrives on the next morning.')
    expect(passage?.id).toMatch(/^psg_/)
    // Half of the words have to be there, and another workspace's texts are not searched.
    expect(await search('parcel umbrella violin')).toEqual([])
    expect(await search('parcels morning', otherBot.botId)).toEqual([])
    // Documents of one title differ by their URL.
    expect(await search('returns')).toMatchObject([
      { kind: 'document', id: 'b2b', title: 'Returns', detail: 'https://l.example/b2b/_returns_' },
      { kind: 'document', id: 'returns', title: 'Returns', detail: null },
    ])
    expect((await search('lumen'))[0]).toMatchObject({ kind: 'answer', detail: 'A lumen is a unit of light.' })

    const message = `${'This is a long story about my kitchen. '.repeat(10)}Which chandelier do I need?`
    for (let n = 0; n < 2; n++) {
      server.clock.now += 60_000
      await createVisitor(server.call, botId).say(message)
    }
    const conversations = (await search('chandelier')).filter(({ kind }) => kind === 'conversation')
    expect(conversations).toHaveLength(2)
    for (const { title } of conversations) expect(title).toMatch(/^….*Which chandelier do I need\?$/)
    expect(new Set(conversations.map(({ at }) => at)).size).toBe(2)
    const visitors = conversations.map(({ visitor }) => (visitor as { id: string }).id)
    expect(new Set(visitors).size).toBe(2)
  })
})

test('a search does not wait for an index that takes longer to load than people wait', async () => {
  const none = async () => []
  const deps = {
    bots: { findWorkspaceId: async () => 'wsp', find: async () => ({ id: 'bot', language: 'en' }) },
    knowledgeOf: () => new Promise<never>(() => {}),
    workspaceSearch: {
      bots: async () => [{ id: 'bot', name: 'Lamps' }],
      find: async (kind: string) =>
        kind === 'website' ? [{ id: 'web', botId: 'bot', title: 'Lamps', detail: null }] : [],
      conversations: none,
      documents: none,
    },
    products: { list: none },
  } as unknown as Parameters<typeof searchWorkspace>[0]
  const caller = { kind: 'instance_owner' } as Parameters<typeof searchWorkspace>[1]
  const { results, complete } = await searchWorkspace(deps, caller, 'lamps', 'bot')
  expect(results).toMatchObject([{ kind: 'website', id: 'web' }])
  expect(complete).toBe(false)
})
