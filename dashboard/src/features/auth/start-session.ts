import type { Session } from '@docent/contract'
import { queryClient } from '../../api.ts'
import { sessionQuery } from '../../session.ts'

/** Where to go after a log-in: only places of this site, whatever the address says. */
export function redirectTarget(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? ''
  if (!next.startsWith('/') || !URL.canParse(next, location.origin)) return '/bots'
  const url = new URL(next, location.origin)
  // A path "//elsewhere", which may come of "/.//elsewhere", would be a site of its own.
  const isOurs = url.origin === location.origin && !url.pathname.startsWith('//')
  return isOurs ? url.pathname + url.search + url.hash : '/bots'
}

/** Nothing of an earlier person stays in memory. */
export function startSession(session: Session, place = '/bots') {
  queryClient.clear()
  queryClient.setQueryData(sessionQuery.queryKey, session)
  location.replace(place)
}
