import type { AnalyticsInterval } from '@docent/contract'
import { useRead } from '../../api.ts'

const DAY_MS = 86_400_000

export const ranges = {
  week: { days: 7, interval: 'day' },
  month: { days: 30, interval: 'day' },
  quarter: { days: 90, interval: 'week' },
  year: { days: 365, interval: 'month' },
} as const satisfies Record<string, { days: number; interval: AnalyticsInterval }>
export type Range = keyof typeof ranges

/** The figures of the last days, and of as many days before. */
export function useAnalytics(botId: string, range: Range) {
  const { days, interval } = ranges[range]
  const query = { from: dayBefore(days - 1), to: dayBefore(0), interval }
  const earlier = { from: dayBefore(2 * days - 1), to: dayBefore(days), interval: 'month' as const }
  const route = 'GET /api/manage/v1/bots/{botId}/analytics'
  return {
    now: useRead(route, { params: { botId }, query }),
    before: useRead(route, { params: { botId }, query: earlier }),
  }
}

function dayBefore(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
}
