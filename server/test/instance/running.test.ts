// Starting, memory use and stopping.
import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { measureMemory } from '../harness/measure-memory.ts'
import { createTestDatabase, spawnProcess, startProcess } from '../harness/start-process.ts'
import { ADMIN_TOKEN, botCreator } from '../harness/start-server.ts'
import { isRefused, listenOnFreePort } from './ports.ts'

const DOCUMENTS = '/api/manage/v1/bots/{botId}/documents'

describe('on SIGTERM', () => {
  test('a request in flight finishes, new connections are refused, and the exit code is 0', async () => {
    const database = await createTestDatabase('sqlite')
    const server = await startProcess({ database, environment: { LOG_LEVEL: 'info' } })
    const { botId } = await botCreator(server.call)()
    const lines = Array.from({ length: 400 }, (_, n) =>
      JSON.stringify({ id: `d${n}`, title: `Page ${n}`, text: `This is page ${n} of a long upload. `.repeat(20) }),
    )
    const upload = startUpload(server.port, DOCUMENTS.replace('{botId}', botId))
    await upload.send(`${lines.slice(0, 200).join('\n')}\n`)
    // Once a later request has been answered, the server has received the first one.
    await server.call('GET /livez')

    const exitCode = server.stop('SIGTERM')
    await expect.poll(() => isRefused(server.port)).toBe(true)
    await upload.send(lines.slice(200).join('\n'))
    const response = await upload.finish()
    expect(response.status).toBe(200)
    expect(JSON.parse(response.text)).toMatchObject({ created: 400, failed: 0 })
    // A process that has to be ended after the stop timeout exits with 1.
    expect(await exitCode).toBe(0)
    expect(server.output().match(/"signal":"SIGTERM","msg":"stopping"/g)).toHaveLength(1)
  })

  test('a later request on a keep-alive connection gets 503 in the error format, or no response', async () => {
    const server = await startProcess({ database: await createTestDatabase('sqlite') })
    const socket = connect(server.port, '127.0.0.1')
    let receivedText = ''
    socket.on('data', (chunk) => (receivedText += chunk)).on('error', () => {})
    const closing = new Promise((resolve) => socket.on('close', resolve))
    const body = JSON.stringify({ name: 'Late', plan: 'free' })
    const head = `POST /api/manage/v1/workspaces HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${ADMIN_TOKEN}\r\n`
    socket.write(`${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 5)}`)
    // Once a later request has been answered, the server has received the first one.
    await server.call('GET /livez')

    const exitCode = server.stop('SIGTERM')
    await expect.poll(() => isRefused(server.port)).toBe(true)
    socket.write(`${body.slice(5)}GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n`)
    await closing
    const [first = '', ...rest] = receivedText.split(/(?=HTTP\/1\.1 )/)
    expect(first).toMatch(/^HTTP\/1\.1 201 /)
    for (const response of rest)
      expect(response).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: [\s\S]*"code":"unavailable"/i)
    expect(await exitCode).toBe(0)
  })
})

test.runIf(process.platform === 'linux')('a new idle process uses less than 200 MB', async () => {
  const database = await createTestDatabase('sqlite')
  const options = { database, environment: { DEMO_BOT: 'on', EMBEDDINGS: 'on' } }
  // The second start, since the first has to strip the types of every file.
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
    const options = { database: await createTestDatabase('sqlite'), environment }
    await (await startProcess(options)).stop()
    const { pid, baseUrl } = await startProcess(options)
    // The short form of lab/performance/memory.ts.
    const steps = await measureMemory({ pid, baseUrl, adminToken: ADMIN_TOKEN, share: 0.002 })
    expect(steps.filter(({ peakMb }) => peakMb > indexMb + 300)).toEqual([])
  },
)

test.each(engines)('a start on %s with the port in use ends with a clear message and exit code 1', async (engine) => {
  const holder = await listenOnFreePort(createServer())
  const { port } = holder.address() as AddressInfo
  const server = spawnProcess({ database: await createTestDatabase(engine), environment: { PORT: String(port) } })
  expect(await server.exited).toBe(1)
  expect(server.output()).toContain(String(port))
  expect(server.output()).toMatch(/in use/)
  expect(server.output()).not.toMatch(/^\s+at /m)
})

/** An upload sent in pieces. */
function startUpload(port: number, path: string) {
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    path,
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/x-ndjson' },
  })
  const response = new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
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
      return response
    },
  }
}
