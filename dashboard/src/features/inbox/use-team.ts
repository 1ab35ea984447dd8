import { useList, useRead } from '../../api.ts'
import { useSession } from '../../session.ts'

/** Who can be assigned, with their load, and the tags in use. */
export function useTeam() {
  const workspaceId = useSession().workspace_id ?? ''
  const { data } = useRead(
    'GET /api/manage/v1/workspaces/{workspaceId}/inbox',
    { params: { workspaceId } },
    { enabled: workspaceId !== '' },
  )
  return data ?? { me: '', agents: [], tags: [] }
}

export function useBotNames(): Map<string, string> {
  const { items } = useList('GET /api/manage/v1/bots', { query: { limit: 200 } })
  return new Map(items.map(({ id, name }) => [id, name]))
}
