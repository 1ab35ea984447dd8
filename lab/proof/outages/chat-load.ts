// Chats on several connections and nodes until they are told to stop, with what was acknowledged and what was refused.

import type { Call } from '../../../server/test/harness/call.ts'
import { pause } from '../../../server/test/harness/wait.ts'

const CONNECTIONS = 3
/** Pause after a refusal, like a well-behaved client. */
const RETRY_MS = 50

export function startChats(calls: Call[], { botId, key }: { botId: string; key: string }) {
  const acknowledgedIds: string[] = []
  const statuses = new Map<number, number>()
  /** Responses that are neither an answer nor a refusal. */
  const unexpectedResponses: string[] = []
  let attemptCount = 0
  let running = true

  async function connection(call: Call) {
    while (running) {
      attemptCount++
      const body = { bot_id: botId, message: 'Is it kept?' }
      const response = await call('POST /api/v1/chat', { token: key, body }).catch(() => null)
      const status = response?.status ?? 0
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (response?.status === 200) acknowledgedIds.push(response.body.message_id)
      else if (status !== 0 && status !== 503) unexpectedResponses.push(`${status} ${response?.text}`)
      if (status !== 200) await pause(RETRY_MS)
    }
  }
  const connections = calls.flatMap((call) => Array.from({ length: CONNECTIONS }, () => connection(call)))
  return {
    acknowledged: acknowledgedIds,
    statuses,
    unexpected: unexpectedResponses,
    attempted: () => attemptCount,
    async stop() {
      running = false
      await Promise.all(connections)
    },
  }
}

/** Waits for one more acknowledged call; false when none comes. */
export async function answersAgain(acknowledgedIds: string[], timeoutMs: number): Promise<boolean> {
  const before = acknowledgedIds.length
  const end = performance.now() + timeoutMs
  while (acknowledgedIds.length === before) {
    if (performance.now() > end) return false
    await pause(20)
  }
  return true
}
