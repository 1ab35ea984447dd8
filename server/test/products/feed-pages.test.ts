// Feeds of several pages: read to the end on one site, within limits; a feed that was cut says so and removes nothing.
import { describe, expect, test } from 'vitest'
import { startCatalogueServer } from '../harness/catalogue.ts'
import { engines } from '../harness/database/databases.ts'
import { startSite, type TestSite } from '../harness/external/test-site.ts'
import { ADMIN_TOKEN } from '../harness/start-server.ts'

const json = { 'content-type': 'application/json' }

/** As WooCommerce's Store API lists products. */
const storeProduct = (n: number) => ({
  id: n,
  name: `Lamp ${n}`,
  permalink: `https://shop.test/product/lamp-${n}/`,
  prices: { price: '1800', regular_price: '2000', sale_price: '1800', currency_code: 'EUR', currency_minor_unit: 2 },
  on_sale: true,
  is_in_stock: n % 2 === 1,
  add_to_cart: { text: 'Add to cart' },
})

/** As Shopify's /products.json lists them. */
const storefrontProduct = (n: number) => ({
  id: n,
  title: `Lamp ${n}`,
  handle: `lamp-${n}`,
  variants: [{ id: n * 10, title: 'Default Title', price: '18.00', compare_at_price: '20.00', available: true }],
})

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)

describe.each(engines.slice(0, 1))('paged feeds on %s', (engine) => {
  async function open(environment: Record<string, string> = {}) {
    const shop = await startCatalogueServer(engine, {
      environment: { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1', ...environment },
    })
    const site = await startSite()
    const runs = new Map<string, string>()
    async function ended(feedId: string) {
      const params = { botId: shop.botId, feedId }
      const find = async () =>
        (await shop.call('GET /api/manage/v1/bots/{botId}/feeds/{feedId}', { token: ADMIN_TOKEN, params })).body
      await expect.poll(async () => (await find()).last_run?.id ?? runs.get(feedId)).not.toBe(runs.get(feedId))
      const feed = await find()
      runs.set(feedId, feed.last_run.id)
      return feed.last_run
    }
    async function pull(path: string, more: object = {}) {
      const body = { url: `${site.url.replace('//', '//shop:secret@')}${path}`, currency: 'EUR', ...more }
      const { body: feed } = await shop.manage('POST /api/manage/v1/bots/{botId}/feeds', { body })
      return { id: feed.id as string, run: await ended(feed.id) }
    }
    async function again(feedId: string) {
      const params = { botId: shop.botId, feedId }
      await shop.call('POST /api/manage/v1/bots/{botId}/feeds/{feedId}/run', { token: ADMIN_TOKEN, params })
      return ended(feedId)
    }
    return { ...shop, site, pull, again }
  }

  function pages(site: TestSite, path: string, all: object[][], headers: (page: number) => Record<string, string>) {
    for (const [index, body] of all.entries()) {
      const address = index === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}page=${index + 1}`
      site.pages.set(address, { headers: { ...json, ...headers(index + 1) }, body: JSON.stringify(body) })
    }
  }

  test('a WooCommerce shop is read by its number of pages, with stock, sale and prices in minor units', async () => {
    const { site, pull, ids, read } = await open()
    const all = [numbers(1, 10), numbers(11, 20), numbers(21, 25)].map((page) => page.map(storeProduct))
    pages(site, '/wp-json/wc/store/v1/products', all, () => ({ 'x-wp-total': '25', 'x-wp-totalpages': '3' }))
    const { run } = await pull('/wp-json/wc/store/v1/products')
    expect(run).toMatchObject({ outcome: 'done', received: 25, created: 25, pages: 3, cut_reason: null })
    expect(await ids()).toHaveLength(25)
    expect(await read('24')).toMatchObject({ price: 20, sale_price: 18, currency: 'EUR', availability: 'out_of_stock' })
    expect(await read('25')).toMatchObject({ availability: 'in_stock', attributes: {} })
    expect(site.headers.get('/wp-json/wc/store/v1/products?page=3')?.authorization).toBe(`Basic ${btoa('shop:secret')}`)
  })

  test('next links are followed, and a change on a later page is noticed although the first is unchanged', async () => {
    const { site, pull, again, ids } = await open()
    const page = (n: number, next: string) => ({
      headers: { ...json, etag: '"1"', link: `<${site.url}/admin/?p=0>; rel="previous", <${next}>; rel="next"` },
      body: JSON.stringify({ products: [storefrontProduct(n)] }),
    })
    site.pages.set('/admin/products.json', ({ headers }) =>
      headers['if-none-match'] ? { status: 304 } : page(1, `${site.url}/admin/products.json?page_info=abc`),
    )
    site.pages.set('/admin/products.json?page_info=abc', page(2, '?page_info=def'))
    const last = { headers: json, body: JSON.stringify({ products: [storefrontProduct(3)] }) }
    site.pages.set('/admin/products.json?page_info=def', last)
    const { id, run } = await pull('/admin/products.json')
    expect(run).toMatchObject({ received: 3, pages: 3, cut_reason: null })
    last.body = JSON.stringify({ products: [storefrontProduct(3), storefrontProduct(4)] })
    expect(await again(id)).toMatchObject({ outcome: 'done', created: 1, unchanged: 3 })
    expect(await ids()).toEqual(['1', '2', '3', '4'])
  })

  test('a Shopify shop is read until a page is not full, and its products link to their pages', async () => {
    const { site, pull, read, manage } = await open()
    await manage('PATCH /api/manage/v1/bots/{botId}', { body: { site_url: null } })
    const all = [numbers(1, 30), numbers(31, 60), []].map((page) => ({ products: page.map(storefrontProduct) }))
    pages(site, '/products.json', all as never, () => ({}))
    expect((await pull('/products.json')).run).toMatchObject({ received: 60, pages: 3, cut_reason: null })
    const product = { link: `${site.url}/products/lamp-60`, price: 20, sale_price: 18, currency: 'EUR' }
    expect(await read('60')).toMatchObject(product)

    // A file of that name is not paged, whatever is asked of it.
    const file = { headers: json, body: JSON.stringify(all[0]) }
    for (const path of ['/files/products.json', '/files/products.json?page=2']) site.pages.set(path, file)
    expect((await pull('/files/products.json')).run).toMatchObject({ outcome: 'done', cut_reason: null })
  })

  test('a feed that goes on elsewhere, repeats itself or ends early says so and removes nothing', async () => {
    const { site, pull, again, ids } = await open()
    const list = (...all: number[]) => JSON.stringify(all.map(storeProduct))
    site.pages.set('/list.json', { headers: json, body: list(1, 2, 3) })
    const { id } = await pull('/list.json', { remove_missing: true })
    const outcomes: unknown[] = []
    for (const headers of [
      { link: '<https://elsewhere.test/list.json>; rel="next"' },
      { link: '</list.json>; rel=next' },
      { 'x-wp-total': '3' },
    ]) {
      site.pages.set('/list.json', { headers: { ...json, ...headers }, body: list(1, 2) })
      const feedRun = await again(id)
      outcomes.push([feedRun.outcome, feedRun.cut_reason, feedRun.deleted])
    }
    expect(outcomes).toEqual([
      ['done', 'other_origin', 0],
      ['done', 'repeated_page', 0],
      ['done', 'fewer_than_stated', 0],
    ])
    expect(await ids()).toEqual(['1', '2', '3'])
    site.pages.set('/list.json', { headers: json, body: list(1, 2) })
    expect(await again(id)).toMatchObject({ deleted: 1, cut_reason: null })
  })

  test('all pages count towards the limits, and a page that fails leaves everything as it was', async () => {
    const { site, pull, ids } = await open({ SYNC_MAX_BYTES: '20000', SYNC_MAX_ITEMS: '50' })
    let size = 10
    let body = (n: number): string => JSON.stringify(numbers(n * size, n * size + size - 1).map(storefrontProduct))
    site.fallback = (path) => {
      const n = Number(new URL(path, site.url).searchParams.get('p'))
      if (n === 3 && path.startsWith('/broken')) return { status: 500 }
      return { headers: { ...json, link: `<?p=${n + 1}>; rel=next` }, body: body(n) }
    }
    expect((await pull('/items?p=1')).run).toMatchObject({ outcome: 'failed', reason: 'too_many_items' })
    expect((await pull('/broken?p=1')).run).toMatchObject({
      outcome: 'failed',
      reason: 'http_status',
      status_code: 500,
    })
    size = 1
    body = (n) => JSON.stringify([{ ...storefrontProduct(n), body_html: 'x'.repeat(5000) }])
    expect((await pull('/large?p=1')).run).toMatchObject({ outcome: 'failed', reason: 'too_large' })
    expect(await ids()).toEqual([])
  })
})
