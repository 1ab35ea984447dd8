import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api.ts'
import { type Period, previousPeriod } from './period.ts'

const MAX_PAGES = 500
const MAX_TOPICS = 300

export function topicsQuery(botId: string, { from, to, timezone }: Pick<Period, 'from' | 'to' | 'timezone'>) {
  return apiQuery('GET /api/manage/v1/bots/{botId}/analytics/topics', {
    params: { botId },
    query: { from, to, timezone },
  })
}

/** All topics: the screen shows the most frequent ones. */
export function allTopicsQuery(botId: string, { from, to, timezone }: Pick<Period, 'from' | 'to' | 'timezone'>) {
  const query = { from, to, timezone, top: MAX_TOPICS }
  return apiQuery('GET /api/manage/v1/bots/{botId}/analytics/topics', { params: { botId }, query })
}

/** More pages than the screen shows. */
export function pagesQuery(botId: string, { from, to, timezone }: Pick<Period, 'from' | 'to' | 'timezone'>) {
  const query = { from, to, timezone, interval: 'month', top: MAX_PAGES } as const
  return apiQuery('GET /api/manage/v1/bots/{botId}/analytics', { params: { botId }, query })
}

/** The figures of a period and of the one before. The old data stays while new data loads. */
export function useAnalytics(botId: string, period: Period) {
  const queryFor = ({ from, to, timezone, interval }: Period) => ({
    ...apiQuery('GET /api/manage/v1/bots/{botId}/analytics', {
      params: { botId },
      query: { from, to, timezone, interval },
    }),
    placeholderData: keepPreviousData,
  })
  return { now: useQuery(queryFor(period)), before: useQuery(queryFor(previousPeriod(period))) }
}
