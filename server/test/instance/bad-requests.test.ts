// Malformed requests over a raw socket: cut off, or not HTTP at all.
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { ADMIN_TOKEN } from '../harness/start-server.ts'
import { pause } from '../harness/wait.ts'
import { exchange, expectDecent, expectFault, withBot } from './raw-requests.ts'

describe('on a raw socket', () => {
  test('headers over the limit get 431', async () => {
    const { port, stillServes } = await withBot('sqlite')
    const response = await exchange(port, `GET /livez HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`)
    expectFault(response, 'long header', 431, 'headers_too_large')
    await stillServes()
  })

  test('bytes that are not an HTTP request get 400', async () => {
    const { port, stillServes } = await withBot('sqlite')
    const garbage = [
      'garbage\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      'GET /livez HTTP/9.9\r\nHost: x\r\n\r\n',
      'BREW /livez HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /livez HTTP/1.1\r\nHost: x\r\nBad Header: x\r\n\r\n',
      'GET /livez HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n',
      'POST /api/v1/chat HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
      'POST /api/v1/chat HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      'POST /api/v1/chat HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
    ]
    for (const text of garbage) expectFault(await exchange(port, text), JSON.stringify(text), 400)
    await stillServes()
  })

  test('a malformed request in a pipeline does not get the response of the one before it', async () => {
    const { port, stillServes } = await withBot('sqlite')
    const response = await exchange(port, 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\ngarbage\r\n\r\n')
    expect(response.text).not.toContain('validation_failed')
    expect(response.statusLine).toMatch(/^(HTTP\/1\.1 200 OK)?$/)
    await stillServes()
  })

  test('ten pipelined requests are answered in order, and more close the connection', async () => {
    const { port, stillServes } = await withBot('sqlite')
    const paths = Array.from({ length: 10 }, (_, number) => (number % 2 ? '/livez' : `/absent/${number}`))
    const statuses = await pipeline(port, paths)
    expect(statuses).toEqual(paths.map((path) => (path === '/livez' ? 200 : 404)))
    for (const path of ['/livez', '/%zz'])
      expect((await pipeline(port, Array(5000).fill(path))).length).toBeLessThanOrEqual(10)
    await stillServes()
  })

  test('the status line contains the reason phrase', async () => {
    const { port } = await withBot('sqlite')
    const long = await exchange(port, `GET /livez HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`)
    expect(long.statusLine).toBe('HTTP/1.1 431 Request Header Fields Too Large')
    expect((await exchange(port, 'garbage\r\n\r\n')).statusLine).toBe('HTTP/1.1 400 Bad Request')
  })

  test('a request without Host gets 400, and an unknown expectation a 4xx', async () => {
    const { port, stillServes } = await withBot('sqlite')
    expectFault(await exchange(port, 'GET /livez HTTP/1.1\r\n\r\n'), 'no host', 400)
    const response = await exchange(port, 'GET /livez HTTP/1.1\r\nHost: x\r\nExpect: cake\r\nConnection: close\r\n\r\n')
    expectDecent(response, 'unknown expectation')
    await stillServes()
  })

  test('a malformed chunk gets 400', async () => {
    const { port, key, stillServes } = await withBot('sqlite')
    const head = `POST /api/v1/chat HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
    const response = await exchange(port, `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`)
    expectFault(response, 'broken chunk', 400)
    await stillServes()
  })

  test('a client that disconnects in the middle of a body does no harm', async () => {
    const { port, key, botId, logs, stillServes } = await withBot('sqlite')
    const targets = [
      [`/api/v1/chat`, key, 'application/json'],
      [`/api/manage/v1/bots/${botId}/documents`, ADMIN_TOKEN, 'application/json'],
      [`/api/manage/v1/bots/${botId}/documents`, ADMIN_TOKEN, 'application/x-ndjson'],
    ]
    for (const [path, token, type] of targets) {
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${type}\r\n`
      await leave(port, `${head}Content-Length: 1000\r\n\r\n{"title":"half`)
    }
    await stillServes()
    expect(logs()).not.toContain('"code":"internal"')
  })
})

/** Sends part of a request, gives the server time to read it, and disconnects. */
async function leave(port: number, text: string) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await new Promise<void>((resolve) => socket.write(text, () => resolve()))
  await pause(50)
  socket.destroy()
  await pause(50)
}

/** Sends requests without waiting for responses. Returns the statuses received before the connection closed. */
function pipeline(port: number, paths: string[]): Promise<number[]> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let receivedText = ''
    socket.on('data', (chunk) => {
      receivedText += chunk
    })
    // The server may close the connection while we are still sending.
    socket.on('error', () => {})
    socket.on('close', () =>
      resolve([...receivedText.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))),
    )
    const last = paths.length - 1
    const toRequest = (path: string, index: number) =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\n${index === last ? 'Connection: close\r\n' : ''}\r\n`
    socket.write(paths.map(toRequest).join(''))
  })
}
