import { useApiList, useApiQuery } from '../../api.ts'
import { useWorkspaceId } from '../bots/use-bot.ts'

/** Stands for an instance owner who is no member of the workspace. */
export const INSTANCE_OWNER = 'instance_owner'

/** The agents with their load, and the tags in use. */
export function useTeam() {
  const workspaceId = useWorkspaceId()
  const { data } = useApiQuery(
    'GET /api/manage/v1/workspaces/{workspaceId}/inbox',
    { params: { workspaceId } },
    { enabled: workspaceId !== '' },
  )
  // A node of the previous version sends fewer fields during an upgrade.
  return { me: '', agents: [], members: [], unread_mentions: 0, tags: [], ...data }
}

export function pictureUrl(workspaceId: string, avatar: string): string {
  return `/api/manage/v1/workspaces/${workspaceId}/avatars/${avatar}`
}

/** The URL of an agent's picture. */
export function useAgentPictures(): (id: string) => string | null {
  const workspaceId = useWorkspaceId()
  const { agents } = useTeam()
  return (id) => {
    const avatar = agents.find((agent) => agent.id === id)?.avatar
    return avatar ? pictureUrl(workspaceId, avatar) : null
  }
}

/** Whether the bot has a language model that may read what visitors write. */
export function useHasModel(botId: string): boolean {
  const { data: bot } = useApiQuery('GET /api/manage/v1/bots/{botId}', { params: { botId } })
  return bot?.language_model?.writes_answers ?? false
}

export function useBotNames(): Map<string, string> {
  const { items } = useApiList('GET /api/manage/v1/bots', { query: { limit: 200 } })
  return new Map(items.map(({ id, name }) => [id, name]))
}
