// A bot with content: pages, a curated answer, products, and human handover.

import {
  ADMIN_TOKEN,
  type ServerOptions,
  startServer,
  type TestServer,
} from '../../server/test/harness/start-server.ts'
import { createSyncKey, syncProducts } from '../../server/test/harness/tenants.ts'

const documents = [
  {
    id: 'shipping',
    title: 'Shipping and delivery',
    url: 'https://shop.test/shipping',
    markdown:
      '# Shipping and delivery\n\nStandard delivery within Austria takes two to four working days. Express delivery takes one working day and costs 12 euros.',
  },
  {
    id: 'returns',
    title: 'Returns',
    url: 'https://shop.test/returns',
    markdown: '# Returns\n\nYou can return unused goods within 30 days. Send them to our warehouse in Linz.',
  },
]

const products = [
  {
    id: 'p1',
    title: 'Kestrel backpack',
    price: 89.5,
    currency: 'EUR',
    availability: 'in_stock',
    link: 'https://shop.test/kestrel',
    description: 'A red backpack of 22 litres.',
    product_type: 'Bags > Backpacks',
    attributes: { colour: 'red' },
  },
]

interface Bot {
  settings?: object
  answers?: object[]
  catalogue?: object[]
}

export async function startShop({ environment, onEnd, ...bot }: Bot & ServerOptions = {}) {
  return addShop(await startServer('sqlite', { ...(environment ? { environment } : {}), onEnd }), bot)
}

/** Adds a bot to a running server. */
export async function addShop(server: TestServer, { settings = {}, answers = [], catalogue = products }: Bot = {}) {
  const { botId, workspaceId } = await server.createBot({ documents })
  const params = { botId }
  const token = ADMIN_TOKEN
  const manage = async (route: string, options: { params?: Record<string, string>; body?: object } = {}) => {
    const response = await server.call(route, { token, ...options, params: { ...params, ...options.params } })
    if (response.status >= 400) throw new Error(`${route}: ${response.text}`)
    return response.body
  }
  await manage('PATCH /api/manage/v1/bots/{botId}', { body: settings })
  for (const body of answers) await manage('POST /api/manage/v1/bots/{botId}/answers', { body })
  await syncProducts(server.call, await createSyncKey(server.call, botId), catalogue)
  return { ...server, botId, workspaceId, manage }
}
