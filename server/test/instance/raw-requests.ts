// Sends raw requests, and checks the minimum that every response must meet.
import { connect } from 'node:net'
import { expect } from 'vitest'
import type { ApiResponse } from '../harness/call.ts'
import type { Engine } from '../harness/database/databases.ts'
import { startServer } from '../harness/start-server.ts'
import { WAIT_TIMEOUT_MS } from '../harness/wait.ts'

export const CHAT = 'POST /api/v1/chat'

export async function withBot(engine: Engine) {
  const server = await startServer(engine)
  const documents = [{ id: 'returns', title: 'Returns', text: 'You can send goods back within 30 days.' }]
  const bot = await server.createBot({ documents, dailyLimit: 1_000_000 })
  const port = Number(new URL(server.baseUrl).port)
  const post = (raw: string | Uint8Array, headers: Record<string, string> = {}) =>
    server.call(CHAT, { token: bot.key, raw, headers })
  const ask = (message: string, more: object = {}) =>
    server.call(CHAT, { token: bot.key, body: { bot_id: bot.botId, message, ...more } })
  const stillServes = async () => {
    const response = await ask('Can I send goods back?')
    expect([response.status, response.body.answered]).toEqual([200, true])
  }
  return { ...server, ...bot, port, post, ask, stillServes }
}

export function expectFault(response: ApiResponse, label: string, status?: number, code?: string) {
  expect(response.status, label).toBeGreaterThanOrEqual(400)
  expect(response.status, label).toBeLessThan(500)
  expect(response.headers['content-type'], label).toMatch(/^application\/json/)
  const { error } = response.body ?? {}
  expect(error, label).toMatchObject({ code: expect.any(String), message: expect.any(String) })
  expect(error.request_id, label).toMatch(/^req_/)
  expect(response.headers['x-request-id'], label).toBe(error.request_id)
  if (status) expect(response.status, label).toBe(status)
  if (code) expect(error.code, label).toBe(code)
}

export function expectDecent(response: ApiResponse, label: string) {
  if (response.status !== 200) expectFault(response, label)
}

/** Sends bytes and reads until the response is complete or the server closes the connection. */
export function exchange(port: number, text: string): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let receivedText = ''
    socket.setTimeout(WAIT_TIMEOUT_MS, () =>
      socket.destroy(new Error(`no answer to ${JSON.stringify(text.slice(0, 80))}`)),
    )
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close the connection while we are still sending.
      if (receivedText === '' || !['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) reject(error)
    })
    socket.on('data', (chunk) => {
      receivedText += chunk
      if (isWhole(receivedText)) socket.destroy()
    })
    socket.on('close', () => resolve(parseAnswer(receivedText)))
    socket.write(Buffer.from(text, 'latin1'))
  })
}

function isWhole(receivedText: string): boolean {
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(receivedText)?.[1]
  const end = receivedText.indexOf('\r\n\r\n')
  return length !== undefined && end >= 0 && receivedText.length >= end + 4 + Number(length)
}

interface RawResponse extends ApiResponse {
  statusLine: string
}

function parseAnswer(receivedText: string): RawResponse {
  const [head = '', ...rest] = receivedText.split('\r\n\r\n')
  const [line = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((header): [string, string] => {
      const [name = '', ...value] = header.split(': ')
      return [name.toLowerCase(), value.join(': ')]
    }),
  )
  const text = rest.join('\r\n\r\n')
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {}
  return { statusLine: line, status: Number(line.split(' ')[1]), headers, cookies: [], text, body }
}
