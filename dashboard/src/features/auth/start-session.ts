import type { Session } from '@docent/contract'
import { queryClient } from '../../api.ts'
import { sessionQuery } from '../../session.ts'

/** The page to open after login: only pages of this site, whatever the URL contains. */
export function redirectTarget(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? ''
  if (!next.startsWith('/') || !URL.canParse(next, location.origin)) return '/'
  const url = new URL(next, location.origin)
  // A path like "//example.com", which "/.//example.com" resolves to, would lead to another site.
  const isSameSite = url.origin === location.origin && !url.pathname.startsWith('//')
  return isSameSite ? url.pathname + url.search + url.hash : '/'
}

/** Clears the cache, so that no data of a previous user remains. */
export function startSession(session: Session, place = '/') {
  queryClient.clear()
  queryClient.setQueryData(sessionQuery.queryKey, session)
  location.replace(place)
}
