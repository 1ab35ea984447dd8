// Starting, being watched, and stopping: what an operator relies on.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { request as httpRequest } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startEventReceiver } from '../../../bench/src/load/event-receiver.ts'
import { measureMemory } from '../../../bench/src/load/measure-memory.ts'
import { limitConnections } from '../../src/http/connections/connection-limits.ts'
import { engines, type TestDatabase } from '../harness/database/databases.ts'
import { rows } from '../harness/database/rows.ts'
import { uploadForm } from '../harness/samples/route-samples.ts'
import { type StartedProcess, spawnProcess, startProcess, testDatabase } from '../harness/start-process.ts'
import { ADMIN_TOKEN, botCreator, startServer, type TestServer } from '../harness/start-server.ts'
import { createSyncKey, syncProducts } from '../harness/tenants.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const DOCUMENTS = '/api/manage/v1/bots/{botId}/documents'

describe('health', () => {
  test.each(engines)('a running server on %s is alive and ready', async (engine) => {
    const { call } = await startServer(engine)
    expect(await call('GET /livez')).toMatchObject({ status: 200, body: { status: 'alive' } })
    expect(await call('GET /readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
  })

  test.each(engines)('the readiness on %s tells what waits, how much and for how long', async (engine) => {
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

  test('a PostgreSQL that can only be read is not ready, says so, and recovers by itself', async () => {
    const { call, createBot, database } = await startServer('postgres')
    const { botId, key } = await createBot()
    expect((await call('GET /readyz')).status).toBe(200)
    await rows(database, `ALTER DATABASE ${databaseName(database)} SET default_transaction_read_only = on`)
    const reconnect = () =>
      rows(
        database,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                      WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      )
    await reconnect()
    const message = async () => (await call('GET /readyz')).body.error?.message
    await expect.poll(message).toBe('Not ready: the database can only be read.')
    const answer = await call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message: 'Hi' } })
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } })
    await rows(
      database,
      `BEGIN READ WRITE; ALTER DATABASE ${databaseName(database)} RESET default_transaction_read_only; COMMIT`,
    )
    await reconnect()
    await expect.poll(async () => (await call('GET /readyz')).status).toBe(200)
  })

  test.runIf(process.platform === 'linux')('a disk that takes no writes is told, though it can be read', async () => {
    const server = await startProcess({ database: await testDatabase('sqlite') })
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
  })

  test('without its database the server is alive, not ready, says when to retry, and recovers by itself', async () => {
    const database = await testDatabase('postgres')
    const proxy = await startProxy(database.databaseUrl ?? '')
    const { call, createBot } = await startServer('postgres', { database: { ...database, databaseUrl: proxy.url } })
    const { botId, key } = await createBot()
    const ask = () => call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message: 'Hi' } })
    expect((await call('GET /readyz')).status).toBe(200)

    await proxy.cut()
    // What was found is told for a second.
    await expect.poll(async () => (await call('GET /readyz')).status).toBe(503)
    for (const answer of [await call('GET /readyz'), await ask()]) {
      expect(answer.status).toBe(503)
      expect(answer.body.error.code).toBe('unavailable')
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
    expect((await call('GET /livez')).status).toBe(200)

    await proxy.restore()
    await expect.poll(async () => (await call('GET /readyz')).status).toBe(200)
    expect((await ask()).status).toBe(200)
  })
})

describe('connections', () => {
  test('of one address are bounded, and one that reads nothing is ended', async () => {
    const limits = { CONNECTIONS_PER_ADDRESS: '3', UNREAD_TIMEOUT_SECONDS: '1' }
    const { baseUrl } = await startServer('sqlite', { environment: limits })
    const port = Number(new URL(baseUrl).port)
    const opened = await Promise.all(Array.from({ length: 5 }, () => openSocket(port)))
    const ended = (socket: Socket) => new Promise<true>((resolve) => socket.once('close', () => resolve(true)))
    await expect.poll(() => opened.filter(({ destroyed }) => destroyed).length).toBe(2)
    const left = opened.filter(({ destroyed }) => !destroyed)
    expect(left).toHaveLength(3)
    for (const socket of left.slice(2)) socket.destroy()
    const ask = 'GET /openapi.json HTTP/1.1\r\nhost: docent.test\r\n\r\n'
    left[0]?.resume().write(ask)
    left[1]?.pause().write(ask.repeat(300))
    const isEnded = ended(left[1] as Socket)
    // Reading from it again would show the end, which is why it is asked for only now.
    await new Promise((resolve) => setTimeout(resolve, 2500))
    left[1]?.resume()
    expect(await isEnded).toBe(true)
    expect(left[0]?.destroyed).toBe(false)
  })
})

test('connections from one IPv6 network count together, whatever their addresses', () => {
  const server = new EventEmitter()
  const limits = { perAddress: 2, unreadMs: 60_000, trustedProxies: [] }
  limitConnections({ server, addHook: () => {} } as never, limits)
  const refused: string[] = []
  const open = (remoteAddress: string) => {
    const destroy = () => refused.push(remoteAddress)
    server.emit('connection', Object.assign(new EventEmitter(), { remoteAddress, destroy }))
  }
  for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1']) open(address)
  expect(refused).toEqual(['2001:db8::3'])
})

describe('indexes in memory', () => {
  test('of all kinds share one budget, and go with their bot', async () => {
    const server = await startServer('sqlite', { environment: { INDEX_MEMORY_BYTES: String(1024 ** 2) } })
    const indexBytes = async () =>
      Number(/^docent_index_memory_bytes (\d+)$/m.exec((await server.call('GET /metrics')).text)?.[1])
    const fill = async () => {
      const { botId, key } = await server.createBot({ documents: [{ title: 'Hours', text: 'We open at nine.' }] })
      const options = { token: ADMIN_TOKEN, params: { botId } }
      const grown = [await indexBytes()]
      const look = async () => {
        await server.call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message: 'When do you open?' } })
        grown.push(await indexBytes())
      }
      await look()
      const words = (n: number) => Array.from({ length: 5 }, (_, word) => `door${n * 37 + word}x${n}`).join(' ')
      const answers = Array.from({ length: 50 }, (_, n) => ({ question: `Why ${words(n)}?`, answer: 'So.' }))
      await server.call('POST /api/manage/v1/bots/{botId}/answers/import', { ...options, body: { answers } })
      await look()
      const syncKey = await createSyncKey(server.call, botId)
      await syncProducts(server.call, syncKey, [{ id: 'p', title: 'Red lamp', price: '9 EUR' }])
      await look()
      return { botId, grown }
    }
    const { botId, grown } = await fill()
    expect(grown[0]).toBe(0)
    expect(grown).toEqual(grown.toSorted((a, b) => a - b))
    expect(new Set(grown).size).toBe(4)
    await server.call('DELETE /api/manage/v1/bots/{botId}', { token: ADMIN_TOKEN, params: { botId } })
    expect(await indexBytes()).toBe(0)
    for (let bot = 0; bot < 4; bot++) await fill()
    expect(await indexBytes()).toBeLessThan(1024 ** 2)
    expect(4 * (grown[3] ?? 0)).toBeGreaterThan(1024 ** 2)
  })
})

describe('on SIGTERM', () => {
  test('a request under way finishes, new connections are refused, and the exit code is 0', async () => {
    const server = await startProcess({ database: await testDatabase('sqlite') })
    const { botId } = await botCreator(server.call)()
    const lines = Array.from({ length: 400 }, (_, n) =>
      JSON.stringify({ id: `d${n}`, title: `Page ${n}`, text: `This is page ${n} of a long upload. `.repeat(20) }),
    )
    const upload = startUpload(server.port, DOCUMENTS.replace('{botId}', botId))
    await upload.send(`${lines.slice(0, 200).join('\n')}\n`)
    // The server has seen the request when another one sent after it was answered.
    await server.call('GET /livez')

    const signalledAt = performance.now()
    const exited = server.stop('SIGTERM')
    await expect.poll(() => isRefused(server.port)).toBe(true)
    await upload.send(lines.slice(200).join('\n'))
    const answer = await upload.finish()
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.text)).toMatchObject({ created: 400, failed: 0 })
    expect(await exited).toBe(0)
    expect(performance.now() - signalledAt).toBeLessThan(25_000)
  })

  test('a request that follows on a kept connection gets 503 in the error shape, or none at all', async () => {
    const server = await startProcess({ database: await testDatabase('sqlite') })
    const socket = connect(server.port, '127.0.0.1')
    let received = ''
    socket.on('data', (chunk) => (received += chunk)).on('error', () => {})
    const closed = new Promise((resolve) => socket.on('close', resolve))
    const body = JSON.stringify({ name: 'Late', plan: 'free' })
    const head = `POST /api/manage/v1/workspaces HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${ADMIN_TOKEN}\r\n`
    socket.write(`${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 5)}`)
    // The server has seen the request when another one sent after it was answered.
    await server.call('GET /livez')

    const exited = server.stop('SIGTERM')
    await expect.poll(() => isRefused(server.port)).toBe(true)
    socket.write(`${body.slice(5)}GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n`)
    await closed
    const [first = '', ...rest] = received.split(/(?=HTTP\/1\.1 )/)
    expect(first).toMatch(/^HTTP\/1\.1 201 /)
    for (const answer of rest)
      expect(answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: [\s\S]*"code":"unavailable"/i)
    expect(await exited).toBe(0)
  })
})

describe('a first start', () => {
  test('prints a curl that gets a real answer with sources, and keeps secrets from other users', async () => {
    const database = await testDatabase('sqlite')
    const server = await startProcess({ database, environment: { DEMO_BOT: 'on', EMBEDDINGS: 'on', ADMIN_TOKEN: '' } })
    const printed = /^ {4}(curl [\s\S]*?)\n\n/m.exec(server.output())?.[1] ?? ''
    const answer = JSON.parse(execFileSync('sh', ['-c', printed], { cwd: database.dataDir, encoding: 'utf8' }))
    expect(answer.answered).toBe(true)
    expect(answer.sources[0].url).toContain('/demo/')
    for (const name of ['demo-key', 'admin-token']) {
      expect(statSync(join(database.dataDir, name)).mode & 0o777).toBe(0o600)
    }
    expect(server.output()).not.toContain(readFileSync(join(database.dataDir, 'admin-token'), 'utf8').trim())
  })

  test('an empty owner token, left by a start that was cut off, is made anew', async () => {
    const database = await testDatabase('sqlite')
    const path = join(database.dataDir, 'admin-token')
    writeFileSync(path, '')
    const { call } = await startProcess({ database, environment: { ADMIN_TOKEN: '' } })
    const token = readFileSync(path, 'utf8').trim()
    expect(token.length).toBeGreaterThanOrEqual(32)
    expect((await call('GET /api/manage/v1/bots', { token })).status).toBe(200)
    expect(readdirSync(database.dataDir).filter((name) => name.includes('token'))).toEqual(['admin-token'])
  })

  test.each(engines)('replaces a demo key that does not open the demo bot on %s', async (engine) => {
    const database = await testDatabase(engine)
    const path = join(database.dataDir, 'demo-key')
    const start = () => startServer(engine, { database, environment: { DEMO_BOT: 'on' } })
    const keyOfNow = () => readFileSync(path, 'utf8').trim()
    const answered = async ({ call }: TestServer) => {
      const body = { bot_id: 'bot_demo', message: 'How long does delivery to Austria take?' }
      return (await call('POST /api/v1/chat', { token: keyOfNow(), body })).status
    }
    const first = await start()
    const original = keyOfNow()
    const params = { botId: 'bot_demo' }
    const owner = { token: ADMIN_TOKEN, params }
    const [{ id: keyId }] = (await first.call('GET /api/manage/v1/bots/{botId}/keys', owner)).body.items
    const other = await first.createBot()
    await first.call('POST /api/manage/v1/bots/{botId}/keys/{keyId}/revoke', {
      token: ADMIN_TOKEN,
      params: { ...params, keyId },
    })
    await first.stop()

    for (const content of [original, other.key, '', 'dct_chat_unknown']) {
      writeFileSync(path, content)
      const server = await start()
      expect([content, await answered(server)]).toEqual([content, 200])
      await server.stop()
    }
    const kept = keyOfNow()
    const again = await start()
    expect([keyOfNow(), await answered(again)]).toEqual([kept, 200])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test.each(engines)('seeds the demo once on %s, and a deleted demo bot stays deleted', async (engine) => {
    const database = await testDatabase(engine)
    const demoBots = async () => {
      const { call, stop } = await startServer(engine, { database, environment: { DEMO_BOT: 'on' } })
      const bots = await call('GET /api/manage/v1/bots', { token: ADMIN_TOKEN })
      const found = bots.body.items.map(({ id }: { id: string }) => id)
      const keys = found[0] && (await call(`GET /api/manage/v1/bots/${found[0]}/keys`, { token: ADMIN_TOKEN }))
      return { call, stop, found, keys: keys?.body.items.length, knowledge: bots.body.items[0]?.knowledge }
    }
    const first = await demoBots()
    await first.stop()
    const second = await demoBots()
    expect(second).toMatchObject({ found: ['bot_demo', 'bot_docs'], keys: 1, knowledge: first.knowledge })
    await second.call('DELETE /api/manage/v1/bots/{botId}', { token: ADMIN_TOKEN, params: { botId: 'bot_demo' } })
    await second.stop()
    expect((await demoBots()).found).toEqual(['bot_docs'])
  })
})

describe('npm scripts, where the Node that npm brought', () => {
  /** The scripts in a folder of their own, beside a Node of the test's choice. */
  function withNode(content: string | null) {
    const folder = mkdtempSync(join(tmpdir(), 'docent-scripts-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    cpSync(new URL('../../../scripts', import.meta.url), join(folder, 'scripts'), { recursive: true })
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
    writeFileSync(join(folder, 'package-lock.json'), '{}')
    const lock = createHash('sha256').update('{}').digest('hex')
    writeFileSync(join(folder, 'node_modules/.docent-installed'), `${lock} all`)
    if (content !== null) writeFileSync(join(folder, 'node_modules/.bin/node'), content, { mode: 0o755 })
    return (...given: string[]) =>
      spawnSync(process.execPath, ['scripts/with-dependencies.mjs', ...given], { cwd: folder, encoding: 'utf8' })
  }

  test('runs, run on it', () => {
    const run = withNode('#!/bin/sh\necho pinned "$@"\n')
    expect(run('node', 'x.ts')).toMatchObject({ status: 0, stdout: 'pinned x.ts\n', stderr: '' })
  })

  test.each([
    ['is not there', null],
    ['has no loader here', '#!/no/such/loader\n'],
    ['fails at once', '#!/bin/sh\nexit 1\n'],
  ])('%s, run on the machine’s and say so', (_, content) => {
    const run = withNode(content)
    const { status, stdout, stderr } = run('node', '-p', '6 * 7')
    expect([status, stdout]).toEqual([0, '42\n'])
    expect(stderr).toMatch(/^npm has no ready-made Node .* runs on this machine's own, v\d+/)
  })

  test('a command that cannot be started is told, with exit code 1', () => {
    const { status, stderr } = withNode('#!/bin/sh\n')('nothing')
    expect(status).toBe(1)
    expect(stderr).toContain('nothing could not be started')
  })
})

test.each([
  ['puts the packages in place', 0, 'new'],
  ['that fails leaves the packages as they were', 3, 'old'],
])('an install beside a running server %s, which are never gone', async (_, npmStatus, left) => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-install-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(new URL('../../../scripts', import.meta.url), join(folder, 'scripts'), { recursive: true })
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text, { mode: 0o755 })
  }
  write('package.json', '{"workspaces": ["server"]}')
  write('server/package.json', '{}')
  write('package-lock.json', '{}')
  write('.npmrc', '')
  write('node_modules/fastify/version', 'old')
  // As npm does: first everything goes, then it comes back.
  const fresh = 'mkdir -p node_modules/fastify node_modules/.bin; printf new > node_modules/fastify/version'
  const node = `ln -s ${process.execPath} node_modules/.bin/node`
  write('bin/npm', `#!/bin/sh\nrm -rf node_modules\nsleep 0.3\n${fresh}; ${node}\nexit ${npmStatus}\n`)

  const given = ['scripts/with-dependencies.mjs', 'node', '-p', '6 * 7']
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` }
  const child = spawn(process.execPath, given, { cwd: folder, env, stdio: 'ignore' })
  const exited = new Promise((resolve) => child.on('exit', resolve))
  const packaged = join(folder, 'node_modules/fastify/version')
  let timesGone = 0
  const looking = setInterval(() => existsSync(packaged) || timesGone++, 5)
  expect(await exited).toBe(npmStatus)
  clearInterval(looking)
  expect(readFileSync(packaged, 'utf8')).toBe(left)
  // A look may fall between the two renames.
  expect(timesGone).toBeLessThanOrEqual(1)
  expect(readdirSync(folder).filter((name) => name.startsWith('.install'))).toEqual([])
})

test('a server whose packages vanish goes on answering: large bots, phone numbers, webhooks once they are back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-packages-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const path of ['server/src', 'package.json', 'contract'])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  const packages = join(folder, 'node_modules')
  const arrive = () => {
    mkdirSync(join(packages, '@docent'), { recursive: true })
    symlinkSync(join(folder, 'contract'), join(packages, '@docent/contract'))
    for (const name of readdirSync(join(ROOT, 'node_modules')))
      if (name !== '@docent') symlinkSync(join(ROOT, 'node_modules', name), join(packages, name))
  }
  arrive()
  const receiver = await startEventReceiver()
  onTestFinished(() => receiver.close())
  const environment = { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' }
  const main = join(folder, 'server/src/main.ts')
  const server = await startProcess({ database: await testDatabase('sqlite'), environment, main })
  const documents = Array.from({ length: 400 }, (_, n) => ({
    id: `d${n}`,
    title: `Part ${n}`,
    text: `Part ${n} is red.`,
  }))
  const { botId, key } = await botCreator(server.call)({ documents, webhookUrl: receiver.url })
  rmSync(packages, { recursive: true })

  const body = { bot_id: botId, message: 'What colour is part 7? Call me at +49 30 901820.' }
  const chat = await server.call('POST /api/v1/chat', { token: key, body })
  expect(chat.status).toBe(200)
  const widget = await server.call('POST /api/chat/{botId}/message', { params: { botId }, body })
  expect(widget.status).toBe(200)
  arrive()
  const webhooks = '/api/manage/v1/bots/{botId}/webhooks'
  const { items } = (await server.call(`GET ${webhooks}`, { token: ADMIN_TOKEN, params: { botId } })).body
  const params = { botId, id: items[0].id }
  await server.call(`POST ${webhooks}/{id}/test`, { token: ADMIN_TOKEN, params })
  await expect.poll(receiver.deliveries).toBe(1)
})

describe('on SQLite', () => {
  test('a folder in use is refused with a clear message, and free again when its process was killed', async () => {
    const database = await testDatabase('sqlite')
    const first = await startProcess({ database })
    const second = spawnProcess({ database })
    expect(await second.exited).toBe(1)
    expect(second.output()).toContain(`The data folder ${database.dataDir} is in use`)
    expect(second.output()).not.toMatch(/^\s+at /m)
    expect((await first.call('GET /readyz')).status).toBe(200)
    expect(first.output()).not.toMatch(/other users/)
    await first.kill()
    await startProcess({ database })
  })

  test('files of the data folder are for their owner alone, whatever they and the folder were before', async () => {
    const database = await testDatabase('sqlite')
    const token = join(database.dataDir, 'admin-token')
    writeFileSync(token, 'token-of-an-earlier-version-0123456789', { mode: 0o644 })
    writeFileSync(join(database.dataDir, 'docent.sqlite'), '', { mode: 0o644 })
    chmodSync(database.dataDir, 0o755)
    const server = await startProcess({ database, environment: { ADMIN_TOKEN: '', DEMO_BOT: 'on' } })
    await expect.poll(server.output).toMatch(/other users .* data folder/)
    const modes = readdirSync(database.dataDir).map((name) => [
      name,
      statSync(join(database.dataDir, name)).mode & 0o777,
    ])
    expect(modes.map(([name]) => name)).toEqual(expect.arrayContaining(['docent.sqlite-shm', 'docent.sqlite-wal']))
    for (const [name, mode] of modes) expect([name, mode]).toEqual([name, 0o600])
  })
})

test('SIGTERM to "npm start" ends the server, too', async () => {
  const { dataDir } = await testDatabase('sqlite')
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, PORT: '0', DATA_DIR: dataDir, DEMO_BOT: 'off', EMBEDDINGS: 'off', ADMIN_TOKEN }
  const npm = spawn('npm', ['start'], { cwd: ROOT, env, stdio: 'pipe', detached: true })
  onTestFinished(() => killGroup(npm.pid))
  const exited = new Promise((resolve) => npm.on('exit', resolve))
  const port = await new Promise<number>((resolve, reject) => {
    let output = ''
    const hear = (chunk: Buffer) => {
      output += chunk
      const found = /running at http:\/\/localhost:(\d+)/.exec(output)?.[1]
      if (found) resolve(Number(found))
    }
    npm.stdout.on('data', hear)
    npm.stderr.on('data', hear)
    exited.then(() => reject(new Error(output)))
  })
  npm.kill('SIGTERM')
  await exited
  await expect.poll(() => isRefused(port)).toBe(true)
})

test.runIf(process.platform === 'linux')('a fresh process that waits holds less than 200 MB', async () => {
  const database = await testDatabase('sqlite')
  const options = { database, environment: { DEMO_BOT: 'on', EMBEDDINGS: 'on' } }
  // The second start, as most are: the first has to strip the types of every file.
  await (await startProcess(options)).stop()
  const { pid } = await startProcess(options)
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  expect(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024).toBeLessThan(200)
})

test.runIf(process.platform === 'linux')(
  'sessions, files, products, bots and hostile callers do not fill the memory',
  async () => {
    const indexMb = 64
    const environment = { INDEX_MEMORY_BYTES: String(indexMb * 1024 ** 2) }
    const { pid, baseUrl } = await startProcess({ database: await testDatabase('sqlite'), environment })
    // The short form of bench/src/memory.ts.
    const steps = await measureMemory({ pid, baseUrl, adminToken: ADMIN_TOKEN, share: 0.002 })
    expect(steps.filter(({ peakMb }) => peakMb > indexMb + 450)).toEqual([])
  },
)

test.each(engines)('a port in use ends the start on %s with a clear message and exit code 1', async (engine) => {
  const holder = await listening(createServer())
  const { port } = holder.address() as AddressInfo
  const server = spawnProcess({ database: await testDatabase(engine), environment: { PORT: String(port) } })
  expect(await server.exited).toBe(1)
  expect(server.output()).toContain(String(port))
  expect(server.output()).toMatch(/in use/)
  expect(server.output()).not.toMatch(/^\s+at /m)
})

function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
  })
}

/** An upload that is sent piece by piece. */
function startUpload(port: number, path: string) {
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    path,
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/x-ndjson' },
  })
  const answered = new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    request.on('error', reject)
    request.on('response', async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode, text })
    })
  })
  return {
    send: (text: string) => new Promise((resolve) => request.write(text, resolve)),
    finish() {
      request.end()
      return answered
    },
  }
}

function killGroup(pid: number | undefined) {
  try {
    if (pid) process.kill(-pid, 'SIGKILL')
  } catch {
    // Nobody is left of it.
  }
}

function isRefused(port: StartedProcess['port']): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => resolve(true))
    socket.on('connect', () => {
      socket.destroy()
      resolve(false)
    })
  })
}

function databaseName({ databaseUrl }: TestDatabase): string {
  return new URL(databaseUrl ?? '').pathname.slice(1)
}

/** A way to the database that can be cut and restored. */
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
  await listening(server)
  const own = (server.address() as AddressInfo).port
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(own)
  return {
    url: url.href,
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
    restore: () => new Promise<void>((resolve) => server.listen(own, '127.0.0.1', resolve)),
  }
}

async function listening(server: Server): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return server
}
