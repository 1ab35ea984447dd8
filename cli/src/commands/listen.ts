// Forwards a bot's events to a local address. The server logs them for a webhook that sends nothing; this command reads
// the log and delivers each once, so the server never has to reach the developer's machine.
import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Delivery, LISTENER_URL } from '@docent/contract'
import { DocentConnectionError, DocentError } from '@docent/sdk'
import { type Command, OK, requireText, type Terminal, text, UsageError, wholeNumber } from '../command.ts'
import { allItems, BOT_USAGE, botOptions, type Server, serverOf } from '../server.ts'

const POLL_MS = 1000
const LONGEST_PAUSE_MS = 15_000
const FORWARD_TIMEOUT_MS = 15_000
/** Events are committed in another order than their times, by less than this. */
const LATE_MS = 60_000
const PREFIX = 'whsec_'

export const listen: Command = {
  name: 'listen',
  summary: "forward a bot's webhooks to a local address",
  usage: `--forward-to <url> --bot <id>

Forwards events as they happen, in the format and with the signature of a webhook, to an address that only this machine
reaches, until you press Ctrl-C. Each is sent once; what your endpoint responds is shown. The signing secret is printed at
the start. While it runs, the bot has a webhook "${LISTENER_URL}".

  --forward-to <url>   such as http://localhost:3000/hook
  --events <list>      only these, separated by commas; default: all
  --secret <whsec_…>   sign with this secret; default: DOCENT_WEBHOOK_SECRET, else a new one
  --stop-after <n>     end after this many events
${BOT_USAGE}`,
  options: {
    ...botOptions,
    'forward-to': { type: 'string' },
    events: { type: 'string' },
    secret: { type: 'string' },
    'stop-after': { type: 'string' },
  },

  async run(input, terminal) {
    const target = requireText(input, 'forward-to')
    if (!/^https?:\/\//.test(target) || !URL.canParse(target))
      throw new UsageError('--forward-to must be a URL, such as http://localhost:3000/hook.')
    const givenSecret = text(input, 'secret') ?? terminal.environment.DOCENT_WEBHOOK_SECRET
    const secret = givenSecret ?? newSecret()
    if (!secret.startsWith(PREFIX)) throw new UsageError(`A secret begins with ${PREFIX}.`)
    const events = text(input, 'events')?.split(/[\s,]+/)
    const most = wholeNumber(input, 'stop-after', 1) ?? Number.POSITIVE_INFINITY
    const server = serverOf(input, terminal)
    const interruption = terminal.interruption()
    const log = await openLog(server, interruption)
    terminal.say(`Forwarding to ${target}.${givenSecret ? '' : ` Signing secret: ${secret}`}`)
    const counts = { forwarded: 0, failed: 0 }
    try {
      const isOver = () => interruption.aborted || counts.forwarded + counts.failed >= most
      while (!isOver()) {
        const fresh = await reconnecting(terminal, interruption, () => log.readNew())
        for (const { id, event_id, event_type, created_at } of fresh ?? []) {
          if (isOver() || (events && !events.includes(event_type))) continue
          const body = await reconnecting(terminal, interruption, () => log.bodyOf(id))
          if (body === null) continue
          const { isOk, outcome } = await forward(target, secret, event_id, body)
          counts[isOk ? 'forwarded' : 'failed']++
          terminal.say(`${created_at}  ${event_type}  ${event_id}  → ${outcome}`)
        }
        if (!isOver()) await wait(POLL_MS, interruption)
      }
    } finally {
      await log.close()
    }
    terminal.result(givenSecret ? counts : { ...counts, secret })
    return OK
  },
}

/** The deliveries of the bot's listener, which is created if there is none, and deleted by who created it. */
async function openLog({ client, botId }: Server, interruption: AbortSignal) {
  const params = { botId }
  let isOwn = false
  let webhookId = await findOrCreate()
  /** Times by id, back to `since`: what is older is never forwarded. */
  const seenAt = new Map<string, number>()
  let since = 0
  // Another listener's events of before are not for this one.
  if (!isOwn) remember(await newest())

  function remember(deliveries: Delivery[]) {
    for (const { id, created_at } of deliveries) seenAt.set(id, Date.parse(created_at))
    since = Math.max(since, ...[...seenAt.values()].map((at) => at - LATE_MS))
    for (const [id, at] of seenAt) if (at < since) seenAt.delete(id)
  }

  async function findOrCreate(): Promise<string> {
    const listener = (await listWebhooks()).find(({ url, state }) => url === LISTENER_URL && state !== 'disabled')
    if (listener) return listener.id
    const body = { url: LISTENER_URL }
    const newListener = await client.request('POST /api/manage/v1/bots/{botId}/webhooks', { params, body })
    isOwn = true
    return newListener.id
  }

  async function isThere(): Promise<boolean> {
    return (await listWebhooks()).some(({ id }) => id === webhookId)
  }

  function listWebhooks() {
    return allItems((query) => client.request('GET /api/manage/v1/bots/{botId}/webhooks', { params, query }))
  }

  /** Newest first, as far back as something new can be. */
  async function newest(): Promise<Delivery[]> {
    const deliveries: Delivery[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { webhook_id: webhookId, limit: 100, ...(cursor === undefined ? {} : { cursor }) }
      const route = 'GET /api/manage/v1/bots/{botId}/deliveries'
      const page: { items: Delivery[]; next_cursor: string | null } = await client.request(route, {
        params,
        query,
        signal: interruption,
      })
      deliveries.push(...page.items)
      const last = page.items.at(-1)
      const first = deliveries[0]
      const oldest = since || (first ? Date.parse(first.created_at) - LATE_MS : 0)
      cursor = last && Date.parse(last.created_at) >= oldest ? page.next_cursor : null
    }
    return deliveries
  }

  return {
    /** Oldest first. */
    async readNew(): Promise<Delivery[]> {
      const deliveries = await newest()
      // Whoever created the listener may have ended and deleted it.
      if (deliveries.length === 0 && !(await isThere())) webhookId = await findOrCreate()
      const fresh = deliveries.filter(({ id, created_at }) => !seenAt.has(id) && Date.parse(created_at) >= since)
      remember(fresh)
      return fresh.toReversed()
    },
    /** Null when it is gone: erased with its visitor, say. */
    async bodyOf(deliveryId: string): Promise<string | null> {
      const route = 'GET /api/manage/v1/bots/{botId}/deliveries/{deliveryId}'
      try {
        return (await client.request(route, { params: { botId, deliveryId }, signal: interruption })).body
      } catch (error) {
        if (error instanceof DocentError && error.status === 404) return null
        throw error
      }
    },
    async close() {
      const route = 'DELETE /api/manage/v1/bots/{botId}/webhooks/{webhookId}'
      if (isOwn) await client.request(route, { params: { botId, webhookId } }).catch(() => {})
    },
  }
}

async function forward(target: string, secret: string, eventId: string, body: string) {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Docent-Webhooks/listen',
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
  try {
    const signal = AbortSignal.timeout(FORWARD_TIMEOUT_MS)
    const response = await fetch(target, { method: 'POST', headers, body, redirect: 'manual', signal })
    await response.body?.cancel()
    return { isOk: response.ok, outcome: String(response.status) }
  } catch (error) {
    const { cause, message } = error as { cause?: { code?: string }; message: string }
    return { isOk: false, outcome: cause?.code ?? message }
  }
}

/** Tries again until the server is back; null when interrupted. */
async function reconnecting<T>(
  terminal: Terminal,
  interruption: AbortSignal,
  read: () => Promise<T>,
): Promise<T | null> {
  for (let pauseMs = POLL_MS; !interruption.aborted; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await read()
    } catch (error) {
      if (interruption.aborted) break
      const isTemporary = error instanceof DocentError && (error.status >= 500 || error.status === 429)
      if (!isTemporary && !(error instanceof DocentConnectionError)) throw error
      if (pauseMs === POLL_MS) terminal.say(`The server does not respond, trying again: ${error.message}`)
      await wait(pauseMs, interruption)
    }
  }
  return null
}

async function wait(ms: number, interruption: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal: interruption }).catch(() => {})
}

function newSecret(): string {
  return PREFIX + randomBytes(32).toString('base64')
}
