// Commands for webhooks, crawls, feeds, test questions and conversations, and forwarding events to a local address.
import { spawn } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { engines } from '../../server/test/harness/database/databases.ts'
import { startReceiver } from '../../server/test/harness/external/receiver.ts'
import { startWooCommerce, wooProduct } from '../../server/test/harness/external/shop-servers.ts'
import { page, startSite } from '../../server/test/harness/external/test-site.ts'
import { ADMIN_TOKEN, startServer } from '../../server/test/harness/start-server.ts'
import { waitFor } from '../../server/test/harness/wait.ts'
import { docent, temporaryFolder } from './harness/docent.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

async function start(engine: (typeof engines)[number] = 'sqlite') {
  const server = await startServer(engine, { environment: { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' } })
  const bot = await server.createBot()
  const settings = { DOCENT_URL: server.baseUrl, DOCENT_TOKEN: ADMIN_TOKEN }
  const run = (...args: string[]) => docent([...args, '--bot', bot.botId], settings)
  const params = { botId: bot.botId }
  const say = (message: string, session_id?: string) =>
    server.call('POST /api/chat/{botId}/message', { params, body: { message, ...(session_id ? { session_id } : {}) } })
  const webhooks = async () =>
    (await server.call('GET /api/manage/v1/bots/{botId}/webhooks', { token: ADMIN_TOKEN, params })).body.items
  return { ...server, ...bot, settings, run, say, webhooks }
}

test('webhooks are created, tested, rotated, replayed and deleted', async () => {
  const { run, webhooks } = await start()
  const receiver = await startReceiver()
  const creation = await run('webhooks', 'create', receiver.url, '--events', 'lead.created,webhook.test', '--json')
  expect(creation.code).toBe(1)
  expect(creation.json.error.details[0].path).toContain('event_types')
  const { id, secret } = (await run('webhooks', 'create', receiver.url, '--events', 'lead.created', '--json')).json
  expect((await run('webhooks')).output).toContain(`${id}  ${receiver.url}  integration, active`)
  const testDelivery = await run('webhooks', 'test', id)
  expect(testDelivery.output).toMatch(/ {2}200 in \d+ ms/)
  expect(testDelivery.code).toBe(0)
  const rotation = (await run('webhooks', 'rotate', id, '--json')).json
  expect(rotation.secret).toMatch(/^whsec_/)
  expect(rotation.secret).not.toBe(secret)

  receiver.answer = 500
  const failedDelivery = await run('webhooks', 'test', id)
  expect(failedDelivery).toMatchObject({ code: 1 })
  expect(failedDelivery.output).toContain('Responded with 500.')
  const deliveries = await run('webhooks', 'deliveries', '--webhook', id)
  expect(deliveries.output).toContain('webhook.test  delivered (200, attempt 1)')
  const [newest] = JSON.parse((await run('webhooks', 'deliveries', '--limit', '1', '--json')).output)
  expect(newest).toMatchObject({ event_type: 'webhook.test', status: 500 })
  receiver.answer = 200
  const count = receiver.received.length
  expect((await run('webhooks', 'replay', newest.id)).output).toContain('is sent again')
  await receiver.waitForCount(count + 1)
  expect((await run('webhooks', 'replay', '--since', '2026-01-01')).output).toContain('0 sent again.')
  expect((await run('webhooks', 'replay')).code).toBe(2)
  expect((await run('webhooks', 'delete')).code).toBe(2)
  expect((await run('webhooks', 'delete', id)).output).toContain('is deleted')
  expect(await webhooks()).toEqual([])
})

test('crawls are started, awaited and shown, and a second start updates the first', async () => {
  const { run } = await start()
  const site = await startSite({ '/': page('Shop', 'Gift cards are valid for five years.', ['/gone']) })
  const { id } = (await run('crawls', 'start', site.url, '--max-pages', '5', '--every', '24', '--json')).json
  const crawlEnd = await run('crawls', 'wait', id)
  expect(crawlEnd.output).toContain('1 indexed, 0 unchanged, 0 skipped, 1 failed')
  expect(crawlEnd.output).toContain('failed: 1 (not_found)')
  expect(crawlEnd.code).toBe(0)
  expect((await run('crawls')).output).toContain(`${id}  ${site.url}  done (1 of 2 pages)`)
  const secondStart = (await run('crawls', 'start', `${site.url}?from=newsletter`, '--json')).json
  expect(secondStart.id).toBe(id)
  expect((await run('crawls', 'wait', id)).code).toBe(0)
  expect((await run('crawls', 'show', id, '--json')).json).toMatchObject({ runs: 2, max_pages: 5, every_hours: 24 })
  expect((await run('crawls', 'show')).code).toBe(2)
  expect((await run('crawls', 'show', 'crl_unknown')).output).toContain('not_found')
})

test('feeds are added, run and deleted, and a failed run is a failure', async () => {
  const { run } = await start()
  const products = [{ id: 'T1', title: 'Alpine tent', price: 249 }]
  let status = 200
  const shop = createServer((_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(products)),
  )
  await new Promise<void>((done) => shop.listen(0, '127.0.0.1', done))
  onTestFinished(() => void shop.close())
  const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/products.json`
  const { id } = (await run('feeds', 'add', url, '--every', '6', '--currency', 'eur', '--json')).json
  const first = await run('feeds', 'run', id)
  expect(first.output).toMatch(/(1 new|1 unchanged)/)
  expect(first.code).toBe(0)
  expect((await run('feeds', 'show', id, '--json')).json).toMatchObject({ currency: 'EUR', every_hours: 6 })
  status = 500
  const feedRun = await run('feeds', 'run', id)
  expect(feedRun.output).toContain('failed (http_status)')
  expect(feedRun.code).toBe(1)
  expect((await run('feeds')).output).toContain(id)
  expect((await run('feeds', 'delete', id)).output).toContain('is deleted')
  expect((await run('feeds')).output).toBe('')
  expect((await run('feeds', 'add', url, '--every', '5')).output).toContain('every_hours')
})

test('a shop is connected with a key from a file, the environment or standard input, and no other way', async () => {
  const { run, settings, botId } = await start()
  const woo = await startWooCommerce()
  woo.products = Array.from({ length: 30 }, (_, n) => wooProduct(n + 1, `Lamp ${n + 1}`))
  const url = `${woo.site.url}/store`
  const file = join(temporaryFolder(), 'shop-key')
  writeFileSync(file, 'ck_1234567890abcd\ncs_secret\n', { mode: 0o600 })
  const addition = await run('feeds', 'add', url, '--shop', 'woocommerce', '--shop-key-file', file, '--json')
  expect(addition.json.shop).toEqual({ type: 'woocommerce', key_hint: 'abcd' })
  expect(addition.output).not.toContain('cs_secret')
  const feedRun = await run('feeds', 'run', addition.json.id)
  expect(feedRun.output).toMatch(/30 (new|unchanged)/)
  await run('feeds', 'delete', addition.json.id)

  const add = (shop: string, environment: Record<string, string>, keyText: string) =>
    docent(
      ['feeds', 'add', url, '--shop', shop, '--bot', botId, '--json'],
      ...([{ ...settings, ...environment }, keyText] as const),
    )
  const key = 'ck_1234567890abcd:cs_secret'
  expect((await add('woocommerce', { DOCENT_SHOP_KEY: key }, '')).json.shop.key_hint).toBe('abcd')
  expect((await add('woocommerce', {}, `${key}\n`)).json.shop.key_hint).toBe('abcd')
  expect((await add('shopify', {}, 'shpat_1234567890wxyz\n')).json.shop).toEqual({ type: 'shopify', key_hint: 'wxyz' })
  for (const [shop, keyText] of [
    ['woocommerce', 'ck_only'],
    ['shopify', ''],
    ['magento', key],
  ] as const)
    expect([shop, (await add(shop, {}, keyText)).code]).toEqual([shop, 2])
})

test('test questions are added, run and deleted, and a run in which one got worse is a failure', async () => {
  const { run, call, botId } = await start()
  const write = (text: string) =>
    call('POST /api/manage/v1/bots/{botId}/documents', {
      token: ADMIN_TOKEN,
      params: { botId },
      body: { documents: [{ id: 'delivery', title: 'Delivery', text }] },
    })
  await write('Delivery takes two working days.')
  expect((await run('test-questions', 'run')).output).toContain('no_test_questions')
  const question = ['How', 'long', 'does', 'delivery', 'take?']
  const { id } = (await run('test-questions', 'add', ...question, '--text', 'two working days', '--json')).json
  expect((await run('test-questions')).output).toContain(`${id}  not run  How long does delivery take?`)
  const first = await run('test-questions', 'run')
  expect([first.code, first.output]).toEqual([0, expect.stringContaining('1 of 1 passed, 0 got worse')])
  await write('Delivery takes a week.')
  const second = await run('test-questions', 'run')
  expect(second.code).toBe(1)
  expect(second.output).toMatch(/worse {2}How long.*\n {2}before: .*two working days.*\n {2}now: .*a week/)
  expect((await run('test-questions', 'run', '--json')).json).toMatchObject({ worse: 1, total: 1 })
  await run('test-questions', 'add', 'Who rules Mongolia?')
  await run('test-questions', 'delete', id)
  expect((await run('test-questions', 'run')).code).toBe(0)
  expect((await run('test-questions', 'run', '--strict')).code).toBe(1)
})

test('an export goes on past conversations that are erased meanwhile, and streams to the terminal', async () => {
  const { run, say, call, botId, baseUrl } = await start()
  for (const message of ['Hello', 'Good morning', 'Good evening']) await say(message)
  const [, { id }] = JSON.parse((await run('conversations', '--json')).output)
  // Erased after it was listed.
  const proxy = createServer(async (request, response) => {
    const upstream = await fetch(`${baseUrl}${request.url}`, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })
    const body = await upstream.text()
    if (new URL(request.url ?? '', baseUrl).pathname.endsWith('/conversations'))
      await call('DELETE /api/manage/v1/bots/{botId}/conversations/{conversationId}', {
        token: ADMIN_TOKEN,
        params: { botId, conversationId: id },
      })
    response.writeHead(upstream.status, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  onTestFinished(() => void proxy.close())
  const settings = {
    DOCENT_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    DOCENT_TOKEN: ADMIN_TOKEN,
  }
  const conversationExport = await docent(['conversations', 'export', '--bot', botId, '--json'], settings)
  expect(conversationExport.code).toBe(0)
  const all = JSON.parse(conversationExport.output) as { id: string }[]
  expect(all).toHaveLength(2)
  const file = join(temporaryFolder(), 'all.jsonl')
  await docent(['conversations', 'export', file, '--bot', botId], settings)
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(all.map(({ id: exportedId }) => exportedId))
})

test.each(engines)('conversations on %s are listed, shown and exported with every message', async (engine) => {
  const { run, say } = await start(engine)
  const first = (await say('Hello')).body.session_id
  await say('Who painted the Mona Lisa?', first)
  await say('Good morning')
  const [{ id }] = JSON.parse((await run('conversations', '--search', 'Mona Lisa', '--json')).output)
  const transcript = await run('conversations', 'show', id)
  expect(transcript.output).toContain('Who painted the Mona Lisa?')
  expect((await run('conversations', '--limit', '1')).output.trim().split('\n')).toHaveLength(1)
  const file = join(temporaryFolder(), 'all.jsonl')
  expect((await run('conversations', 'export', file)).output).toContain('2 conversations')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const conversations = lines.map((line) => JSON.parse(line))
  expect(conversations.find((one) => one.id === id).messages).toHaveLength(4)
  expect(conversations.every(({ has_more }) => has_more === false)).toBe(true)
  expect((await run('conversations', 'export', file)).code).toBe(1)
  const none = await run('conversations', 'export', '--until', '2026-01-01')
  expect(none.output).toBe('')
  expect((await run('conversations', '--since', 'soon')).code).toBe(2)
})

test.each(engines)('on %s events are forwarded once each, signed with the printed secret', async (engine) => {
  const { run, say, webhooks, clock } = await start(engine)
  // Receivers reject old signatures.
  clock.now = Date.now()
  const local = await startReceiver()
  const listener = run('listen', '--forward-to', local.url, '--stop-after', '5')
  await waitFor(async () => (await webhooks()).length === 1, 'the listener')
  expect((await webhooks())[0]).toMatchObject({ url: 'docent:listen', state: 'active' })
  const session = (await say('Hello')).body.session_id
  await local.waitForCount(3)
  local.answer = 500
  await say('Good morning', session)
  const { output, code } = await listener
  expect(code).toBe(0)
  const types = local.received.map(({ json }) => json.event_type)
  expect(types[0]).toBe('conversation.started')
  expect(types.slice(1)).toContain('conversation.message')
  expect(new Set(local.received.map(({ headers }) => headers['webhook-id'])).size).toBe(5)
  const [, secret = ''] = /Signing secret: (whsec_\S+)/.exec(output) ?? []
  for (const { body, headers } of local.received)
    expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow()
  expect(output).toContain('→ 200')
  expect(output).toContain('→ 500')
  expect(await webhooks()).toEqual([])
})

test('a listener survives a broken connection, loses nothing, and Ctrl-C removes its webhook', async () => {
  const { say, webhooks, baseUrl, botId } = await start()
  const local = await startReceiver()
  const proxy = await startProxy(Number(new URL(baseUrl).port))
  const child = spawn(process.execPath, [MAIN, 'listen', '--forward-to', local.url, '--bot', botId], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, DOCENT_URL: proxy.url, DOCENT_TOKEN: ADMIN_TOKEN },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  await waitFor(() => output.includes('Signing secret'), 'the secret')
  // Each new conversation has three events: its start, the visitor's message and the reply.
  await say('Hello')
  await local.waitForCount(3)
  proxy.breakConnections()
  await say('Good morning')
  await waitFor(() => output.includes('The server does not respond'), 'the report')
  proxy.repair()
  await local.waitForCount(6)
  expect(new Set(local.received.map(({ headers }) => headers['webhook-id'])).size).toBe(6)
  const exitCode = new Promise((resolve) => child.on('close', resolve))
  child.kill('SIGINT')
  expect(await exitCode).toBe(0)
  expect(await webhooks()).toEqual([])
})

test('a listener joins one that runs, and forwards only what happens from then on', async () => {
  const { run, say, webhooks, call, botId } = await start()
  const body = { url: 'docent:listen' }
  const params = { botId }
  expect((await call('POST /api/manage/v1/bots/{botId}/webhooks', { token: ADMIN_TOKEN, params, body })).status).toBe(
    201,
  )
  await say('Before')
  await waitFor(async () => (await webhooks())[0].pending === 0, 'the log')
  const local = await startReceiver()
  const listener = run('listen', '--forward-to', local.url, '--stop-after', '1', '--events', 'conversation.message')
  await waitFor(async () => {
    await say('After')
    return local.received.length > 0
  }, 'an event')
  await listener
  expect(local.received[0]?.json.data.visitor_message?.text ?? local.received[0]?.body).toContain('After')
  expect(await webhooks()).toHaveLength(1)
  expect((await run('listen', '--forward-to', 'localhost:3000')).code).toBe(2)
})

/** Between the command and the server, and can be cut. */
async function startProxy(port: number) {
  const sockets = new Set<Socket>()
  let isBroken = false
  const proxy = createTcpServer((socket) => {
    if (isBroken) return socket.destroy()
    const upstream = connect(port, '127.0.0.1')
    for (const one of [socket, upstream]) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => sockets.delete(one))
    }
    socket.pipe(upstream).pipe(socket)
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  const breakConnections = () => {
    isBroken = true
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    breakConnections()
    proxy.close()
  })
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    breakConnections,
    repair: () => {
      isBroken = false
    },
  }
}
