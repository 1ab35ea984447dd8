// Large responses are read a few at a time, addresses in turn.
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { installLargeReads } from '../../src/http/server/large-reads.ts'
import { pause } from '../harness/wait.ts'

const AT_ONCE = 4
const MAX_WAITING = 100

/** A server whose reads end when the test says so. */
function openReads() {
  const server = fastify()
  onTestFinished(() => server.close())
  const reads: { from: string; end: () => void }[] = []
  server.setErrorHandler((error, _request, reply) => reply.code((error as { status?: number }).status ?? 500).send())
  installLargeReads(server)
  server.get('/', { onRequest: (_request, reply) => reply.waitForTurn() }, async (request, reply) => {
    await reply.readInTurn(() => new Promise<void>((end) => reads.push({ from: request.ip, end })))
    reply.endTurn()
    return 'read'
  })
  return {
    server,
    reads,
    beginning: () => reads.map(({ from }) => from),
    async ask(from: string, times: number) {
      const responses = Array.from({ length: times }, () => server.inject({ url: '/', remoteAddress: from }))
      for (const response of responses) response.catch(() => {})
      for (let turn = 0; turn < 5; turn++) await pause(0)
      return responses
    },
    async endAll(times: number) {
      for (let n = 0; n < times; n++) {
        await expect.poll(() => reads.length).toBeGreaterThan(n)
        reads[n]?.end()
      }
    },
  }
}

const [GREEDY, MODEST, THIRD] = ['203.0.113.7', '198.51.100.8', '192.0.2.9'] as const

test('a few are read at once, and addresses take turns', async () => {
  const { ask, beginning, endAll } = openReads()
  const responses = [...(await ask(GREEDY, 8)), ...(await ask(MODEST, 2)), ...(await ask(THIRD, 1))]
  expect(beginning()).toEqual(Array(AT_ONCE).fill(GREEDY))
  await endAll(11)
  expect(beginning().slice(AT_ONCE)).toEqual([GREEDY, MODEST, THIRD, GREEDY, MODEST, GREEDY, GREEDY])
  for (const response of responses) expect((await response).statusCode).toBe(200)
})

test('beyond a number of waiting requests an address is refused, and others are not', async () => {
  const { ask, endAll } = openReads()
  const admittedReads = await ask(GREEDY, AT_ONCE + MAX_WAITING)
  const [refusedRead] = await ask(GREEDY, 1)
  const response = await refusedRead
  expect(response).toMatchObject({ statusCode: 429 })
  const others = await ask(MODEST, 1)
  await endAll(AT_ONCE + MAX_WAITING + 1)
  for (const one of [...admittedReads, ...others]) expect((await one).statusCode).toBe(200)
})

test('servers of one process do not share their turns', async () => {
  const [first, second] = [openReads(), openReads()]
  await first.ask(GREEDY, AT_ONCE)
  await second.ask(GREEDY, 1)
  expect(second.beginning()).toEqual([GREEDY])
  await first.endAll(AT_ONCE)
  await second.endAll(1)
})

test('who leaves makes room in the queue, but keeps the place of a read until it has ended', async () => {
  const { server, reads, endAll } = openReads()
  await server.listen()
  const { port } = server.server.address() as AddressInfo
  const connections = async () => new Promise<number>((resolve) => server.server.getConnections((_, n) => resolve(n)))
  const askAndLeave = async (times: number) => {
    const sockets = Array.from({ length: times }, () => {
      const socket = connect({ port, host: '127.0.0.1' })
      socket.on('error', () => {}).write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
      return socket
    })
    await expect.poll(connections).toBe(times)
    for (const socket of sockets) socket.destroySoon()
    await Promise.all(sockets.map((socket) => once(socket, 'close')))
    await expect.poll(connections).toBe(0)
  }
  await askAndLeave(AT_ONCE)
  expect(reads).toHaveLength(AT_ONCE)
  await askAndLeave(MAX_WAITING)
  const response = fetch(`http://127.0.0.1:${port}/`)
  await expect.poll(connections).toBe(1)
  expect(reads).toHaveLength(AT_ONCE)
  await endAll(AT_ONCE + 1)
  expect((await response).status).toBe(200)
  expect(reads).toHaveLength(AT_ONCE + 1)
})
