// Applies one kind of load after another and records the server's resident memory (Linux).

import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { pause } from './wait.ts'

const MB = 1024 ** 2
const LOOK_MS = 50

export interface MemoryStep {
  step: string
  seconds: number
  /** Peak during the load, and what remained afterwards. */
  peakMb: number
  afterMb: number
}

interface Target {
  pid: number
  baseUrl: string
  adminToken: string
  /** Of the full load. */
  share: number
}

export async function measureMemory({ pid, baseUrl, adminToken, share }: Target): Promise<MemoryStep[]> {
  const steps: MemoryStep[] = []
  const headers = { authorization: `Bearer ${adminToken}` }
  const count = (full: number) => Math.max(1, Math.round(full * share))

  async function post(path: string, body: unknown, more: Record<string, string> = headers) {
    const response = await fetch(baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...more },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as { id: string; key: string } }
  }

  async function step(name: string, work: () => Promise<unknown>) {
    let peak = residentMb(pid)
    const timer = setInterval(() => {
      peak = Math.max(peak, residentMb(pid))
    }, LOOK_MS)
    const startMs = performance.now()
    await work()
    const seconds = Math.round((performance.now() - startMs) / 100) / 10
    await pause(200)
    clearInterval(timer)
    steps.push({ step: name, seconds, peakMb: peak, afterMb: residentMb(pid) })
  }

  async function createBot() {
    const { body } = await post('/api/manage/v1/bots', { name: 'Memory', language: 'en' })
    return body.id
  }

  const botId = await createBot()
  const documents = Array.from({ length: 50 }, (_, n) => ({ title: `Page ${n}`, text: words(n, 200) }))
  await post(`/api/manage/v1/bots/${botId}/documents`, { documents })

  await step('start', async () => {})

  await step('widget sessions', () =>
    inParallel(count(20_000), 16, async (n) => {
      const body = { message: `What about ${words(n, 3)}?`, session_id: `session-${n}` }
      await post(`/api/chat/${botId}/message`, body, {})
    }),
  )

  await step('files of 20 MB', () =>
    inParallel(count(12), 4, async (n) => {
      const kind = ['txt', 'html', 'pdf'][n % 3]
      const content = Buffer.alloc(19 * MB, kind === 'html' ? `<p>${words(n, 50)}</p>\n` : `${words(n, 50)}\n`)
      if (kind === 'pdf') content.write('%PDF-1.4\n')
      const form = new FormData()
      form.append('file', new Blob([content]), `file-${n}.${kind}`)
      await fetch(`${baseUrl}/api/manage/v1/bots/${botId}/files`, { method: 'POST', headers, body: form }).then((r) =>
        r.text(),
      )
    }),
  )

  await step('products', async () => {
    const key = (await post(`/api/manage/v1/bots/${botId}/sync-key`, {})).body.key
    const line = (n: number) =>
      JSON.stringify({
        id: `p${n}`,
        title: `${words(n, 4)} ${n}`,
        description: words(n, 40),
        price: `${n % 500}.90 EUR`,
      })
    const body = Array.from({ length: count(50_000) }, (_, n) => line(n)).join('\n')
    const type = { 'content-type': 'application/x-ndjson', 'x-service-key': key }
    await fetch(`${baseUrl}/api/v1/chat/sync-products`, { method: 'POST', headers: type, body }).then((r) => r.text())
    await post(`/api/chat/${botId}/message`, { message: 'Which lamp is cheapest?', session_id: 'buyer' }, {})
  })

  await step('bots with documents and curated answers', () =>
    inParallel(count(60), 2, async (n) => {
      const id = await createBot()
      const pages = Array.from({ length: 20 }, (_, page) => ({ title: `Page ${page}`, text: words(n + page, 2000) }))
      await post(`/api/manage/v1/bots/${id}/documents`, { documents: pages })
      const answers = Array.from({ length: 200 }, (_, a) => ({ question: `Why ${words(n + a, 8)}?`, answer: `${a}` }))
      await post(`/api/manage/v1/bots/${id}/answers/import`, { answers })
      await post(`/api/chat/${id}/message`, { message: `What about ${words(n, 3)}?` }, {})
      if (n % 2 === 0) await fetch(`${baseUrl}/api/manage/v1/bots/${id}`, { method: 'DELETE', headers })
    }),
  )

  await step('rejected calls with long headers', () =>
    inParallel(count(10_000), 16, (n) =>
      rejected(baseUrl, `/api/chat/${botId}/message`, { origin: `https://${n}.example`, 'x-filler': `${n}${filler}` }),
    ),
  )

  await step('connections that never read', async () => {
    const sockets = await Promise.all(Array.from({ length: count(400) }, () => neverRead(baseUrl)))
    await pause(2000 * Math.min(1, share))
    for (const socket of sockets) socket.destroy()
  })
  return steps
}

const filler = 'x'.repeat(12_000)

/** One more request on a new connection. */
function rejected(baseUrl: string, path: string, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve) => {
    const call = request(`${baseUrl}${path}?${filler.slice(0, 2000)}`, { method: 'POST', headers }, (response) => {
      response.resume().on('end', resolve)
    })
    call.on('error', () => resolve())
    call.end('{')
  })
}

/** Requests a large response repeatedly on one connection and reads none of them. */
function neverRead(baseUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.pause()
      socket.write('GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(10))
      resolve(socket)
    })
    socket.on('error', () => resolve(socket))
  })
}

async function inParallel(times: number, atOnce: number, work: (n: number) => Promise<unknown>) {
  let next = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < times) await work(next++)
    }),
  )
}

function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024)
}

const vocabulary = ['lamp', 'tent', 'parcel', 'refund', 'warranty', 'bike', 'stove', 'order', 'label', 'battery']

function words(seed: number, length: number): string {
  return Array.from({ length }, (_, i) => `${vocabulary[(seed * 7 + i * 3) % 10]}${(seed * 31 + i * 17) % 3001}`).join(
    ' ',
  )
}
