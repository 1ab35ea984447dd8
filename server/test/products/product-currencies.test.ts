// The currency of a price: stated by the product, its feed or sync, or the bot. It is never guessed from other products.
import { describe, expect, test } from 'vitest'
import { startCatalogueServer } from '../harness/catalogue.ts'
import { engines } from '../harness/database/databases.ts'
import { startSite } from '../harness/external/test-site.ts'
import { ADMIN_TOKEN } from '../harness/start-server.ts'

const BOT = 'PATCH /api/manage/v1/bots/{botId}'
const kite = { id: 'kite', title: 'Merlin kite', price: 199, availability: 'in_stock' }
const others = Array.from({ length: 6 }, (_, n) => ({ id: `lamp${n}`, title: `Lamp ${n}`, price: '5 EUR' }))

describe.each(engines)('currencies on %s', (engine) => {
  async function open() {
    const shop = await startCatalogueServer(engine, { environment: { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' } })
    const priceOf = async () => {
      const body = { bot_id: shop.botId, message: 'How much is the Merlin kite?' }
      return (await shop.call('POST /api/v1/chat', { token: shop.chatKey, body })).body.response as string
    }
    return { ...shop, priceOf }
  }

  test('a price without a currency is shown without a sign, whatever the other products cost, and reported', async () => {
    const { sync, manage, priceOf } = await open()
    const report = (await sync([...others, kite, { id: 'free', title: 'Sticker' }])).body
    expect(report.warnings).toEqual([
      { index: 6, id: 'kite', code: 'currency_missing', message: expect.stringContaining('1 product') },
    ])
    await sync(others.map((lamp) => ({ ...lamp, price: '6 EUR' })))
    expect(await priceOf()).toMatch(/(?<![€$] ?)199\.00(?! ?[€$])/)

    await manage(BOT, { body: { currency: 'USD' } })
    expect(await priceOf()).toContain('$199.00')
    expect((await sync([{ ...kite, price: 198 }])).body.warnings).toEqual([])
    await manage(BOT, { body: { currency: 'GBP' } })
    expect(await priceOf()).toContain('£198.00')
  })

  test('the currency of a sync applies to products without one, wherever it is in the request', async () => {
    const { sync, read, priceOf } = await open()
    const products = [
      kite,
      ...others,
      { id: 'cup', title: 'Cup', price: '$5' },
      { id: 'hat', title: 'Hat', price: '£5' },
    ]
    const report = (await sync({ products, currency: 'CAD' })).body
    expect(report).toMatchObject({ created: 9, warnings: [] })
    expect(await priceOf()).toContain('CA$199.00')
    const codes = await Promise.all(['lamp0', 'cup', 'hat'].map(async (id) => (await read(id)).currency))
    expect(codes).toEqual(['EUR', 'CAD', 'GBP'])
    expect((await sync({ currency: 'CAD', products })).body).toMatchObject({ unchanged: 9, updated: 0 })
    expect((await sync({ currency: 'EUR', products })).body).toMatchObject({ updated: 2 })
    // Euros have no "$".
    expect((await read('cup')).currency).toBe('USD')
    expect((await sync({ currency: 'euros', products })).status).toBe(400)
  })

  test('the currency of a feed applies to its products', async () => {
    const shop = await open()
    const site = await startSite()
    const headers = { 'content-type': 'application/json', etag: '"1"' }
    site.pages.set('/feed.json', ({ headers: requestHeaders }) =>
      requestHeaders['if-none-match'] === '"1"' ? { status: 304 } : { headers, body: JSON.stringify([kite]) },
    )
    const settings = { url: `${site.url}/feed.json`, currency: 'CHF' }
    const { body: feed } = await shop.manage('POST /api/manage/v1/bots/{botId}/feeds', { body: settings })
    expect(feed.currency).toBe('CHF')
    const params = { botId: shop.botId, feedId: feed.id }
    const call = (route: string, body?: object) =>
      shop.call(`${route.split(' ')[0]} /api/manage/v1/bots/{botId}/feeds/{feedId}${route.split(' ')[1]}`, {
        token: ADMIN_TOKEN,
        params,
        ...(body ? { body } : {}),
      })
    await expect.poll(async () => (await call('GET ')).body.last_run?.created).toBe(1)
    expect(await shop.priceOf()).toMatch(/CHF\s199\.00/)
    await call('PATCH ', { currency: null })
    await call('POST /run')
    await expect.poll(async () => (await call('GET ')).body.last_run.warnings[0]?.code).toBe('currency_missing')
    expect(await shop.priceOf()).not.toContain('CHF')
  })
})
