// A bot with actions, and the owner's server that they call: a real HTTP server on loopback.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import type { ApiResponse } from '../harness/call.ts'
import type { Engine } from '../harness/database/databases.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createVisitor } from '../harness/visitors.ts'

export const ACTIONS = '/api/manage/v1/bots/{botId}/actions'
export const ACTION = `${ACTIONS}/{actionId}`
const token = ADMIN_TOKEN

interface OwnerRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

type Respond = (response: ServerResponse, request: OwnerRequest) => void

export interface OwnerServer {
  url: string
  received: OwnerRequest[]
  /** How requests are answered from now on. */
  respond: Respond
}

export function json(value: unknown, status = 200): Respond {
  return (response) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

export async function startOwnerServer(): Promise<OwnerServer> {
  const owner: OwnerServer = { url: '', received: [], respond: json({ status: 'shipped' }) }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const receivedRequest = { method, path, headers, body: Buffer.concat(chunks).toString('utf8') }
      owner.received.push(receivedRequest)
      owner.respond(response, receivedRequest)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  owner.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return owner
}

export const orderNumber = {
  name: 'order_number',
  type: 'string',
  description: 'Order number',
  ask: 'What is your order number?',
  required: true,
  pattern: '[0-9]{5}',
}

export function orderStatus(owner: OwnerServer, more: object = {}) {
  return {
    name: 'Order status',
    description: 'When somebody asks where their order is.',
    examples: [
      'Where is my order?',
      'Has my parcel been sent yet?',
      'What is the status of order 12345?',
      'Track my order',
    ],
    not_for: ['How do I place an order?', 'Can I change my order?'],
    inputs: [orderNumber],
    request: { method: 'GET', url: `${owner.url}/orders/{{order_number}}` },
    answer_template: 'Order {{order_number}} is {{response.status}}.',
    state: 'live',
    ...more,
  }
}

export async function startActionBot(engine: Engine, environment: Record<string, string> = {}) {
  const server = await startServer(engine, {
    environment: { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1/32', ...environment },
  })
  const { call } = server
  const owner = await startOwnerServer()
  const bot = await server.createBot({
    documents: [
      {
        id: 'returns',
        title: 'Returns',
        url: 'https://shop.test/returns',
        text: 'You can return a jacket within 30 days of purchase. Returned goods must be unworn.',
      },
    ],
  })
  const { botId, key } = bot
  const params = { botId }

  const create = (body: object) => call(`POST ${ACTIONS}`, { token, params, body })

  return {
    ...server,
    owner,
    bot,
    botId,
    create,
    async add(body: object): Promise<string> {
      const response = await create(body)
      expect([response.status, response.body.error]).toEqual([201, undefined])
      return response.body.id
    },
    read: (actionId: string) => call(`GET ${ACTION}`, { token, params: { botId, actionId } }),
    change: (actionId: string, body: object) => call(`PATCH ${ACTION}`, { token, params: { botId, actionId }, body }),
    test: (actionId: string, body: object) => call(`POST ${ACTION}/test`, { token, params: { botId, actionId }, body }),
    runs: async (actionId: string) =>
      (await call(`GET ${ACTION}/runs`, { token, params: { botId, actionId } })).body.items,
    visitor: () => createVisitor(call, botId),
    /** A conversation over the chat API. */
    chat() {
      let sessionId: string | null = null
      return async (message: string): Promise<ApiResponse['body']> => {
        const body = { bot_id: botId, message, session_id: sessionId }
        const response = await call('POST /api/v1/chat', { token: key, body })
        expect([message, response.status]).toEqual([message, 200])
        sessionId = response.body.session_id
        return response.body
      }
    },
  }
}
