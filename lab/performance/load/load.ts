// Chat turns over many connections: conversations of four turns, with the demo shop's questions.
import autocannon from 'autocannon'
import { questions } from './demo-content.ts'

const TURNS_PER_CONVERSATION = 4

export interface LoadResult {
  turnsPerSecond: number
  turns: number
  p50Ms: number
  p99Ms: number
  /** Server CPU time per turn: unlike the rate, hardly affected by other load on the machine. */
  cpuMicroseconds: number
}

export async function load(
  url: string,
  bot: { botId: string; key: string },
  options: { connections: number; seconds: number },
): Promise<LoadResult> {
  const questionTexts = questions()
  let next = 0
  const turn = {
    method: 'POST',
    path: '/api/v1/chat',
    headers: { authorization: `Bearer ${bot.key}`, 'content-type': 'application/json' },
    setupRequest: (request: { body?: string }, context: Record<string, string>) => {
      const message = questionTexts[next++ % questionTexts.length]
      return { ...request, body: JSON.stringify({ bot_id: bot.botId, message, session_id: context.sessionId }) }
    },
    onResponse: (status: number, body: string, context: Record<string, string>) => {
      if (status === 200) context.sessionId = JSON.parse(body).session_id
    },
  }
  const before = await cpuSeconds(url)
  const result = await autocannon({
    url,
    connections: options.connections,
    duration: options.seconds,
    requests: Array.from({ length: TURNS_PER_CONVERSATION }, () => turn),
  })
  if (result.non2xx + result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed of ${result.requests.total}`)
  const { requests, latency } = result
  return {
    turnsPerSecond: requests.average,
    turns: requests.total,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    cpuMicroseconds: (((await cpuSeconds(url)) - before) / requests.total) * 1e6,
  }
}

export async function cpuSeconds(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1])
}
