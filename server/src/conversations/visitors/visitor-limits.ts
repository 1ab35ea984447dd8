// How much one visitor may write, and how many conversations one network may start.
import { networkOf } from '../../access/network-of.ts'
import type { CountWithin } from '../../access/rate-limits.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

interface Deps {
  countWithin: CountWithin
  limits: { messagesPerMinute: number; sessionsPerHour: number }
}

export type VisitorLimits = ReturnType<typeof createVisitorLimits>

export function createVisitorLimits({ countWithin, limits }: Deps) {
  return {
    async countMessage(botId: string, sessionId: string | null | undefined) {
      if (!sessionId) return
      const limit = { calls: limits.messagesPerMinute, lengthMs: MINUTE_MS }
      await countWithin([{ name: `session ${botId} ${sessionId}`, limit }])
    },

    countSession: (ip: string) =>
      countWithin([{ name: `sessions ${networkOf(ip)}`, limit: { calls: limits.sessionsPerHour, lengthMs: HOUR_MS } }]),
  }
}
