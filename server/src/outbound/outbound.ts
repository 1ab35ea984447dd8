// Everything that goes out to addresses users give goes through here.

import type { Network } from './addresses.ts'
import { refusedUrl } from './check-url.ts'
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
  close(): Promise<void>
}

export function openOutbound(config: { allowedPrivateNetworks: Network[]; dnsServers: string[] }): Outbound {
  const guard = createGuard({ allowed: config.allowedPrivateNetworks, resolve: hostResolver(config.dnsServers) })
  const agent = guardedAgent(guard)
  return {
    refusal: (url) => refusedUrl(url, guard),
    fetch: guardedFetch(agent),
    post: guardedPost(agent),
    close: () => agent.destroy(),
  }
}
