// The clock set forward and back, by seconds and by years: calls are answered as declared, no day's quota is exceeded or
// cut short, a key ends when it should, and every webhook arrives.

import { startReceiver } from '../../server/test/harness/external/receiver.ts'
import { MANAGE } from '../../server/test/harness/people.ts'
import { responseProblem } from '../../server/test/harness/response-check.ts'
import { ADMIN_TOKEN, startServer } from '../../server/test/harness/start-server.ts'
import { createKey, createSyncKey, syncProducts } from '../../server/test/harness/tenants.ts'
import { pause } from '../../server/test/harness/wait.ts'
import type { PartOptions, PartResult } from './part.ts'
import { makeRandom } from './requests/random.ts'

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000]
const jumps = [SECOND, MINUTE, HOUR, DAY, 40 * DAY, 400 * DAY]
const DAILY_LIMIT = 5
const DELIVERY_MS = 20_000

export async function jumpClock({ engine, seed, times }: PartOptions): Promise<PartResult> {
  const random = makeRandom(seed)
  const receiver = await startReceiver()
  const environment = { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1', LOG_LEVEL: 'error' }
  const { call, clock, createBot } = await startServer(engine, { environment })
  const { botId, key } = await createBot({ dailyLimit: DAILY_LIMIT, webhookUrl: receiver.url })
  const syncKey = await createSyncKey(call, botId)
  const startedAt = clock.now
  const expiresAt = startedAt + 30 * DAY
  const ending = await createKey(call, botId, ADMIN_TOKEN, {
    name: 'ends',
    expires_at: new Date(expiresAt).toISOString(),
  })
  const problems: string[] = []
  const promisedIds = new Set<string>()
  const admittedOn = new Map<number, number>()
  const counts = { jumps: times, requests: 0 }

  async function ask(route: string, options: Parameters<typeof call>[1]) {
    const response = await call(route, options)
    counts.requests++
    const problem = response.status >= 500 ? `${route}: ${response.status}` : responseProblem(route, response)
    if (problem) problems.push(`${problem} at ${new Date(clock.now).toISOString()}`)
    return response
  }

  for (let n = 0; n < times; n++) {
    const by = random.pick(jumps) * random.pick([1, -1])
    // Within what a row can hold, however the jumps add up.
    clock.now = Math.abs(clock.now + by - startedAt) > 2000 * DAY ? startedAt : clock.now + by
    const day = Math.floor(clock.now / DAY)
    const chat = await ask('POST /api/v1/chat', { token: key, body: { bot_id: botId, message: 'What time is it?' } })
    const before = admittedOn.get(day) ?? 0
    if ((chat.status === 200) !== before < DAILY_LIMIT)
      problems.push(`${chat.status} after ${before} calls of the day of ${new Date(clock.now).toISOString()}`)
    if (chat.status === 200) {
      admittedOn.set(day, before + 1)
      promisedIds.add(chat.body.message_id)
    }
    const isOver = clock.now >= expiresAt
    const other = await ask('POST /api/v1/chat', { token: ending.key, body: { bot_id: botId, message: 'Hello' } })
    if (isOver !== (other.status === 401))
      problems.push(`a key that ${isOver ? 'has ended' : 'is valid'}: ${other.status}`)
    await ask('POST /api/chat/{botId}/message', { params: { botId }, body: { message: 'What time is it?' } })
    await ask(`GET ${MANAGE}/bots/{botId}/analytics`, { token: ADMIN_TOKEN, params: { botId } })
    const sync = await syncProducts(call, syncKey, { products: [{ id: `p${n}`, title: `Lamp ${n}` }] })
    if (sync.status !== 200) problems.push(`a sync: ${sync.status} ${sync.text}`)
  }
  // Whatever waits is due.
  const end = performance.now() + DELIVERY_MS
  const mirroredIds = () => new Set(receiver.received.map(({ json }) => json?.response?.body?.message_id))
  let unheard = [...promisedIds]
  while (unheard.length > 0 && performance.now() < end) {
    clock.now += DAY / 24
    await pause(50)
    const heardIds = mirroredIds()
    unheard = unheard.filter((id) => !heardIds.has(id))
  }
  if (unheard.length > 0) problems.push(`never told of: ${unheard.join(' ')}`)
  return { counts: { ...counts, deliveries: receiver.received.length }, problems }
}
