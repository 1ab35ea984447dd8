// Everything that goes out to addresses users give goes through here.

import type { Network } from './addresses.ts'
import { refusedUrl } from './check-url.ts'
import { type FetchPage, pageFetcher } from './fetch-page.ts'
import { createGuard } from './guard.ts'
import { guardedAgent } from './guarded-agent.ts'
import { type Fetch, guardedFetch } from './guarded-fetch.ts'
import { guardedPost, type Post } from './guarded-post.ts'
import { hostResolver } from './resolve-host.ts'

export interface Outbound {
  /** Why a URL may not be saved, or null. */
  refusal(url: string): Promise<string | null>
  fetch: Fetch
  post: Post
  fetchPage: FetchPage
  close(): Promise<void>
}

interface OutboundOptions {
  allowedPrivateNetworks: Network[]
  dnsServers: string[]
  /** How pages are asked for. */
  userAgent?: string
}

export function openOutbound(options: OutboundOptions): Outbound {
  const { allowedPrivateNetworks, dnsServers, userAgent = 'DocentBot' } = options
  const guard = createGuard({ allowed: allowedPrivateNetworks, resolve: hostResolver(dnsServers) })
  const agent = guardedAgent(guard)
  return {
    refusal: (url) => refusedUrl(url, guard),
    fetch: guardedFetch(agent),
    post: guardedPost(agent),
    fetchPage: pageFetcher(agent, userAgent),
    close: () => agent.destroy(),
  }
}
