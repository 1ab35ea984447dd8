import type { Session } from '@docent/contract'
import { queryClient } from '../api.ts'
import { sessionQuery } from '../session.ts'

/** Where to go after a log-in: only places of this site, whatever the address says. */
export function nextPlace(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? ''
  if (!next.startsWith('/')) return '/bots'
  const url = new URL(next, location.origin)
  return url.origin === location.origin ? url.pathname + url.search + url.hash : '/bots'
}

/** Nothing of an earlier person stays in memory. */
export function enter(session: Session, place = '/bots') {
  queryClient.clear()
  queryClient.setQueryData(sessionQuery.queryKey, session)
  location.replace(place)
}
