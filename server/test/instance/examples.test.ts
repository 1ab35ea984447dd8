// Runs the examples as their readers would.
import { spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { waitFor } from '../harness/wait.ts'

function runExample(path: string, environment: Record<string, string>) {
  const file = fileURLToPath(new URL(`../../../examples/${path}`, import.meta.url))
  const child = spawn(process.execPath, [file], { env: { PATH: process.env.PATH, PORT: '0', ...environment } })
  let output = ''
  const hear = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  onTestFinished(() => void child.kill())
  return () => output
}

test('the webhook receiver accepts each delivery signed with its secret once, and nothing else', async () => {
  const server = await startServer('sqlite', { environment: { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' } })
  server.clock.now = Date.now()
  const { botId } = await server.createBot()
  const token = ADMIN_TOKEN
  const hooks = '/api/manage/v1/bots/{botId}/webhooks'
  const body = { url: 'https://1.1.1.1/', event_types: ['lead.created'] }
  const webhook = (await server.call(`POST ${hooks}`, { token, params: { botId }, body })).body
  const output = runExample('webhook-receiver/receiver.ts', { WEBHOOK_SECRET: webhook.secret })
  await waitFor(() => /port \d+/.test(output()), 'the example to listen')
  const url = `http://127.0.0.1:${/port (\d+)/.exec(output())?.[1]}/`
  const params = { botId, webhookId: webhook.id }
  await server.call(`PATCH ${hooks}/{webhookId}`, { token, params, body: { url } })
  await server.call(`POST ${hooks}/{webhookId}/test`, { token, params })
  await waitFor(() => output().includes('webhook.test'), 'the test event')

  const forgedEvent = await fetch(url, { method: 'POST', body: '{"id":"evt_forged","event_type":"lead.created"}' })
  expect(forgedEvent.status).toBe(400)
  expect(output()).not.toContain('lead.created')
})

test('the order-status server answers an action that is signed, and nobody else', async () => {
  const server = await startServer('sqlite', { environment: { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' } })
  server.clock.now = Date.now()
  const { botId, key } = await server.createBot()
  const actions = '/api/manage/v1/bots/{botId}/actions'
  const token = ADMIN_TOKEN
  const body = {
    name: 'Order status',
    description: '',
    examples: ['Where is my order?'],
    state: 'live',
    inputs: [{ name: 'number', type: 'string', description: 'Order number', pattern: '[0-9]{5}', required: true }],
    request: { method: 'GET', url: 'https://1.1.1.1/orders/{{number}}' },
    answer_template: 'It is {{response.status}} and arrives on {{response.arrives}}.',
  }
  const action = (await server.call(`POST ${actions}`, { token, params: { botId }, body })).body
  const output = runExample('order-status/server.ts', { ACTION_SECRET: action.secret })
  await waitFor(() => /port \d+/.test(output()), 'the example to listen')
  const url = `http://127.0.0.1:${/port (\d+)/.exec(output())?.[1]}/orders/`
  const params = { botId, actionId: action.id as string }
  const request = { method: 'GET', url: `${url}{{number}}` }
  await server.call(`PATCH ${actions}/{actionId}`, { token, params, body: { request } })
  const question = { bot_id: botId, message: 'Where is my order 10421?' }
  const response = await server.call('POST /api/v1/chat', { token: key, body: question })
  expect(response.body.response).toBe('It is on its way and arrives on 2026\\-11\\-20.')
  expect((await fetch(`${url}10421`)).status).toBe(401)

  const id = 'run_1'
  const timestamp = String(Math.floor(Date.now() / 1000))
  const headers = (signature: string) => ({
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  })
  // As many signs as a signature, but more bytes.
  expect((await fetch(`${url}10421`, { headers: headers(`v1,${'é'.repeat(44)}`) })).status).toBe(401)
  const openExample = runExample('order-status/server.ts', {})
  await waitFor(() => /port \d+/.test(openExample()), 'the example without a secret to listen')
  const withEmptyKey = createHmac('sha256', '').update(`${id}.${timestamp}.`).digest('base64')
  const unguarded = `http://127.0.0.1:${/port (\d+)/.exec(openExample())?.[1]}/orders/10421`
  expect((await fetch(unguarded, { headers: headers(`v1,${withEmptyKey}`) })).status).toBe(401)
})

const hasPhp = spawnSync('php', ['-v']).status === 0

test.skipIf(!hasPhp)('the WordPress plugin sends only public products, and loses no concurrent change', () => {
  const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
  const phpFiles = [path('../harness/external/wordpress.php'), path('../../../examples/wordpress/docent')]
  const { stdout, stderr } = spawnSync('php', phpFiles, { encoding: 'utf8' })
  expect(stderr).toBe('')
  const { left_without_woocommerce, left, sent } = JSON.parse(stdout)
  expect(left_without_woocommerce).toBe(1)
  // The first product changed again while it was being sent.
  expect(left).toEqual(['docent_changed_1'])
  const ids = (products: { id: string }[]) => products.map(({ id }) => id)
  expect(sent.map(({ products }: { products: { id: string }[] }) => ids(products))).toEqual([['1'], ['1']])
  expect(sent[0].delete).toEqual(['2', '3', '4'])
  expect(sent[1]).toMatchObject({ final: true, confirm_empty: false, redirection: 0 })
})
