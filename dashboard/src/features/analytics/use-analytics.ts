import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { readQuery } from '../../api.ts'
import { type Period, periodBefore } from './period.ts'

/** The figures of a period and of the one before. The old data stays while new data loads. */
export function useAnalytics(botId: string, period: Period) {
  const of = ({ from, to, timezone, interval }: Period) => ({
    ...readQuery('GET /api/manage/v1/bots/{botId}/analytics', {
      params: { botId },
      query: { from, to, timezone, interval },
    }),
    placeholderData: keepPreviousData,
  })
  return { now: useQuery(of(period)), before: useQuery(of(periodBefore(period))) }
}
