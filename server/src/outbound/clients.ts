// Everything that needs the HTTP client, in one place: the first call loads it.
import { createFetchPage } from './fetch-page.ts'
import type { Guard } from './guard.ts'
import { createGuardedAgent } from './guarded-agent.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import { createGuardedPost } from './guarded-post.ts'

export type Clients = ReturnType<typeof createClients>

export function createClients(guard: Guard, userAgent: string) {
  const agent = createGuardedAgent(guard)
  return {
    fetch: createGuardedFetch(agent),
    post: createGuardedPost(agent),
    fetchPage: createFetchPage(agent, userAgent),
    close: () => agent.destroy(),
  }
}
