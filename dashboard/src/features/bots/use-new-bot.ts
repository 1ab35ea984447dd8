import type { Bot } from '@docent/contract'
import { useEffect, useState } from 'react'
import { useApiList, useApiQuery } from '../../api.ts'
import { crawlPollInterval, isCrawlRunning } from '../websites/crawl-state.tsx'
import { indexingInterval } from './use-bot.ts'

const POLL_MS = 1500

/** A bot and its crawls, polled until everything is indexed. */
export function useNewBot(botId: string) {
  const params = { botId }
  const enabled = botId !== ''
  const crawls = useApiList(
    'GET /api/manage/v1/bots/{botId}/crawls',
    { params },
    { enabled, refetchInterval: crawlPollInterval },
  )
  const isCrawling = crawls.items.some(isCrawlRunning)
  const botQuery = useApiQuery(
    'GET /api/manage/v1/bots/{botId}',
    { params },
    { enabled, refetchInterval: (bot) => (isCrawling || isBlank(bot as Bot) ? POLL_MS : indexingInterval(bot)) },
  )
  // A bot can be ready between two pages of a crawl, so only data loaded after the crawls ended counts.
  const [isStale, setStale] = useState(false)
  useEffect(() => {
    if (isCrawling) return setStale(true)
    if (!isStale) return
    let isOver = false
    void botQuery.refetch().then(() => isOver || setStale(false))
    return () => {
      isOver = true
    }
  }, [isCrawling])
  return { botQuery, crawls, isCrawling: isCrawling || isStale }
}

function isBlank({ knowledge: { documents, products } }: Bot): boolean {
  return documents + products === 0
}
