// Repeated `kill -9` under write load: acknowledged writes must survive the restart.

import type { ChatResponse } from '@docent/contract'
import type { EventReceiver } from '../../../server/test/harness/event-receiver.ts'
import type { ServerProcess } from '../../../server/test/harness/spawn-server.ts'
import { pause } from '../../../server/test/harness/wait.ts'

const CONNECTIONS = 6
const MAX_LOAD_MS = 300
// A receiver on a busy machine may miss two attempts, and the third comes after five minutes.
const PATIENCE_MS = 400_000

export interface KillLoop {
  kills: number
  start: () => ServerProcess
  /** Queries the database directly. */
  read: (sql: string) => Promise<Record<string, unknown>[]>
  bot: { botId: string; key: string }
  /** Mirror of the key and subscriber of the bot. */
  receiver: EventReceiver
}

export interface KillReport {
  kills: number
  acknowledged: number
  /** Calls sent, answered or not. */
  attempted: number
  /** Acknowledged messages that are gone. */
  lost: string[]
  /** Conversations whose message count is wrong. */
  torn: number
  /** Calls counted by the quota: at least the acknowledged ones, at most those sent. */
  counted: number
  /** Acknowledged messages that the mirror or subscriber never received. */
  unheard: string[]
  /** Messages delivered under more than one event id. */
  renamed: number
  deliveries: number
}

export async function killLoop(loop: KillLoop): Promise<KillReport> {
  const { kills, start, read, bot, receiver } = loop
  const acknowledgedIds: string[] = []
  let attemptCount = 0
  for (let kill = 0; kill < kills; kill++) {
    const server = start()
    const port = await server.listening
    const load = startLoad(`http://127.0.0.1:${port}`, bot, acknowledgedIds)
    await load.acknowledgedOne
    await pause(Math.random() * MAX_LOAD_MS)
    await server.kill()
    attemptCount += await load.stop()
  }
  // The restart recovers from the last kill.
  const server = start()
  await server.listening
  const storedIds = new Set((await read("SELECT id FROM messages WHERE role = 'assistant'")).map(({ id }) => id))
  const [tornRow] = await read(
    `SELECT count(*) AS n FROM conversations c WHERE message_count <>
       (SELECT count(*) FROM messages m WHERE m.bot_id = c.bot_id AND m.conversation_id = c.id)`,
  )
  const [quotaRow] = await read('SELECT sum(calls) AS n FROM quota_days')
  const unheard = await undelivered(acknowledgedIds, receiver)
  await server.stop()
  return {
    kills,
    acknowledged: acknowledgedIds.length,
    attempted: attemptCount,
    lost: acknowledgedIds.filter((id) => !storedIds.has(id)),
    torn: Number(tornRow?.n),
    counted: Number(quotaRow?.n),
    unheard,
    renamed: [receiver.mirrored, receiver.reported].flatMap((map) => [...map.values()]).filter(({ size }) => size > 1)
      .length,
    deliveries: receiver.deliveries(),
  }
}

/** Waits a while for all deliveries. */
export async function undelivered(acknowledgedIds: string[], { mirrored, reported }: EventReceiver): Promise<string[]> {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const unheard = acknowledgedIds.filter((id) => !mirrored.has(id) || !reported.has(id))
    if (unheard.length === 0 || Date.now() > end) return unheard
    await pause(50)
  }
}

function startLoad(baseUrl: string, bot: KillLoop['bot'], acknowledgedIds: string[]) {
  let running = true
  let attemptCount = 0
  const { promise: acknowledgedOne, resolve: acknowledge } = Promise.withResolvers<void>()
  async function connection() {
    let sessionId: string | undefined
    while (running) {
      attemptCount++
      const answer = await ask(baseUrl, bot, sessionId)
      if (answer === null) return
      acknowledgedIds.push(answer.message_id)
      acknowledge()
      // Some turns start a conversation, some continue one.
      sessionId = Math.random() < 0.5 ? answer.session_id : undefined
    }
  }
  const connections = Array.from({ length: CONNECTIONS }, connection)
  return {
    acknowledgedOne,
    /** Returns how many calls were sent. */
    async stop() {
      running = false
      await Promise.all(connections)
      return attemptCount
    },
  }
}

/** The complete answer; null when the server died first. */
async function ask(baseUrl: string, { botId, key }: KillLoop['bot'], sessionId: string | undefined) {
  const request = fetch(`${baseUrl}/api/v1/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ bot_id: botId, message: 'Is it kept?', session_id: sessionId }),
  })
  const response = await request.catch(() => null)
  if (response === null) return null
  const text = await response.text().catch(() => null)
  if (text === null) return null
  if (response.status !== 200) throw new Error(`a turn was refused: ${response.status} ${text}`)
  return JSON.parse(text) as ChatResponse
}
