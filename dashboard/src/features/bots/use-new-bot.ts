import type { Bot } from '@docent/contract'
import { useEffect, useState } from 'react'
import { useList, useRead } from '../../api.ts'
import { isUnderWay, whileUnderWay } from '../websites/crawl-state.tsx'
import { whileIndexing } from './use-bot.ts'

const LOOK_AGAIN_MS = 1500

/** A bot and its crawls, polled until everything is indexed. */
export function useNewBot(botId: string) {
  const params = { botId }
  const enabled = botId !== ''
  const crawls = useList('GET /api/manage/v1/bots/{botId}/crawls', { params }, { enabled, every: whileUnderWay })
  const isCrawling = crawls.items.some(isUnderWay)
  const read = useRead(
    'GET /api/manage/v1/bots/{botId}',
    { params },
    { enabled, every: (bot) => (isCrawling || isBlank(bot as Bot) ? LOOK_AGAIN_MS : whileIndexing(bot)) },
  )
  // A bot can be ready between two pages of a crawl, so only data loaded after the crawls ended counts.
  const [isBehind, setBehind] = useState(false)
  useEffect(() => {
    if (isCrawling) return setBehind(true)
    if (!isBehind) return
    let isOver = false
    void read.refetch().then(() => isOver || setBehind(false))
    return () => {
      isOver = true
    }
  }, [isCrawling])
  return { read, crawls, isCrawling: isCrawling || isBehind }
}

function isBlank({ knowledge: { documents, products } }: Bot): boolean {
  return documents + products === 0
}
