// A customer's endpoint: a real HTTP server on loopback that keeps all requests and responds as the test sets.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { waitFor } from '../wait.ts'

export interface Received {
  headers: IncomingHttpHeaders
  body: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of any shape
  json: any
}

export interface Receiver {
  url: string
  received: Received[]
  /** Waits until this many requests have arrived. */
  waitForCount(count: number): Promise<Received[]>
  /** How requests are answered from now on: a status, or a handler. */
  answer: number | ((response: ServerResponse, received: Received) => void)
}

export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const one = { headers: request.headers, body, json: body ? JSON.parse(body) : null }
      receiver.received.push(one)
      if (typeof receiver.answer === 'function') receiver.answer(response, one)
      else response.writeHead(receiver.answer).end('noted')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    answer: 200,
    async waitForCount(count) {
      await waitFor(() => receiver.received.length >= count, `${count} deliveries, not ${receiver.received.length}`)
      return receiver.received
    },
  }
  return receiver
}
