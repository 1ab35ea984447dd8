// `fetch` over guarded connections, for libraries that accept a custom fetch.
import { type Agent, type RequestInit, fetch as undiciFetch } from 'undici'
import { parseUrl } from './check-url.ts'

export type Fetch = typeof globalThis.fetch

/** Follows no redirects; the caller handles them. */
export function createGuardedFetch(agent: Agent): Fetch {
  return async (input, init) => {
    const url = parseUrl(input instanceof Request ? input.url : String(input))
    const redirect = init?.redirect === 'error' ? 'error' : 'manual'
    const response = await undiciFetch(url, { ...(init as RequestInit), redirect, dispatcher: agent })
    return response as unknown as Response
  }
}
