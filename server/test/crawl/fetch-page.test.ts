// A page is fetched within its time and size limits, compressed or not; the number of redirects is limited.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { parseNetwork } from '../../src/outbound/guard.ts'
import { openOutbound } from '../../src/outbound/outbound.ts'
import { startSite } from '../harness/external/test-site.ts'
import { expectBelow, measureMs } from '../harness/timing.ts'
import { WAIT_TIMEOUT_MS } from '../harness/wait.ts'

const LIMIT_BYTES = 100_000

async function open(pages: Parameters<typeof startSite>[0]) {
  const site = await startSite(pages)
  const loopback = parseNetwork('127.0.0.1')
  const outbound = openOutbound({
    allowedPrivateNetworks: loopback ? [loopback] : [],
    dnsServers: [],
    userAgent: 'Test/1',
  })
  onTestFinished(() => outbound.close())
  const fetch = (path: string, more: object = {}) =>
    outbound.fetchPage({ url: site.url + path, limitBytes: LIMIT_BYTES, timeoutMs: WAIT_TIMEOUT_MS, ...more })
  return { site, fetch, text: async (path: string) => Buffer.from((await fetch(path)).body).toString() }
}

test('bodies are read plain, in gzip, deflate and brotli, and in two encodings at once', async () => {
  const { text, site } = await open({
    '/plain': 'hello',
    '/gzip': { headers: { 'content-encoding': 'gzip' }, body: gzipSync('hello') },
    '/deflate': { headers: { 'content-encoding': 'deflate' }, body: deflateSync('hello') },
    '/br': { headers: { 'content-encoding': 'br' }, body: brotliCompressSync('hello') },
    '/both': { headers: { 'content-encoding': 'gzip, br' }, body: brotliCompressSync(gzipSync('hello')) },
  })
  for (const path of site.pages.keys()) expect([path, await text(path)]).toEqual([path, 'hello'])
  expect(site.headers.get('/plain')).toMatchObject({ 'user-agent': 'Test/1', 'accept-encoding': 'gzip, deflate, br' })
})

test.each([
  ['larger than allowed', { body: Buffer.alloc(LIMIT_BYTES + 1) }, 'too_large'],
  [
    'a bomb in gzip',
    { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(200 * LIMIT_BYTES)) },
    'too_large',
  ],
  [
    'a bomb in brotli',
    { headers: { 'content-encoding': 'br' }, body: brotliCompressSync(Buffer.alloc(200 * LIMIT_BYTES)) },
    'too_large',
  ],
  [
    'a bomb within a bomb',
    { headers: { 'content-encoding': 'gzip, gzip' }, body: gzipSync(gzipSync(Buffer.alloc(200 * LIMIT_BYTES))) },
    'too_large',
  ],
  [
    'cut off within gzip',
    { headers: { 'content-encoding': 'gzip' }, body: gzipSync('hello').subarray(0, 12) },
    'broken_answer',
  ],
  ['no gzip at all', { headers: { 'content-encoding': 'gzip' }, body: 'hello' }, 'broken_answer'],
  ['packed very often', { headers: { 'content-encoding': 'br,'.repeat(3000) }, body: 'hello' }, 'broken_answer'],
  ['packed in an unknown way', { headers: { 'content-encoding': 'rot13' }, body: 'uryyb' }, 'broken_answer'],
])('an answer that is %s fails as %s', async (_, page, code) => {
  const { fetch } = await open({ '/': page })
  await expect(fetch('/')).rejects.toMatchObject({ name: 'FetchFailure', code })
})

test('an endless body without a length ends at the limit, and the connection is closed', async () => {
  let isClosed = false
  const { fetch } = await open({
    '/': (_request, response) => {
      const writer = setInterval(() => response.write(Buffer.alloc(10_000)), 1)
      response.on('close', () => {
        isClosed = true
        clearInterval(writer)
      })
      return undefined
    },
  })
  await expect(fetch('/')).rejects.toMatchObject({ code: 'too_large' })
  await expect.poll(() => isClosed).toBe(true)
})

test('no response, half a response and a very slow one end at the overall time limit', async () => {
  const { fetch } = await open({
    '/silent': () => undefined,
    '/half': (_request, response) => void response.writeHead(200).write('half'),
    '/drip': (_request, response) => {
      const dripping = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(dripping))
      return undefined
    },
  })
  for (const path of ['/silent', '/half', '/drip'])
    await expectBelow(3000, () =>
      measureMs(() => expect(fetch(path, { timeoutMs: 300 })).rejects.toMatchObject({ code: 'timeout' })),
    )
})

test('redirects are reported, followed up to the limit, and never to a private address', async () => {
  const { fetch, site } = await open({
    '/1': { status: 301, headers: { location: '/2' } },
    '/2': { status: 302, headers: { location: '/3' } },
    '/3': 'there',
    '/loop': { status: 307, headers: { location: '/loop' } },
    '/inner': { status: 302, headers: { location: 'http://10.0.0.1/' } },
    '/file': { status: 302, headers: { location: 'file:///etc/passwd' } },
  })
  expect(await fetch('/1')).toMatchObject({ status: 301, location: `${site.url}/2` })
  expect(await fetch('/1', { redirects: 2 })).toMatchObject({ status: 200, url: `${site.url}/3`, location: null })
  await expect(fetch('/1', { redirects: 1 })).rejects.toMatchObject({ code: 'too_many_redirects' })
  await expect(fetch('/loop', { redirects: 5 })).rejects.toMatchObject({ code: 'too_many_redirects' })
  for (const path of ['/inner', '/file'])
    await expect(fetch(path, { redirects: 5 })).rejects.toMatchObject({ code: 'refused_address' })
})

test('an abort ends the fetch at once with its reason', async () => {
  const { fetch } = await open({ '/': () => undefined })
  const abort = new AbortController()
  const response = fetch('/', { signal: abort.signal })
  abort.abort(new Error('enough'))
  await expect(response).rejects.toThrow('enough')
})

test('a missing server is reported as unreachable, without its address', async () => {
  const { fetch } = await open({})
  const failure = await fetch('', { url: 'http://127.0.0.1:1/' }).catch((error: Error) => error)
  expect(failure).toMatchObject({ code: 'unreachable', message: expect.not.stringContaining('127') })
})
