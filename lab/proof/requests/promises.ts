// What the service promises to the letter: calls over the quota are mirrored with their request, preflights of a bot pass
// for its own sites only, and 4,000 characters fit, however they are escaped.

import { routes } from '@docent/contract'
import type { Call } from '../../../server/test/harness/call.ts'
import { startReceiver } from '../../../server/test/harness/external/receiver.ts'
import { MANAGE } from '../../../server/test/harness/people.ts'
import { ADMIN_TOKEN, startServer } from '../../../server/test/harness/start-server.ts'
import { waitFor } from '../../../server/test/harness/wait.ts'
import type { PartOptions, PartResult } from '../part.ts'
import { makeRandom, type Random } from './random.ts'

const MINUTE_MS = 60_000
/** More of them in a minute are only counted. */
const MIRRORED_PER_MINUTE = 100
const LONGEST = 4000
const OURS = 'https://docent.test'
const token = ADMIN_TOKEN
const characters = [...'a Z9."\\/é\u00a0ß\u0301你あ한ш\u202e\u2028🙂𝄞👩']
const SITES = ['https://shop.test', 'https://www.shop.test', 'http://localhost:3000', 'https://xn--bcher-kva.test']
const others = [
  ...['https://evil.test', 'https://shop.test.evil.test', 'http://shop.test', 'https://shop.test:8443', 'null', 'x'],
  ...['https://evilshop.test', 'https://shop.tes', 'https://sub.shop.test', 'file://', 'https://shop.test/'],
]
const widgetRoutes = Object.entries(routes).flatMap(([name, { caller }]) =>
  caller === 'widget' || caller === 'visitor' ? [name] : [],
)

export async function keepPromises({ engine, seed, times }: PartOptions): Promise<PartResult> {
  const random = makeRandom(seed)
  const receiver = await startReceiver()
  const environment = {
    ALLOWED_PRIVATE_NETWORKS: '127.0.0.1',
    WIDGET_REQUESTS_PER_MINUTE: '10000000',
    LOG_LEVEL: 'error',
    WIDGET_SESSIONS_PER_HOUR: '10000000',
    WIDGET_MESSAGES_PER_MINUTE: '1000000',
  }
  const { call, baseUrl, createBot, clock } = await startServer(engine, { environment })
  const over = await createBot({ dailyLimit: 0 })
  const params = { botId: over.botId, keyId: over.keyId }
  await call(`PATCH ${MANAGE}/bots/{botId}/keys/{keyId}`, { token, params, body: { webhook_url: receiver.url } })
  const { botId } = await createBot()
  const problems: string[] = []
  const counts = { 'mirrored refusals': 0, preflights: 0, 'escaped messages': 0 }
  let allowedOrigins: string[] = []

  for (let n = 0; n < times; n++) {
    if (n % MIRRORED_PER_MINUTE === 0) {
      clock.now += MINUTE_MS
      allowedOrigins = SITES.filter(() => random.chance(0.4))
      const body = { allowed_origins: allowedOrigins }
      await call(`PATCH ${MANAGE}/bots/{botId}`, { token, params: { botId }, body })
    }
    const status = await refusedCall(call, over.botId, over.key, n, random)
    if (status === 429) counts['mirrored refusals']++
    else problems.push(`a call over the quota: ${status}`)
    problems.push(...(await preflightProblems(baseUrl, botId, allowedOrigins, random)))
    counts.preflights++
    problems.push(...(await lengthProblems(call, over.botId, random)))
    counts['escaped messages']++
  }
  await waitFor(() => receiver.received.length >= counts['mirrored refusals'], 'the mirrored refusals').catch(() => {})
  const mirroredMessages = new Set(
    receiver.received.flatMap(({ json }) => /^number \d+/.exec(json?.request?.message) ?? []),
  )
  for (let n = 0; n < times; n++)
    if (!mirroredMessages.has(`number ${n}`)) problems.push(`call ${n} is not mirrored as it was sent`)
  return { counts, problems }
}

async function refusedCall(call: Call, bot_id: string, key: string, n: number, random: Random): Promise<number> {
  const message = `number ${n} ${text(random, random.below(50))}`
  if (random.chance(0.5)) return (await call('POST /api/v1/chat', { token: key, body: { bot_id, message } })).status
  const messages = [
    ...(random.chance(0.5) ? [{ role: 'system', content: 'Be brief' }] : []),
    { role: 'user', content: random.chance(0.5) ? message : [{ type: 'text', text: message }] },
  ]
  return (await call('POST /v1/chat/completions', { token: key, body: { model: bot_id, messages } })).status
}

async function preflightProblems(baseUrl: string, botId: string, allowedOrigins: string[], random: Random) {
  const origin = random.pick([...SITES, ...others, OURS])
  const [method = '', path = ''] = random.pick(widgetRoutes).split(' ')
  const headers = { origin, 'access-control-request-method': method }
  const url = baseUrl + path.replace('{botId}', botId).replace(/\{\w+\}/g, 'x')
  const response = await fetch(url, { method: 'OPTIONS', headers })
  await response.arrayBuffer()
  const admittedOrigin = response.headers.get('access-control-allow-origin')
  const expectedOrigin =
    allowedOrigins.length === 0 ? '*' : allowedOrigins.includes(origin) || origin === OURS ? origin : null
  const isRight = admittedOrigin === expectedOrigin && response.status === (expectedOrigin === null ? 403 : 204)
  return isRight
    ? []
    : [`preflight of ${path} from ${origin}, allowed ${allowedOrigins}: ${response.status} ${admittedOrigin}`]
}

async function lengthProblems(call: Call, botId: string, random: Random): Promise<string[]> {
  const isOver = random.chance(0.2)
  const message = `a${text(random, LONGEST - 2 + Number(isOver))}z`
  const share = random.pick([0, 0.5, 1])
  const raw = `{"message":${escaped(message, (character) => share === 1 || random.chance(share) || /["\\]/.test(character))}}`
  const { status } = await call('POST /api/chat/{botId}/message', { params: { botId }, raw })
  return status === (isOver ? 400 : 200) ? [] : [`${[...message].length} characters, ${raw.length} bytes: ${status}`]
}

/** Of so many characters. */
function text(random: Random, length: number): string {
  return Array.from({ length }, () => random.pick(characters)).join('')
}

/** As clients write it that send ASCII only. */
function escaped(message: string, isEscaped: (character: string) => boolean): string {
  const units = (character: string) => Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  const asEscape = (unit: number) => `\\u${unit.toString(16).padStart(4, '0')}`
  const letters = [...message].map((one) => (isEscaped(one) ? units(one).map(asEscape).join('') : one))
  return `"${letters.join('')}"`
}
