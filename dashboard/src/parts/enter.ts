import type { Session } from '@docent/contract'
import { queryClient } from '../api.ts'
import { sessionQuery } from '../session.ts'

/** Where to go after a log-in: only places of this site, whatever the address says. */
export function nextPlace(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? ''
  if (!next.startsWith('/') || !URL.canParse(next, location.origin)) return '/bots'
  const url = new URL(next, location.origin)
  // Whole: the path alone may be "//elsewhere", which is a site of its own.
  return url.origin === location.origin ? url.href : '/bots'
}

/** Nothing of an earlier person stays in memory. */
export function enter(session: Session, place = '/bots') {
  queryClient.clear()
  queryClient.setQueryData(sessionQuery.queryKey, session)
  location.replace(place)
}
