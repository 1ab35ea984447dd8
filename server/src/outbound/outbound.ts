// All calls to user-given URLs go through here.

import type { Clients, Fetch } from './clients.ts'
import type { FetchPage } from './fetch-page.ts'
import { makeGuard, makeResolveHost, type Network, urlProblem } from './guard.ts'
import type { Post } from './post.ts'

/** Why a URL may not be saved, or null. `carriesKey`: a secret of a third party is sent to it. */
export type UrlProblem = (url: string, options?: { carriesKey: boolean }) => Promise<string | null>

export interface Outbound {
  urlProblem: UrlProblem
  fetch: Fetch
  post: Post
  fetchPage: FetchPage
  close(): Promise<void>
}

interface OutboundOptions {
  allowedPrivateNetworks: Network[]
  dnsServers: string[]
  /** The User-Agent for fetching pages. */
  userAgent?: string
}

export function openOutbound(options: OutboundOptions): Outbound {
  const { allowedPrivateNetworks, dnsServers, userAgent = 'DocentBot' } = options
  const guard = makeGuard({ allowed: allowedPrivateNetworks, resolve: makeResolveHost(dnsServers) })
  let opening: Promise<Clients> | undefined
  const load = async () => (await import('./clients.ts')).makeClients(guard, userAgent)
  // The HTTP client takes 25 MB, and many instances never make a call.
  const open = () => {
    opening ??= load().catch((error) => {
      // The next call tries again.
      opening = undefined
      throw error
    })
    return opening
  }
  return {
    urlProblem: (url, options) => urlProblem(url, guard, options),
    fetch: async (...call) => (await open()).fetch(...call),
    post: async (...call) => (await open()).post(...call),
    fetchPage: async (...call) => (await open()).fetchPage(...call),
    close: async () => (await opening)?.close(),
  }
}
