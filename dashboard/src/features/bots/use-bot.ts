import type { Bot } from '@docent/contract'
import { useParams, useSearch } from '@tanstack/react-router'
import { useApiQuery } from '../../api.ts'
import { useSession } from '../../session.ts'

const INDEXING_MS = 3000

/** The bot in the URL: of its own screens, or the one that the inbox shows. */
export function useBotId(): string {
  const { botId } = useParams({ strict: false }) as { botId?: string }
  const { bot } = useSearch({ strict: false }) as { bot?: unknown }
  return String(botId ?? bot ?? '')
}

/** Polled while its content is indexed. */
export function useBot() {
  const botId = useBotId()
  return useApiQuery(
    'GET /api/manage/v1/bots/{botId}',
    { params: { botId } },
    {
      enabled: botId !== '',
      refetchInterval: indexingInterval,
    },
  )
}

/**
 * The workspace of the bot in the URL, which may differ from the current one for the instance owner; otherwise the
 * current one.
 */
export function useWorkspaceId(): string {
  const botId = useBotId()
  const { data: bot } = useBot()
  const { workspace_id } = useSession()
  return (botId ? bot?.workspace_id : workspace_id) ?? ''
}

export function indexingInterval(bot: unknown): number | false {
  return (bot as Bot).knowledge.status === 'indexing' ? INDEXING_MS : false
}
