// Event streams with misbehaving clients.
import { type AddressInfo, connect } from 'node:net'
import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { openLiveStreams } from '../../src/http/server/event-streams.ts'
import { pause, waitFor } from '../harness/wait.ts'

const ALIVE_MS = 10

async function start(beforeOpen: () => Promise<void> = async () => {}) {
  const server = fastify({ forceCloseConnections: true })
  const streams = openLiveStreams(server, ALIVE_MS)
  const endedMethods: string[] = []
  server.get('/events', async (request, reply) => {
    await beforeOpen()
    streams.open(reply).onEnd(() => endedMethods.push(request.method))
    return reply
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => server.close())
  const { port } = server.server.address() as AddressInfo
  return { port, endedMethods }
}

const request = (method: string) => `${method} /events HTTP/1.1\r\nhost: docent.test\r\n\r\n`

test('a HEAD request after an open stream on the same connection does no harm', async () => {
  const { port, endedMethods } = await start()
  const socket = connect(port, '127.0.0.1')
  let receivedText = ''
  socket.on('data', (chunk) => {
    receivedText += chunk
  })
  socket.write(request('GET') + request('HEAD'))
  // Writing to the ended answer would end the process.
  await waitFor(() => receivedText.split(': \n\n').length > 5, 'some signs of life')
  socket.destroy()
  await waitFor(() => endedMethods.includes('GET'), 'the stream to end')
})

test('a client that disconnects before the stream is open leaves nothing behind', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let isAsked = false
  const { port, endedMethods } = await start(() => {
    isAsked = true
    return promise
  })
  const socket = connect(port, '127.0.0.1')
  socket.write(request('GET'))
  await waitFor(() => isAsked, 'the request')
  socket.destroy()
  await pause(50)
  resolve()
  await waitFor(() => endedMethods.length === 1, 'the stream to end')
  expect(endedMethods).toEqual(['GET'])
})
