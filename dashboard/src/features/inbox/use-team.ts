import { useApiList, useApiQuery } from '../../api.ts'
import { useWorkspaceId } from '../bots/use-bot.ts'

/** The agents with their load, and the tags in use. */
export function useTeam() {
  const workspaceId = useWorkspaceId()
  const { data } = useApiQuery(
    'GET /api/manage/v1/workspaces/{workspaceId}/inbox',
    { params: { workspaceId } },
    { enabled: workspaceId !== '' },
  )
  return data ?? { me: '', agents: [], tags: [] }
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

export function useBotNames(): Map<string, string> {
  const { items } = useApiList('GET /api/manage/v1/bots', { query: { limit: 200 } })
  return new Map(items.map(({ id, name }) => [id, name]))
}
