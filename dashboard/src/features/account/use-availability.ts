import type { Availability } from '@docent/contract'
import { apiQuery, queryClient, useApiMutation, useApiQuery } from '../../api.ts'
import { useHasRole } from '../../session.ts'
import { useWorkspaceId } from '../bots/use-bot.ts'
import { INSTANCE_OWNER, useTeam } from '../inbox/use-team.ts'

const ROUTE = '/api/manage/v1/workspaces/{workspaceId}/availability'

/** The user's own availability in the current workspace. */
export function useAvailability({ done, onDone }: { done?: string; onDone?: () => void } = {}) {
  const params = { workspaceId: useWorkspaceId() }
  const { me } = useTeam()
  const isAgent = useHasRole('agent') && me !== INSTANCE_OWNER
  const { data } = useApiQuery(`GET ${ROUTE}`, { params }, { enabled: isAgent && me !== '' })
  const change = useApiMutation(`PUT ${ROUTE}`, {
    ...(done ? { done } : {}),
    onDone: (availability) => {
      queryClient.setQueryData(apiQuery(`GET ${ROUTE}`, { params }).queryKey, availability)
      onDone?.()
    },
  })
  return {
    isAgent,
    /** Null while it loads. */
    availability: data ?? null,
    isPending: change.isPending,
    error: change.error,
    set: (part: Partial<Availability>) => change.mutate({ params, body: part }),
    reset: change.reset,
  }
}
