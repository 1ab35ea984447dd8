// Messages of random repeated fragments, at the greatest length of the chat API and of the widget: each is answered, and
// none holds up the server.
import { eventLoopClock } from '../../../server/test/harness/event-loop.ts'
import { createSyncKey, syncProducts } from '../../../server/test/harness/tenants.ts'
import { type PartOptions, type PartResult, startWatchedServer } from '../part.ts'
import { makeRandom } from './random.ts'

const LONGEST = { chat: 10_000, widget: 4000 }
const MAX_MS = 100
/** One slow answer may be other load on the machine, or a collection of garbage. */
const ATTEMPTS = 5
const pieces = [
  ...[
    '1',
    ' ',
    '0',
    '+',
    '(',
    ')',
    '-',
    '.',
    ',',
    '/',
    '@',
    'a',
    'A',
    'é',
    'ß',
    '½',
    '٣',
    '订',
    'あ',
    'ア',
    '가',
    '🙂',
  ],
  ...[
    'order ',
    'tel ',
    'under ',
    'cm ',
    'size ',
    'http://',
    'what ',
    'and ',
    'red ',
    'boots ',
    '\n',
    '\u0301',
    "'",
    '?',
  ],
]

export async function tryHostileMessages({ engine, seed, times }: PartOptions): Promise<PartResult> {
  const random = makeRandom(seed)
  const server = await startWatchedServer(engine)
  const { call, createBot } = server
  const cpuMs = eventLoopClock(server.pid)
  const documents = [{ id: 'returns', title: 'Returns', text: 'Returns are free within 30 days of the order.' }]
  const { botId, key } = await createBot({ documents, dailyLimit: 100_000_000 })
  const products = [{ id: '1', title: 'Red hiking boots', price: '80 EUR', attributes: { colour: 'red', size: 'M' } }]
  await syncProducts(call, await createSyncKey(call, botId), { products })
  const problems: string[] = []
  let slowestMs = 0

  const send = (channel: keyof typeof LONGEST, message: string) =>
    channel === 'chat'
      ? call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message } })
      : call('POST /api/chat/{botId}/message', { params: { botId }, body: { message, locale: 'de-AT' } })

  for (let n = 0; n < times; n++) {
    const fragment = Array.from({ length: 1 + random.below(5) }, () => random.pick(pieces)).join('')
    const channel = random.pick(['chat', 'widget'] as const)
    let bestMs = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < ATTEMPTS && bestMs > MAX_MS; attempt++) {
      const message = `a${fragment.repeat(LONGEST[channel])}`.slice(0, LONGEST[channel] - attempt)
      const startedAtMs = cpuMs()
      const { status } = await send(channel, message)
      if (status !== 200) problems.push(`${channel} ${JSON.stringify(fragment)}: ${status}`)
      bestMs = Math.min(bestMs, cpuMs() - startedAtMs)
    }
    slowestMs = Math.max(slowestMs, bestMs)
    if (bestMs > MAX_MS) problems.push(`${channel} ${JSON.stringify(fragment)}: ${Math.round(bestMs)} ms`)
  }
  return server.end({ counts: { messages: times, 'ms the slowest took': Math.round(slowestMs) }, problems })
}
