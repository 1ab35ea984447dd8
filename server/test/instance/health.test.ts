// Health endpoints, and limits on connections and memory.
import { execFileSync } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { limitConnections } from '../../src/http/server/connection-limits.ts'
import { streamOf } from '../../src/http/server/downloads.ts'
import { engines, type TestDatabase } from '../harness/database/databases.ts'
import { queryRows } from '../harness/database/rows.ts'
import { uploadForm } from '../harness/samples/route-samples.ts'
import { createTestDatabase, startProcess } from '../harness/start-process.ts'
import { ADMIN_TOKEN, botCreator, startServer } from '../harness/start-server.ts'
import { createSyncKey, syncProducts } from '../harness/tenants.ts'
import { expectInOneAttempt } from '../harness/timing.ts'
import { pause } from '../harness/wait.ts'
import { listenOnFreePort } from './ports.ts'

describe('health', () => {
  test.each(engines)('a running server on %s is alive and ready', async (engine) => {
    const { call } = await startServer(engine)
    expect(await call('GET /livez')).toMatchObject({ status: 200, body: { status: 'alive' } })
    expect(await call('GET /readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
  })

  test.each(engines)('/readyz on %s reports each backlog with its size and age', async (engine) => {
    const environment = { CRAWL_CONCURRENCY: '0', ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' }
    const { call, createBot, clock } = await startServer(engine, { environment })
    const { botId, key } = await createBot({ webhookUrl: 'http://127.0.0.1:9/' })
    const url = 'http://127.0.0.1:9/'
    await call('POST /api/manage/v1/bots/{botId}/crawls', { token: ADMIN_TOKEN, params: { botId }, body: { url } })
    await call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message: 'Hi' } })
    clock.now += 90_000
    const { backlogs } = (await call('GET /readyz')).body
    expect(backlogs.crawls).toEqual({ depth: 1, oldest_seconds: 90 })
    expect(backlogs.webhooks.depth).toBeGreaterThan(0)
    expect(backlogs.vectors).toEqual({ depth: 0, oldest_seconds: 0 })
  })

  test('on a read-only PostgreSQL the server is not ready, says why, and recovers by itself', async () => {
    const { call, createBot, database } = await startServer('postgres')
    const { botId, key } = await createBot()
    expect((await call('GET /readyz')).status).toBe(200)
    await queryRows(database, `ALTER DATABASE ${databaseName(database)} SET default_transaction_read_only = on`)
    const reconnect = () =>
      queryRows(
        database,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                      WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      )
    await reconnect()
    const message = async () => (await call('GET /readyz')).body.error?.message
    await expect.poll(message).toBe('Not ready: the database can only be read.')
    const answer = await call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message: 'Hi' } })
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } })
    await queryRows(
      database,
      `BEGIN READ WRITE; ALTER DATABASE ${databaseName(database)} RESET default_transaction_read_only; COMMIT`,
    )
    await reconnect()
    await expect.poll(async () => (await call('GET /readyz')).status).toBe(200)
  })

  test.runIf(process.platform === 'linux')(
    'a disk that refuses writes is reported, even if it can be read',
    async () => {
      const server = await startProcess({ database: await createTestDatabase('sqlite') })
      expect((await server.call('GET /readyz')).status).toBe(200)
      const { botId } = await botCreator(server.call)()
      const files = { token: ADMIN_TOKEN, params: { botId } }
      const upload = () =>
        server.call('POST /api/manage/v1/bots/{botId}/files', {
          ...files,
          ...uploadForm('a.txt', 'The shop opens at nine.'),
        })
      const limitFiles = (bytes: string) => execFileSync('prlimit', [`--pid=${server.pid}`, `--fsize=${bytes}:`])
      limitFiles('0')
      expect(await upload()).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } })
      const message = async () => (await server.call('GET /readyz')).body.error?.message
      await expect.poll(message).toBe('Not ready: the disk cannot be read or written.')
      expect((await server.call('GET /livez')).status).toBe(200)
      limitFiles('unlimited')
      await expect.poll(async () => (await server.call('GET /readyz')).status).toBe(200)
      const stored = async () => (await server.call('GET /api/manage/v1/bots/{botId}/files', files)).body.items
      expect(await stored()).toEqual([])
      expect((await upload()).status).toBe(200)
      expect(await stored()).toHaveLength(1)
    },
  )

  test('without its database the server is alive, not ready, says when to retry, and recovers by itself', async () => {
    const database = await createTestDatabase('postgres')
    const proxy = await startProxy(database.databaseUrl ?? '')
    const { call, createBot } = await startServer('postgres', { database: { ...database, databaseUrl: proxy.url } })
    const { botId, key } = await createBot()
    const ask = () => call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message: 'Hi' } })
    expect((await call('GET /readyz')).status).toBe(200)

    await proxy.cut()
    // The result is cached for a second.
    await expect.poll(async () => (await call('GET /readyz')).status).toBe(503)
    for (const response of [await call('GET /readyz'), await ask()]) {
      expect(response.status).toBe(503)
      expect(response.body.error.code).toBe('unavailable')
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    }
    expect((await call('GET /livez')).status).toBe(200)

    await proxy.restore()
    await expect.poll(async () => (await call('GET /readyz')).status).toBe(200)
    expect((await ask()).status).toBe(200)
  })
})

describe('connections', () => {
  test('from one address are limited, and one that reads nothing is closed', async () => {
    await expectInOneAttempt(async (attempt) => {
      const limits = { CONNECTIONS_PER_ADDRESS: '3', UNREAD_TIMEOUT_SECONDS: String(attempt) }
      const { baseUrl } = await startServer('sqlite', { environment: limits })
      const port = Number(new URL(baseUrl).port)
      const sockets = await Promise.all(Array.from({ length: 5 }, () => openSocket(port)))
      const ended = (socket: Socket) => new Promise<true>((resolve) => socket.once('close', () => resolve(true)))
      await expect.poll(() => sockets.filter(({ destroyed }) => destroyed).length).toBe(2)
      const openSockets = sockets.filter(({ destroyed }) => !destroyed)
      expect(openSockets).toHaveLength(3)
      for (const socket of openSockets.slice(2)) socket.destroy()
      const request = 'GET /openapi.json HTTP/1.1\r\nhost: docent.test\r\n\r\n'
      openSockets[0]?.resume().write(request)
      openSockets[1]?.pause().write(request.repeat(10))
      const isEnded = ended(openSockets[1] as Socket)
      // Resume reading only now, since that would reveal the end of the connection.
      await pause(2500 * attempt)
      openSockets[1]?.resume()
      expect(await isEnded).toBe(true)
      expect(openSockets[0]?.destroyed).toBe(false)
    })
  })
})

test('connections from one IPv6 network count together, whatever their addresses', () => {
  const server = new EventEmitter()
  const limits = { perAddress: 2, unreadMs: 60_000, unreadBytes: 1e6, unreadBytesPerAddress: 1e6, trustedProxies: [] }
  limitConnections({ server, addHook: () => {}, decorateReply: () => {} } as never, limits)
  const refusedAddresses: string[] = []
  const open = (remoteAddress: string) => {
    const destroy = () => refusedAddresses.push(remoteAddress)
    server.emit('connection', Object.assign(new EventEmitter(), { remoteAddress, destroy }))
  }
  for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1']) open(address)
  expect(refusedAddresses).toEqual(['2001:db8::3'])
})

test('unread responses count with the bytes that are sent, however many a character takes', () => {
  const { connectFrom } = limitResponses({ unreadBytes: 1e6, unreadBytesPerAddress: 30_000 })
  const { isRefused } = connectFrom('203.0.113.7')
  expect([1, 2].map(() => isRefused('你'.repeat(8000)))).toEqual([false, true])
})

test('requests wait until a connection that was closed to make room has returned its memory', () => {
  const { connectFrom, begin } = limitResponses({ unreadBytes: 50_000, unreadBytesPerAddress: 50_000 })
  const greedy = connectFrom('203.0.113.7')
  const modest = connectFrom('203.0.113.8')
  expect(greedy.isRefused('a'.repeat(40_000))).toBe(false)
  expect(begin()).toEqual({ isWaiting: false })
  expect(modest.isRefused('b'.repeat(20_000))).toBe(false)
  expect(greedy.destroyed()).toBe(true)
  const request = begin()
  expect(request).toEqual({ isWaiting: true })
  greedy.socket.emit('close')
  expect(request).toEqual({ isWaiting: false })
})

test('a stream reads one piece ahead, however little its client takes', async () => {
  let pieces = 0
  const stream = streamOf(
    (async function* () {
      for (; pieces < 50; pieces++) yield 'x'.repeat(100_000)
    })(),
  )
  const firstBytes = await new Promise<Buffer>((resolve) => stream.once('readable', () => resolve(stream.read(100))))
  expect(firstBytes).toHaveLength(100)
  await pause(20)
  expect(pieces).toBeLessThanOrEqual(2)
  stream.destroy()
})

describe('indexes in memory', () => {
  test('of all kinds share one budget, and are freed with their bot', async () => {
    const server = await startServer('sqlite', { environment: { INDEX_MEMORY_BYTES: String(1024 ** 2) } })
    const indexBytes = async () =>
      Number(/^docent_index_memory_bytes (\d+)$/m.exec((await server.call('GET /metrics')).text)?.[1])
    const fill = async () => {
      const { botId, key } = await server.createBot({ documents: [{ title: 'Hours', text: 'We open at nine.' }] })
      const options = { token: ADMIN_TOKEN, params: { botId } }
      const sizes = [await indexBytes()]
      const look = async () => {
        await server.call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message: 'When do you open?' } })
        sizes.push(await indexBytes())
      }
      await look()
      const words = (n: number) => Array.from({ length: 5 }, (_, word) => `door${n * 37 + word}x${n}`).join(' ')
      const answers = Array.from({ length: 50 }, (_, n) => ({ question: `Why ${words(n)}?`, answer: 'So.' }))
      await server.call('POST /api/manage/v1/bots/{botId}/answers/import', { ...options, body: { answers } })
      await look()
      const syncKey = await createSyncKey(server.call, botId)
      await syncProducts(server.call, syncKey, [{ id: 'p', title: 'Red lamp', price: '9 EUR' }])
      await look()
      return { botId, sizes }
    }
    const { botId, sizes } = await fill()
    expect(sizes[0]).toBe(0)
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
    expect(new Set(sizes).size).toBe(4)
    await server.call('DELETE /api/manage/v1/bots/{botId}', { token: ADMIN_TOKEN, params: { botId } })
    expect(await indexBytes()).toBe(0)
    for (let bot = 0; bot < 4; bot++) await fill()
    expect(await indexBytes()).toBeLessThan(1024 ** 2)
    expect(4 * (sizes[3] ?? 0)).toBeGreaterThan(1024 ** 2)
  })
})

/** The limits on their own, with connections that tests close. */
function limitResponses(limits: { unreadBytes: number; unreadBytesPerAddress: number }) {
  const server = new EventEmitter()
  const hooks: Record<string, (...args: unknown[]) => void> = {}
  const addHook = (name: string, hook: (...args: unknown[]) => void) => {
    hooks[name] = hook
  }
  const others = { perAddress: 2, unreadMs: 60_000, trustedProxies: [] }
  limitConnections({ server, addHook, decorateReply: () => {} } as never, { ...others, ...limits })

  return {
    connectFrom(ip: string) {
      let isDestroyed = false
      const destroy = () => {
        isDestroyed = true
      }
      const socket = Object.assign(new EventEmitter(), { remoteAddress: ip, destroy })
      server.emit('connection', socket)
      return {
        socket,
        destroyed: () => isDestroyed,
        isRefused(payload: string): boolean {
          let error: unknown = null
          const reply = { raw: new EventEmitter(), removeHeader: () => {} }
          hooks.onSend?.({ method: 'GET', ip, raw: { socket } }, reply, payload, (fault: unknown) => {
            error = fault
          })
          return error !== null
        },
      }
    },
    begin() {
      const request = { isWaiting: true }
      hooks.onRequest?.({}, {}, () => {
        request.isWaiting = false
      })
      return request
    },
  }
}

function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
  })
}

function databaseName({ databaseUrl }: TestDatabase): string {
  return new URL(databaseUrl ?? '').pathname.slice(1)
}

/** A proxy to the database that can be cut off and restored. */
async function startProxy(target: string) {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const server = createServer((incoming) => {
    const outgoing = connect(Number(port), hostname)
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    incoming.pipe(outgoing).pipe(incoming)
    incoming.on('close', () => outgoing.destroy())
    outgoing.on('close', () => incoming.destroy())
  })
  await listenOnFreePort(server)
  const ownPort = (server.address() as AddressInfo).port
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(ownPort)
  return {
    url: url.href,
    async cut() {
      const closing = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closing
    },
    restore: () => new Promise<void>((resolve) => server.listen(ownPort, '127.0.0.1', resolve)),
  }
}
