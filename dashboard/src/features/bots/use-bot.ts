import { useParams } from '@tanstack/react-router'
import { useRead } from '../../api.ts'

const INDEXING_MS = 3000

/** The bot of the address. */
export function useBotId(): string {
  const { botId } = useParams({ strict: false }) as { botId?: string }
  return botId ?? ''
}

/** Looked at again and again while its knowledge is being taken in. */
export function useBot() {
  const botId = useBotId()
  return useRead(
    'GET /api/manage/v1/bots/{botId}',
    { params: { botId } },
    {
      enabled: botId !== '',
      every: whileIndexing,
    },
  )
}

export function whileIndexing(bot: unknown): number | false {
  return (bot as { knowledge: { status: string } }).knowledge.status === 'indexing' ? INDEXING_MS : false
}
