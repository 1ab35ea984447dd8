// A bot whose calls and events go to a receiver on loopback, and what tests do with it.
import { Webhook as Verifier } from 'standardwebhooks'
import { expect } from 'vitest'
import type { Engine } from '../harness/database/databases.ts'
import { type Receiver, startReceiver } from '../harness/external/receiver.ts'
import { ADMIN_TOKEN, startServer, type TestBot, type TestServer } from '../harness/start-server.ts'
import { waitFor } from '../harness/wait.ts'

export const hooks = '/api/manage/v1/bots/{botId}/webhooks'
export const log = '/api/manage/v1/bots/{botId}/deliveries'
const page = { id: 'returns', title: 'Returns', text: 'You can return a jacket within 30 days of purchase.' }

export async function start(engine: Engine, environment: Record<string, string> = {}) {
  const server = await startServer(engine, {
    environment: { ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8', WEBHOOK_TIMEOUT_SECONDS: '60', ...environment },
  })
  const bot = await server.createBot({ documents: [page] })
  const receiver = await startReceiver()
  return { ...server, bot, receiver, ...doing(server, bot, receiver) }
}

export function doing({ call }: TestServer, { botId, key, keyId }: TestBot, receiver: Receiver) {
  const token = ADMIN_TOKEN
  const params = { botId }
  return {
    ask: (message: string, more: object = {}, headers: Record<string, string> = {}) =>
      call('POST /api/v1/chat', { token: key, headers, body: { bot_id: botId, message, ...more } }),
    async subscribe(body: object = {}) {
      const response = await call(`POST ${hooks}`, { token, params, body: { url: receiver.url, ...body } })
      expect(response.status).toBe(201)
      return response.body as { id: string; secret: string }
    },
    async mirror(url: string | null = receiver.url) {
      const route = 'PATCH /api/manage/v1/bots/{botId}/keys/{keyId}'
      return (await call(route, { token, params: { botId, keyId }, body: { webhook_url: url } })).body
    },
    webhook: async (webhookId: string) =>
      (await call(`GET ${hooks}/{webhookId}`, { token, params: { botId, webhookId } })).body,
    change: (webhookId: string, body: object) =>
      call(`PATCH ${hooks}/{webhookId}`, { token, params: { botId, webhookId }, body }),
    test: (webhookId: string) => call(`POST ${hooks}/{webhookId}/test`, { token, params: { botId, webhookId } }),
    rotate: (webhookId: string) =>
      call(`POST ${hooks}/{webhookId}/rotate-secret`, { token, params: { botId, webhookId } }),
    list: async (query: Record<string, string> = {}) =>
      (await call(`GET ${log}`, { token, params, query })).body.items as { id: string; state: string }[],
    delivery: async (deliveryId: string) =>
      (await call(`GET ${log}/{deliveryId}`, { token, params: { botId, deliveryId } })).body,
    replay: (deliveryId: string) => call(`POST ${log}/{deliveryId}/replay`, { token, params: { botId, deliveryId } }),
    replayFailed: (body: object) => call(`POST ${log}/replay`, { token, params, body }),
    /** Lets time pass; a turn of the bot wakes the worker, which would else look within a second. */
    async pass(clock: TestServer['clock'], ms: number) {
      clock.now += ms
      await call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message: 'hi' } })
    },
    /** Waits until the newest delivery has been tried so often. */
    async tried(times: number, state?: string) {
      await waitFor(
        async () => {
          const [newest] = (await call(`GET ${log}`, { token, params })).body.items
          return newest?.attempts === times && (!state || newest.state === state)
        },
        `${times} attempts${state ? `, then ${state}` : ''}`,
      )
      const [newest] = (await call(`GET ${log}`, { token, params })).body.items
      return newest as { id: string; state: string; next_attempt_at: string; webhook_id: string }
    },
  }
}

export function isSigned(secret: string, { headers, body }: Receiver['received'][number], at: number): boolean {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  const signatureHeaders = Object.fromEntries(names.map((name) => [name, String(headers[name])]))
  // The library compares with the machine's own time, and the server's clock is the test's.
  const expected = new Verifier(secret).sign(String(headers['webhook-id']), new Date(at), body)
  return String(signatureHeaders['webhook-signature']).split(' ').includes(expected)
}
