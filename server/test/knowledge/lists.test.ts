// Long lists: searched, sorted and paged by the server, on both databases.
import { expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { ADMIN_TOKEN, startServer, type TestServer } from '../harness/start-server.ts'
import { createMember, createSyncKey, syncProducts } from '../harness/tenants.ts'
import { createVisitor } from '../harness/visitors.ts'

const BOT = '/api/manage/v1/bots/{botId}'
const token = ADMIN_TOKEN

const orders = {
  documents: ['id', 'title', 'updated_at'],
  files: ['id', 'name', 'size_bytes', 'updated_at'],
  answers: ['id', 'question', 'updated_at'],
  products: ['id', 'title', 'price', 'availability', 'synced_at'],
  leads: ['created_at', 'name'],
  deliveries: ['created_at'],
  audit: ['at', 'actor'],
}
const searches: [list: keyof typeof orders, q: string, count: number][] = [
  ['documents', 'TENT', 1],
  ['documents', '0%', 1],
  ['documents', 'd_1', 0],
  ['documents', 'ÄPFEL', 1],
  ['files', 'PRICES', 1],
  ['answers', 'we do', 1],
  ['products', 'LÖFFEL', 1],
  ['products', 'sku-2', 1],
  ['leads', 'ADA@shop', 1],
  ['leads', 'tent', 0],
  ['deliveries', 'RECEIVER.test', 3],
  ['deliveries', 'lead.', 3],
  ['deliveries', 'violins', 0],
  ['audit', 'answer.created', 3],
  ['audit', 'violins', 0],
]

test.each(engines)('lists are searched, sorted up and down, and paged in a stable order on %s', async (engine) => {
  const server = await startServer(engine)
  const { botId, workspaceId } = await furnish(server)
  const list = async (name: keyof typeof orders, query: Record<string, string>) => {
    const isAudit = name === 'audit'
    const path = isAudit ? '/api/manage/v1/workspaces/{workspaceId}/audit' : `${BOT}/${name}`
    const params = isAudit ? { workspaceId } : { botId }
    return (await server.call(`GET ${path}`, { token, params, query })).body
  }
  const ids = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id)

  for (const [name, columns] of Object.entries(orders) as [keyof typeof orders, string[]][])
    for (const column of columns) {
      const wholeList = ids(await list(name, { sort: column }))
      expect(wholeList.length, name).toBeGreaterThan(2)
      expect(ids(await list(name, { sort: `-${column}` })), `${name} by ${column}`).toEqual(wholeList.toReversed())
      const pagedIds: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await list(name, { sort: column, limit: '2', ...(cursor ? { cursor } : {}) })
        pagedIds.push(...ids(page))
        cursor = page.next_cursor
      }
      expect(pagedIds, `${name} by ${column}`).toEqual(wholeList)
      // A cursor of deliveries is an id, and any text is a possible id.
      if (name === 'deliveries') continue
      for (const place of [
        `["${column}",99999999999999999999,"x"]`,
        `["${column}",${/_(at|bytes)$|^price$/.test(column) ? '"x"' : 7},"x"]`,
      ]) {
        const response = await list(name, { sort: column, cursor: Buffer.from(place).toString('base64url') })
        expect(response.error?.code, `${name} ${place}`).toBe('validation_failed')
      }
    }
  for (const [name, q, count] of searches) expect((await list(name, { q })).items, `${name}: ${q}`).toHaveLength(count)

  const titles = async (sort: string) =>
    (await list('products', { sort })).items.map((each: { title: string }) => each.title)
  expect(await titles('title')).toEqual(['Becher', 'löffel', 'Teller'])
  expect(await titles('price')).toEqual(['Becher', 'löffel', 'Teller'])
  expect(await titles('-availability')).toEqual(['löffel', 'Teller', 'Becher'])
  expect((await list('leads', { source: 'message' })).items).toHaveLength(0)
  // A cursor of one order is invalid in another.
  const { next_cursor: foreign } = await list('documents', { sort: 'title', limit: '1' })
  expect((await list('documents', { sort: '-title', cursor: foreign })).error.code).toBe('validation_failed')
  const remove = async () =>
    (await server.call(`DELETE ${BOT}/products/{productId}`, { token, params: { botId, productId: 'p2' } })).status
  expect([await remove(), await remove()]).toEqual([204, 404])
  expect(await titles('title')).toEqual(['löffel', 'Teller'])
  const long = 'ä'.repeat(500)
  const documents = [1, 2].map((n) => ({ id: `long-${n}`, title: long, text: 'Long.' }))
  await server.call(`POST ${BOT}/documents`, { token, params: { botId }, body: { documents } })
  const { next_cursor: longCursor } = await list('documents', { sort: '-title', limit: '1' })
  expect(ids(await list('documents', { sort: '-title', limit: '1', cursor: longCursor }))).toEqual(['long-1'])

  // One search over everything that the role may see.
  const agent = await createMember(server.call, workspaceId, 'agent', 'Edda')
  const viewer = await createMember(server.call, workspaceId, 'viewer')
  const found = async (q: string, as = agent) => {
    const response = await server.call('GET /api/manage/v1/search', { token: as.token, query: { q, bot_id: botId } })
    return response.body.results.map(({ kind, title }: { kind: string; title: string }) => `${kind} ${title}`)
  }
  expect(await found('ADA@')).toEqual(['lead Ada', 'conversation Ada'])
  expect(await found('ada@', viewer)).toEqual(['conversation Ada'])
  expect(await found('edda')).toEqual(['member Edda'])
  expect(await found('äpfel')).toEqual(['answer Who repairs Äpfel?', 'document Äpfel'])
  expect(await found('prices')).toEqual(expect.arrayContaining(['file prices.txt', 'document prices']))
  expect(await found('löff')).toEqual(['product löffel'])
  expect(await found('test bot')).toEqual(['bot Test bot'])
  expect(await found('what opens')).toEqual(['conversation What opens when?'])
  expect(await found('%')).toEqual(['answer Who repairs Boots "40%"?', 'document Boots "40%"'])
})

async function furnish({ call, createBot, clock, baseUrl }: TestServer) {
  const { botId, workspaceId } = await createBot()
  const params = { botId }
  const webhook = { url: 'https://receiver.test/hook', event_types: ['lead.created'] }
  await call(`POST ${BOT}/webhooks`, { token, params, body: webhook })
  const syncKey = await createSyncKey(call, botId)
  const titles = ['Tents', 'Boots "40%"', 'Äpfel']
  const products = ['Teller', 'löffel', 'Becher']
  for (const [index, name] of ['Ada', 'bert', 'Zoe'].entries()) {
    clock.now += 1000
    const title = titles[index] ?? ''
    const document = { id: `d-${index}`, title, text: `All about ${title}.` }
    await call(`POST ${BOT}/documents`, { token, params, body: { documents: [document] } })
    await call(`POST ${BOT}/answers`, {
      token,
      params,
      body: { question: `Who repairs ${title}?`, answer: index ? 'Nobody.' : 'We do.' },
    })
    const offer = [
      { price: '20.00 EUR', availability: 'in_stock' },
      { price: '30.00 EUR', sale_price: '9.99 EUR', availability: 'out_of_stock' },
    ][index]
    await syncProducts(call, syncKey, [{ id: `p${index}`, title: products[index], sku: `SKU-${index}`, ...offer }])
    await createVisitor(call, botId).post('lead', { fields: { name, email: `${name}@shop.example` } })
    const form = new FormData()
    form.append(
      'file',
      new Blob([`Words ${'and more '.repeat(index + 1)}`]),
      ['prices.txt', 'hours.txt', 'Zones.txt'][index],
    )
    const headers = { authorization: `Bearer ${token}` }
    await fetch(`${baseUrl}/api/manage/v1/bots/${botId}/files`, { method: 'POST', headers, body: form })
  }
  await createVisitor(call, botId).say('What opens when?')
  return { botId, workspaceId }
}
