import type { Availability } from '@docent/contract'
import { SCREENS } from '@docent/contract/screens'
import { Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { apiQuery, queryClient, useApiMutation, useApiQuery } from '../../api.ts'
import { useHasRole } from '../../session.ts'
import { Icon } from '../../ui/icon.tsx'
import { useWorkspaceId } from '../bots/use-bot.ts'
import { texts } from '../inbox/queue-texts.ts'
import { INSTANCE_OWNER, useTeam } from '../inbox/use-team.ts'

const ROUTE = '/api/manage/v1/workspaces/{workspaceId}/availability'

/** In the account menu: whether the user takes conversations now. */
export function AvailabilityItems() {
  const { isAgent, availability, set } = useAvailability()
  if (!isAgent) return null
  return (
    <>
      <Menu.Label>{texts.availability}</Menu.Label>
      {(['online', 'away'] as const).map((status) => (
        <Menu.Item
          key={status}
          {...(availability?.status === status ? { 'aria-current': true } : {})}
          leftSection={
            availability?.status === status ? <Icon name="check" size={16} /> : <span className="unticked" />
          }
          disabled={!availability}
          closeMenuOnClick={false}
          onClick={() => set({ status })}
        >
          {texts[status]}
        </Menu.Item>
      ))}
      <Menu.Item component={Link} to={SCREENS.account} leftSection={<Icon name="snooze" size={16} />}>
        {texts.workingHours}
      </Menu.Item>
    </>
  )
}

/** Before the name of the workspace, so that nobody forgets it. */
export function AwayMark() {
  const { availability } = useAvailability()
  return availability?.status === 'away' && `${texts.away} · `
}

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
