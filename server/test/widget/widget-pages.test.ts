import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { demoProducts } from '../../src/demo/shop.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'

/** The raw body: the harness would decompress it. */
async function raw(url: string, encoding: string) {
  const { request } = await import('undici')
  const { headers, body } = await request(url, { headers: { 'accept-encoding': encoding } })
  return { headers, bytes: Buffer.from(await body.arrayBuffer()) }
}

describe('the files of the widget', () => {
  test('can be loaded from every origin, are cached for five minutes, and compressed if the client accepts it', async () => {
    const { baseUrl } = await startServer('sqlite')
    for (const path of ['/widget.js', '/widget/de.json']) {
      const plain = await raw(baseUrl + path, 'identity')
      expect(plain.headers['access-control-allow-origin']).toBe('*')
      expect(plain.headers['cross-origin-resource-policy']).toBe('cross-origin')
      expect(plain.headers['cache-control']).toBe('public, max-age=300')
      expect(plain.headers['x-content-type-options']).toBe('nosniff')
      expect(plain.headers.vary).toBe('accept-encoding')
      const br = await raw(baseUrl + path, 'gzip, deflate, br')
      expect(br.headers['content-encoding']).toBe('br')
      expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true)
      const gzip = await raw(baseUrl + path, 'br;q=0, gzip')
      expect(gzip.headers['content-encoding']).toBe('gzip')
      expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true)
      expect(gzip.headers.etag).not.toBe(br.headers.etag)
    }
  })

  test('are not sent again to a browser that has them cached', async () => {
    const { call } = await startServer('sqlite')
    const { headers } = await call('GET /widget.js')
    const cachedResponse = await call('GET /widget.js', { headers: { 'if-none-match': headers.etag ?? '' } })
    expect([cachedResponse.status, cachedResponse.text]).toEqual([304, ''])
    expect(cachedResponse.headers['access-control-allow-origin']).toBe('*')
  })

  test('are the only ones there', async () => {
    const { call } = await startServer('sqlite')
    for (const path of ['/widget/xx.json', '/widget/..%2Fwidget.js', '/widget/de', '/widget', '/docent-chat.js']) {
      const { status, body } = await call(`GET ${path}`)
      expect([status, body.error.code], path).toEqual([404, 'not_found'])
    }
  })
})

describe('the full-page chat', () => {
  test('has the widget of its bot under a policy that allows nothing inline and only Docent’s scripts', async () => {
    const { call } = await startServer('sqlite')
    const { status, headers, text } = await call('GET /chat/bot_x-1')
    expect(status).toBe(200)
    expect(text).toContain('<docent-chat bot="bot_x-1" mode="page">')
    expect(text).not.toMatch(/<style|<script(?![^>]*src=)/)
    const policy = headers['content-security-policy'] ?? ''
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toContain('unsafe')
    expect((await call('GET /chat/bot_x-1/page.css')).headers['content-type']).toContain('text/css')
  })

  test('has the name, language, logo and colour of its bot; in a frame, the site around it has its own', async () => {
    const { call } = await startServer('sqlite')
    const widget = { colour: '#b03a2e', logo_url: 'https://lamps.test/logo.png', theme: 'light' }
    const body = { name: 'Lamps & more', language: 'de', widget }
    const bot = await call('POST /api/manage/v1/bots', { token: ADMIN_TOKEN, body })
    const page = `GET /chat/${bot.body.id}`
    const { text } = await call(page)
    expect(text).toContain('<html lang="de" class="alone">')
    expect(text).toContain('<title>Lamps &amp; more</title>')
    expect(text).toContain('href="https://lamps.test/logo.png"')
    expect(text).toContain('name="color-scheme" content="light"')
    expect((await call(`${page}/page.css`)).text).toContain('--colour:#b03a2e')
    expect((await call(page, { headers: { 'sec-fetch-dest': 'iframe' } })).text).toContain('class="framed"')
  })

  test('may be framed by the allowed sites of its bot, by any site without them, and never without a bot', async () => {
    const { call, createBot } = await startServer('sqlite')
    const { botId } = await createBot()
    const framedBy = async (id: string) =>
      /frame-ancestors ([^;]*)/.exec((await call(`GET /chat/${id}`)).headers['content-security-policy'] ?? '')?.[1]
    expect(await framedBy('bot_none')).toBe("'none'")
    expect(await framedBy(botId)).toBe('*')
    const body = { allowed_origins: ['https://shop.example', 'https://www.shop.example'] }
    expect(
      (await call('PATCH /api/manage/v1/bots/{botId}', { token: ADMIN_TOKEN, params: { botId }, body })).status,
    ).toBe(200)
    expect(await framedBy(botId)).toBe("'self' https://shop.example https://www.shop.example")
  })

  test('is served only for valid bot ids', async () => {
    const { call } = await startServer('sqlite')
    for (const path of ['/chat/%22%3E%3Cscript%3E', '/chat/a%2Fb', '/chat/', `/chat/${'a'.repeat(101)}`]) {
      expect((await call(`GET ${path}`)).status, path).toBe(404)
    }
  })
})

test('the demo shop has the widget while there is a demo bot, which can answer its suggested questions', async () => {
  const withBot = await startServer('sqlite', { environment: { DEMO_BOT: 'on' } })
  for (const path of ['/demo', '/demo/shipping', '/demo/de/versand']) {
    const { text, headers } = await withBot.call(`GET ${path}`)
    expect(text, path).toContain('<script src="/widget.js" data-bot="bot_demo" async></script>')
    expect(headers['content-security-policy']).toContain("connect-src 'self'")
  }
  const params = { botId: 'bot_demo' }
  const { body: config } = await withBot.call('GET /api/chat/{botId}/config', { params })
  for (const message of config.suggested_questions) {
    const { body } = await withBot.call('POST /api/chat/{botId}/message', { params, body: { message } })
    expect(body, message).toMatchObject({ answered: true })
    expect(body.confidence, message).toBeGreaterThan(0.6)
  }
  const apart = await startServer('sqlite', {
    environment: { DEMO_BOT: 'on', WIDGET_BASE_URL: 'https://widget.docent.test' },
  })
  const { text, headers } = await apart.call('GET /demo')
  expect(text).toContain('<script src="https://widget.docent.test/widget.js" data-bot="bot_demo" async></script>')
  expect(headers['content-security-policy']).toContain('script-src https://widget.docent.test;')
  const serverWithoutDemo = await startServer('sqlite')
  expect((await serverWithoutDemo.call('GET /demo')).text).not.toContain('widget.js')
})

test('every product of the demo shop has a page and a picture', async () => {
  const { call } = await startServer('sqlite', { environment: { DEMO_BOT: 'on' } })
  for (const { link, title } of demoProducts()) {
    const { status, text } = await call(`GET ${link}`)
    expect(status, link).toBe(200)
    const picture = /<img src="([^"]+)"/.exec(text)?.[1] ?? ''
    expect((await call(`GET ${picture}`)).headers['content-type'], title).toContain('image/svg+xml')
  }
  for (const path of ['/demo/products/nothing', '/demo/images/nothing.svg'])
    expect((await call(`GET ${path}`)).status).toBe(404)
})
