// The session and its permissions. The server enforces them; this only hides buttons that would fail.
import type { Role, Session } from '@docent/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { apiQuery } from './api.ts'
import { currentLanguage } from './texts/texts.tsx'

const ORDER: Role[] = ['viewer', 'agent', 'editor', 'owner']

// Says in which language to send emails.
const headers = { 'accept-language': currentLanguage() }

export const sessionQuery = { ...apiQuery('GET /api/manage/v1/session', { headers }), staleTime: 60_000 }

export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data
}

export function useWorkspace(): Session['workspaces'][number] | undefined {
  const { workspaces, workspace_id } = useSession()
  return workspaces.find(({ id }) => id === workspace_id)
}

/** Whether the user has at least this role in the current workspace. */
export function useHasRole(minimum: Role): boolean {
  const { instance_owner } = useSession()
  const role = useWorkspace()?.role
  return instance_owner || (role !== undefined && ORDER.indexOf(role) >= ORDER.indexOf(minimum))
}

/** The base URL of the widget and the product sync. */
export function useWidgetBaseUrl(): string {
  return useSession().widget_base_url?.replace(/\/+$/, '') ?? location.origin
}
