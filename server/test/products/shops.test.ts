// Shops read through their own APIs with a key: to the end, as fast as they allow, without what customers cannot see.
import { describe, expect, test } from 'vitest'
import { startCatalogueServer } from '../harness/catalogue.ts'
import { engines } from '../harness/database/databases.ts'
import { queryRows } from '../harness/database/rows.ts'
import { startDnsServer } from '../harness/external/dns-server.ts'
import {
  denied,
  shopifyProduct,
  shopifyVariant,
  startShopify,
  startWooCommerce,
  throttled,
  wooProduct,
} from '../harness/external/shop-servers.ts'
import { startSite } from '../harness/external/test-site.ts'
import { ADMIN_TOKEN } from '../harness/start-server.ts'

const wooKey = { type: 'woocommerce', consumer_key: 'ck_1234567890abcd', consumer_secret: 'cs_secret' }
/** A metafield that the shop's pages show. */
const publicAccess = { definition: { access: { storefront: 'PUBLIC_READ' } } }
const shopifyKey = { type: 'shopify', access_token: 'shpat_1234567890abcd' }
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)

describe.each(engines)('shops on %s', (engine) => {
  async function open(environment: Record<string, string> = {}) {
    const shop = await startCatalogueServer(engine, {
      environment: { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1', ...environment },
    })
    const runs = new Map<string, string>()
    const send = (route: string, feedId: string, more: object = {}) =>
      shop.call(route.replace(' ', ' /api/manage/v1/bots/{botId}'), {
        token: ADMIN_TOKEN,
        params: { botId: shop.botId, feedId },
        ...more,
      })
    async function ended(feedId: string) {
      const find = async () => (await send('GET /feeds/{feedId}', feedId)).body
      await expect.poll(async () => (await find()).last_run?.id ?? runs.get(feedId)).not.toBe(runs.get(feedId))
      const feed = await find()
      runs.set(feedId, feed.last_run.id)
      return feed
    }
    async function connect(url: string, key: object, more: object = {}) {
      const { status, body } = await send('POST /feeds', '', { body: { url, shop: key, ...more } })
      expect(status).toBe(201)
      return ended(body.id)
    }
    async function again(feedId: string) {
      await send('POST /feeds/{feedId}/run', feedId)
      return ended(feedId)
    }
    return { ...shop, send, ended, connect, again }
  }

  test('a key is sent over https, or within a network that the operator lists, and nowhere else', async () => {
    const { send } = await open({ ALLOWED_PRIVATE_NETWORKS: '127.0.0.1,10.1.0.0/16' })
    const add = async (url: string, shop: object | null = wooKey) => {
      const { status, body } = await send('POST /feeds', '', { body: { url, ...(shop ? { shop } : {}) } })
      return status === 201 ? status : body.error.details[0]
    }
    const refusal = { path: 'url', message: expect.stringContaining('only sent over https') }
    // Names that do not exist may lead anywhere one day.
    for (const url of ['http://93.184.215.14/store', 'http://[2606:2800:21f::1]', 'http://shop.invalid'])
      for (const key of [wooKey, shopifyKey]) expect(await add(url, key)).toEqual(refusal)
    expect(await add('http://10.2.0.1/store')).toEqual({ path: 'url', message: expect.stringContaining('private') })
    for (const url of ['https://93.184.215.14', 'http://127.0.0.1:1/store', 'http://10.1.2.3', 'http://localhost:1'])
      expect([url, await add(url)]).toEqual([url, 201])
    expect(await add('http://93.184.215.14/feed.xml', null)).toBe(201)
  })

  test('a key is neither added nor moved to an address without https, and one that is there is not sent', async () => {
    const names = await startDnsServer()
    names.addresses.set('shop.test', [['127.0.0.1']])
    const { send, ended, again } = await open({ DNS_SERVERS: names.address })
    const url = 'http://93.184.215.14/feed.xml'
    const { body: plain } = await send('POST /feeds', '', { body: { url } })
    const refused = async (feedId: string, body: object) =>
      (await send('PATCH /feeds/{feedId}', feedId, { body })).body.error.details[0].message
    expect(await refused(plain.id, { shop: wooKey })).toContain('only sent over https')
    const woo = await startWooCommerce()
    woo.products = [wooProduct(1, 'Lamp')]
    const shopUrl = `http://shop.test:${new URL(woo.site.url).port}/store`
    const { body: feed } = await send('POST /feeds', '', { body: { url: shopUrl, shop: wooKey } })
    expect((await ended(feed.id)).last_run).toMatchObject({ outcome: 'done', received: 1 })
    expect(await refused(feed.id, { url, shop: wooKey })).toContain('only sent over https')
    names.addresses.set('shop.test', [['93.184.215.14']])
    expect((await again(feed.id)).last_run).toMatchObject({ outcome: 'failed', reason: 'insecure_address' })
    names.addresses.set('shop.test', [['10.0.0.1']])
    expect((await again(feed.id)).last_run).toMatchObject({ outcome: 'failed', reason: 'refused_address' })
  })

  test('a WooCommerce shop is read to the end with variations, sales, stock, units and its currency', async () => {
    const woo = await startWooCommerce()
    woo.products = numbers(1, 118).map((n) => wooProduct(n, `Lamp ${n}`))
    woo.products.push(
      wooProduct(200, 'Desk lamp', {
        type: 'variable',
        price: '18.00',
        regular_price: '',
        variations: [201, 202, 203],
        weight: '1.2',
        dimensions: { length: '20', width: '15', height: '40' },
        attributes: [
          { id: 1, name: 'Colour', visible: true, variation: true, options: ['Red', 'Blue'] },
          { id: 0, name: 'Supplier code', visible: false, variation: false, options: ['X-17'] },
        ],
      }),
      // A sale that is planned but has not begun.
      wooProduct(210, 'Winter lamp', { sale_price: '9.00', on_sale: false, stock_status: 'onbackorder' }),
      wooProduct(211, 'Sold lamp', {
        price: '15.00',
        sale_price: '15.00',
        on_sale: true,
        stock_status: 'outofstock',
      }),
      wooProduct(220, 'Draft lamp', { status: 'draft' }),
      wooProduct(221, 'Hidden lamp', { catalog_visibility: 'hidden' }),
      wooProduct(222, 'Secret lamp', { post_password: 'x' }),
    )
    const variation = (id: number, colour: string, more: object = {}) => ({
      id,
      sku: `DESK-${colour}`,
      status: 'publish',
      price: '20.00',
      regular_price: '20.00',
      sale_price: '',
      on_sale: false,
      stock_status: 'instock',
      attributes: [{ id: 1, name: 'Colour', option: colour }],
      image: { src: `https://shop.test/${id}.jpg` },
      permalink: `https://shop.test/product/product-200/?attribute_colour=${colour}`,
      ...more,
    })
    woo.variations.set(200, [
      variation(201, 'Red', { price: '18.00', sale_price: '18.00', on_sale: true }),
      variation(202, 'Blue', { stock_status: 'outofstock' }),
      variation(203, 'Grey', { status: 'private' }),
    ])
    const { connect, ids, read, database, send, call, chatKey, botId } = await open()
    const feed = await connect(`${woo.site.url}/store/`, wooKey, { every_hours: 6 })
    expect(feed).toMatchObject({
      url: `${woo.site.url}/store/`,
      shop: { type: 'woocommerce', key_hint: 'abcd' },
      format: 'woocommerce_api',
      every_hours: 6,
      last_run: { outcome: 'done', received: 121, created: 121, pages: 3, cut_reason: null, warnings: [] },
    })
    expect(feed.next_run_at).not.toBeNull()
    const productIds = await ids()
    expect(productIds).toHaveLength(121)
    expect(productIds).not.toEqual(expect.arrayContaining(['220']))
    expect(productIds).not.toEqual(expect.arrayContaining(['221']))
    expect(productIds).not.toEqual(expect.arrayContaining(['222']))
    const desk = await read('200')
    expect(desk).toMatchObject({ currency: 'EUR', price: 20, sale_price: 18, availability: 'in_stock' })
    expect(desk.attributes).toEqual({ Colour: ['Red', 'Blue'], weight: '1.2 kg', dimensions: '20 × 15 × 40 cm' })
    expect(desk.variants.map(({ title, availability }: Record<string, unknown>) => [title, availability])).toEqual([
      ['Red', 'in_stock'],
      ['Blue', 'out_of_stock'],
    ])
    expect(await read('210')).toMatchObject({ price: 20, sale_price: null, availability: 'backorder' })
    expect(await read('211')).toMatchObject({ price: 20, sale_price: 15, availability: 'out_of_stock' })
    expect(JSON.stringify(await read('1'))).not.toContain('7.10')
    const message = { bot_id: botId, message: 'How much is the desk lamp?' }
    const { response } = (await call('POST /api/v1/chat', { token: chatKey, body: message })).body
    expect(response).toContain('€18')

    // The key is sealed, and nothing shows it.
    const rows = await queryRows(database, 'SELECT * FROM product_feeds')
    expect(JSON.stringify(rows)).not.toMatch(/ck_1234567890abcd|cs_secret/)
    expect(JSON.stringify((await send('GET /feeds', '')).body)).not.toMatch(/ck_|cs_/)
  })

  test('a Shopify shop is read to the end with variants beyond the first, sales, metafields and its currency', async () => {
    const shopify = await startShopify()
    shopify.largestPage = 10
    const plain = (n: number) => shopifyProduct(n, `Lamp ${n}`, [shopifyVariant(n * 100, 'Default Title')])
    shopify.products = numbers(1, 24).map(plain)
    shopify.products.push(
      shopifyProduct(
        50,
        'Garland',
        [
          shopifyVariant(5001, 'Red', { price: '18.00', compareAtPrice: '24.00' }),
          shopifyVariant(5002, 'Blue', { availableForSale: false, inventoryQuantity: 0 }),
          shopifyVariant(5003, 'Green', { inventoryQuantity: -2, inventoryPolicy: 'CONTINUE' }),
          ...numbers(5004, 5150).map((id) => shopifyVariant(id, `Shade ${id}`)),
        ],
        {
          metafields: {
            nodes: [
              { key: 'care_guide', type: 'single_line_text_field', value: 'Wipe with a dry cloth', ...publicAccess },
              { key: 'materials', type: 'list.single_line_text_field', value: '["linen","oak"]', ...publicAccess },
              { key: 'related', type: 'list.product_reference', value: '["gid://shopify/Product/1"]', ...publicAccess },
              { key: 'supplier', type: 'single_line_text_field', value: 'Only for the team', definition: null },
            ],
          },
        },
      ),
      shopifyProduct(60, 'Draft lamp', [shopifyVariant(6000, 'Default Title')], { status: 'DRAFT' }),
      shopifyProduct(61, 'Hidden lamp', [shopifyVariant(6100, 'Default Title')], { onlineStoreUrl: null }),
    )
    shopify.first = [throttled(1000)]
    const { connect, ids, read } = await open()
    const feed = await connect(`${shopify.site.url}/admin`, shopifyKey)
    expect(feed).toMatchObject({
      shop: { type: 'shopify', key_hint: 'abcd' },
      format: 'shopify_api',
      last_run: { outcome: 'done', received: 25, created: 25, pages: 4, cut_reason: null, warnings: [] },
    })
    expect(await ids()).toHaveLength(25)
    expect(await read('7')).toMatchObject({
      price: 20,
      currency: 'CAD',
      sku: 'V-700',
      link: 'https://shop.test/products/product-7',
      image_link: 'https://cdn.shop.test/7.jpg',
      availability: 'in_stock',
      variants: [],
    })
    const garland = await read('50')
    expect(garland).toMatchObject({ price: 24, sale_price: 18, brand: 'Lumen & Co' })
    expect(garland.attributes).toEqual({ 'care guide': 'Wipe with a dry cloth', materials: ['linen', 'oak'] })
    expect(garland.variants).toHaveLength(150)
    expect(garland.variants.slice(0, 3).map((one: Record<string, unknown>) => [one.title, one.availability])).toEqual([
      ['Red', 'in_stock'],
      ['Blue', 'out_of_stock'],
      ['Green', 'backorder'],
    ])
  })

  test('what is wrong is named: key, permission, address, too many requests', async () => {
    const [woo, shopify, website] = [await startWooCommerce(), await startShopify(), await startSite()]
    website.fallback = () => '<h1>A shop window</h1>'
    const { connect } = await open({ FEED_TIMEOUT_SECONDS: '20' })
    const reasonOf = async (url: string, key: object) => {
      const { last_run: lastRun } = await connect(url, key)
      return [lastRun.outcome, lastRun.reason, lastRun.status_code]
    }
    const wooUrl = `${woo.site.url}/store`
    expect(await reasonOf(wooUrl, { ...wooKey, consumer_secret: 'cs_other' })).toEqual(['failed', 'wrong_key', 401])
    expect(await reasonOf(woo.site.url, wooKey)).toEqual(['failed', 'wrong_address', 404])
    expect(await reasonOf(website.url, wooKey)).toEqual(['failed', 'wrong_address', 200])
    const shopifyUrl = shopify.site.url
    expect(await reasonOf(shopifyUrl, { ...shopifyKey, access_token: 'shpat_x' })).toEqual(['failed', 'wrong_key', 401])
    shopify.first = [denied()]
    expect(await reasonOf(shopifyUrl, shopifyKey)).toEqual(['failed', 'permission_missing', 200])
    expect(await reasonOf(website.url, shopifyKey)).toEqual(['failed', 'wrong_address', 200])
    // It would take longer than a run may.
    shopify.first = [throttled(0.1)]
    expect(await reasonOf(shopifyUrl, shopifyKey)).toEqual(['failed', 'rate_limited', 429])
    website.fallback = () => ({ status: 301, headers: { location: `${woo.site.url}/store/` } })
    expect(await reasonOf(website.url, wooKey)).toEqual(['failed', 'wrong_address', 301])
    expect(woo.site.headers.get('/store/')).toBeUndefined()
  })

  test('a shop that asks to wait is asked again later, and a key that may not read settings still reads products', async () => {
    const woo = await startWooCommerce()
    woo.products = [wooProduct(1, 'Lamp'), wooProduct(2, 'Shade')]
    woo.currency = null
    woo.first = [
      { status: 429, headers: { 'retry-after': '1' }, body: '' },
      { status: 503, headers: { 'retry-after': '0' }, body: '' },
    ]
    const { connect, read } = await open()
    const startedAt = performance.now()
    const feed = await connect(`${woo.site.url}/store/wp-json/wc/v3/`, wooKey, { currency: 'CHF' })
    expect(performance.now() - startedAt).toBeGreaterThan(900)
    expect(feed.last_run).toMatchObject({ outcome: 'done', received: 2 })
    expect(await read('1')).toMatchObject({ price: 20, currency: 'CHF' })
  })

  test('products that a shop no longer shows are removed, but not when the shop gave fewer than it states', async () => {
    const woo = await startWooCommerce()
    woo.products = numbers(1, 60).map((n) => wooProduct(n, `Lamp ${n}`))
    const { connect, again, ids } = await open()
    const feed = await connect(`${woo.site.url}/store`, wooKey, { remove_missing: true })
    woo.products.splice(59, 1)
    ;(woo.products[0] as Record<string, unknown>).status = 'private'
    expect((await again(feed.id)).last_run).toMatchObject({ outcome: 'done', deleted: 2 })
    expect(await ids()).toHaveLength(58)
    const short = { 'content-type': 'application/json', 'x-wp-total': '58', 'x-wp-totalpages': '1' }
    const setting = { headers: { 'content-type': 'application/json' }, body: '[]' }
    woo.first = [setting, setting, { headers: short, body: JSON.stringify([wooProduct(2, 'Lamp 2')]) }]
    expect((await again(feed.id)).last_run).toMatchObject({ cut_reason: 'fewer_than_stated', deleted: 0 })
    expect(await ids()).toHaveLength(58)
  })

  test('the key is entered again for another host, can be replaced, and stays with the settings otherwise', async () => {
    const [woo, otherShop] = [await startWooCommerce(), await startWooCommerce('ck_second_key_wxyz')]
    for (const one of [woo, otherShop]) one.products = [wooProduct(1, 'Lamp')]
    const { connect, send, again } = await open()
    const { id } = await connect(`${woo.site.url}/store`, wooKey)
    const response = await send('PATCH /feeds/{feedId}', id, { body: { url: `${otherShop.site.url}/store` } })
    expect(response.status).toBe(400)
    expect(response.body.error.details).toEqual([{ path: 'shop', message: expect.stringContaining('key again') }])
    expect(otherShop.site.requestedPaths).toEqual([])
    expect((await send('PATCH /feeds/{feedId}', id, { body: { every_hours: 12 } })).body.shop.key_hint).toBe('abcd')
    const body = { url: `${otherShop.site.url}/store`, shop: { ...wooKey, consumer_key: 'ck_second_key_wxyz' } }
    expect((await send('PATCH /feeds/{feedId}', id, { body })).body.shop.key_hint).toBe('wxyz')
    expect((await again(id)).last_run).toMatchObject({ outcome: 'done', received: 1 })
  })

  test('a shop on a private network is refused, and so is a key with line breaks', async () => {
    const { send } = await open({ ALLOWED_PRIVATE_NETWORKS: '' })
    const response = await send('POST /feeds', '', { body: { url: 'http://127.0.0.1:9/', shop: wooKey } })
    expect([response.status, response.body.error.details[0].path]).toEqual([400, 'url'])
    const feedBody = { url: 'https://shop.test', shop: { type: 'shopify', access_token: 'a\r\nb' } }
    expect((await send('POST /feeds', '', { body: feedBody })).status).toBe(400)
  })
})
