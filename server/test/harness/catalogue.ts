// A server with one bot and its sync key, and shorthands to send products and read them back.
import type { ApiResponse, CallOptions } from './call.ts'
import type { Engine } from './database/databases.ts'
import { ADMIN_TOKEN, startServer } from './start-server.ts'
import { createSyncKey, syncProducts } from './tenants.ts'

type ServerOptions = Parameters<typeof startServer>[1]

const PRODUCTS = 'GET /api/manage/v1/bots/{botId}/products'

export async function startCatalogueServer(engine: Engine, options: ServerOptions = {}, language = 'en') {
  const server = await startServer(engine, options)
  const { botId, key } = await server.createBot({ language })
  const syncKey = await createSyncKey(server.call, botId)
  const manage = (route: string, options: CallOptions = {}): Promise<ApiResponse> =>
    server.call(route, { token: ADMIN_TOKEN, ...options, params: { botId, ...options.params } })
  return {
    ...server,
    botId,
    chatKey: key,
    syncKey,
    manage,
    sync: (body: unknown, options: CallOptions = {}) => syncProducts(server.call, syncKey, body, options),
    sendRaw: (raw: string | Uint8Array, options: CallOptions = {}) =>
      syncProducts(server.call, syncKey, undefined, { raw, ...options }),
    read: async (productId: string) => (await manage(`${PRODUCTS}/{productId}`, { params: { productId } })).body,
    /** All product ids, in order. */
    async ids(): Promise<string[]> {
      const ids: string[] = []
      let cursor: string | null = null
      do {
        const page: ApiResponse = await manage(PRODUCTS, { query: { limit: 200, ...(cursor ? { cursor } : {}) } })
        ids.push(...page.body.items.map(({ id }: { id: string }) => id))
        cursor = page.body.next_cursor
      } while (cursor)
      return ids
    },
  }
}

export const sampleProducts = (...ids: string[]) => ids.map((id) => ({ id, title: `Product ${id}`, price: '9.90 EUR' }))
