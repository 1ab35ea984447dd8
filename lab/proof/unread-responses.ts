// Clients that ask for large responses and read nothing, from several addresses: memory stays bounded, others are
// served meanwhile, and the memory is returned afterwards.

import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { MANAGE } from '../../server/test/harness/people.ts'
import { createTestDatabase, type StartedProcess, startProcess } from '../../server/test/harness/start-process.ts'
import { ADMIN_TOKEN, botCreator } from '../../server/test/harness/start-server.ts'
import { createVisitor } from '../../server/test/harness/visitors.ts'
import { pause } from '../../server/test/harness/wait.ts'
import type { PartOptions, PartResult } from './part.ts'

const ADDRESSES = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5']
const FILE_BYTES = 14_500_000
const ATTACHMENT_BYTES = 5_000_000
/** Above what the idle process needs: all of UNREAD_BYTES, and what the allocator keeps. */
const MAX_MB = 350
const MAX_MB_AFTERWARDS = 150
const MAX_MB_IN_ALL = 512
const HELD_MS = 2500
const RETURN_MS = 15_000
const environment = { WIDGET_REQUESTS_PER_MINUTE: '100000', CONNECTIONS_PER_ADDRESS: '1000' }

interface Options extends Pick<PartOptions, 'engine' | 'times'> {
  /** Of the four contents, how many are asked for: the large file first. */
  contents?: number
}

export async function leaveUnread({ engine, times, contents }: Options): Promise<PartResult> {
  const server = await startProcess({ database: await createTestDatabase(engine), environment })
  const { paths: all, content } = await makeContent(server)
  const paths = all.slice(0, contents)
  const problems: string[] = []
  await download(server, paths[0] as string)
  const before = residentMb(server.pid)
  let peak = before
  let sampling = true
  const sampler = (async () => {
    while (sampling) {
      peak = Math.max(peak, residentMb(server.pid))
      await pause(20)
    }
  })()

  const sockets = Array.from({ length: times }, (_, n) =>
    askAndWait(server.port, ADDRESSES[n % ADDRESSES.length] as string, paths[n % paths.length] as string),
  )
  await pause(HELD_MS)
  const servedContent = await download(server, paths[0] as string)
  if (servedContent !== content) problems.push('another address did not get its file meanwhile')
  if ((await server.call('GET /livez')).status !== 200) problems.push('the server did not answer meanwhile')
  for (const socket of sockets) socket.destroy()
  const after = await settle(server.pid, before + MAX_MB_AFTERWARDS)
  sampling = false
  await sampler
  if (peak - before > MAX_MB) problems.push(`${times} unread responses took ${peak - before} MB`)
  if (peak > MAX_MB_IN_ALL) problems.push(`${peak} MB were resident`)
  if (after - before > MAX_MB_AFTERWARDS) problems.push(`${after - before} MB were not returned`)
  await server.stop()
  return { counts: { connections: times, 'MB before': before, 'MB at most': peak, 'MB afterwards': after }, problems }
}

/** The paths of a large file, an attachment, an export and a history; and the hash of the file. */
async function makeContent({ call, baseUrl }: StartedProcess) {
  const { botId } = await botCreator(call)()
  const text = randomBytes(FILE_BYTES * 0.7).toString('base64')
  const html = `<!doctype html><p>Opening hours<!--${text}-->`
  const file = await upload(`${baseUrl}${MANAGE}/bots/${botId}/files`, 'hours.html', html, {
    authorization: `Bearer ${ADMIN_TOKEN}`,
  })
  const visitor = createVisitor(call, botId)
  for (let n = 0; n < 15; n++) await visitor.say('你'.repeat(4000))
  const attachment = await upload(
    `${baseUrl}/api/chat/${botId}/attachments`,
    'note.txt',
    text.slice(0, ATTACHMENT_BYTES),
    { 'x-visitor-token': visitor.token() },
  )
  const { body } = await call(`GET ${MANAGE}/bots/{botId}/conversations`, { token: ADMIN_TOKEN, params: { botId } })
  const paths = [
    `${MANAGE}/bots/${botId}/files/${file.files[0].id}/content`,
    `/api/chat/${botId}/attachments/${attachment.messages[0].attachments[0].id}`,
    `${MANAGE}/bots/${botId}/visitors/${body.items[0].visitor.id}`,
    `${MANAGE}/bots/${botId}/conversations/${body.items[0].id}`,
  ]
  return { paths, content: createHash('sha256').update(html).digest('hex') }
}

async function upload(url: string, name: string, content: string, headers: Record<string, string>) {
  const form = new FormData()
  form.append('file', new File([content], name))
  // biome-ignore lint/suspicious/noExplicitAny: one response of two shapes
  return (await (await fetch(url, { method: 'POST', headers, body: form })).json()) as any
}

async function download({ baseUrl }: StartedProcess, path: string): Promise<string> {
  const answer = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })
  return createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex')
}

function askAndWait(port: number, localAddress: string, path: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => {}).pause()
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${ADMIN_TOKEN}\r\n\r\n`)
  return socket
}

/** The memory after a while, or as soon as it is below the bound. */
async function settle(pid: number, mostMb: number): Promise<number> {
  for (const startedAt = performance.now(); performance.now() - startedAt < RETURN_MS; await pause(200))
    if (residentMb(pid) <= mostMb) break
  return residentMb(pid)
}

/** Zero where there is no /proc. */
export function residentMb(pid: number): number {
  if (process.platform !== 'linux') return 0
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
}
