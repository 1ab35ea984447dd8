import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { startServer } from '../harness/start-server.ts'

const paths = ['/', '/login', '/setup', '/bots/bot_x/knowledge/crawls', '/workspace/members', '/account']

async function start() {
  const { call, baseUrl } = await startServer('sqlite')
  const { text } = await call('GET /')
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? ''
  return { call, baseUrl, script }
}

/** The raw body: the harness would decompress it. */
async function raw(url: string, encoding: string) {
  const { request } = await import('undici')
  const { headers, body } = await request(url, { headers: { 'accept-encoding': encoding } })
  return { headers, bytes: Buffer.from(await body.arrayBuffer()) }
}

describe('the dashboard', () => {
  test('serves its document at every dashboard path, with a policy that allows nothing inline or external', async () => {
    const { call } = await start()
    for (const path of paths) {
      const { status, headers, text } = await call(`GET ${path}`)
      expect(status, path).toBe(200)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(headers['cache-control']).toBe('no-cache')
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBe('no-referrer')
      const policy = headers['content-security-policy'] ?? ''
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      expect(text).not.toMatch(/<style|<script(?![^>]*src=)/)
    }
  })

  test('a browser that has the document cached gets 304', async () => {
    const { call } = await start()
    const { headers } = await call('HEAD /login')
    expect((await call('GET /login', { headers: { 'if-none-match': headers.etag ?? '' } })).status).toBe(304)
  })

  test('its files may be cached forever and are compressed if the client accepts it', async () => {
    const { baseUrl, script } = await start()
    const plain = await raw(baseUrl + script, 'identity')
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(plain.headers['content-encoding']).toBeUndefined()
    const br = await raw(baseUrl + script, 'gzip, deflate, br')
    expect(br.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true)
    const gzip = await raw(baseUrl + script, 'br;q=0, gzip')
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true)
  })

  test('leaves other paths to the API: not found, as JSON', async () => {
    const { call } = await start()
    const others = ['/api/manage/v1/nothing', '/api', '/nothing', '/assets/nothing.js', '/assets/..%2Findex.html']
    for (const path of [...others, '/assets/.stamp', '/loginx']) {
      const { status, body } = await call(`GET ${path}`)
      expect(status, path).toBe(404)
      expect(body.error.code, path).toBe('not_found')
    }
  })
})
