// What calls: the only files that need the HTTP client, so that it is loaded by the first call.
import { pageFetcher } from './fetch-page.ts'
import type { Guard } from './guard.ts'
import { guardedAgent } from './guarded-agent.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { guardedPost } from './guarded-post.ts'

export type WayOut = ReturnType<typeof wayOut>

export function wayOut(guard: Guard, userAgent: string) {
  const agent = guardedAgent(guard)
  return {
    fetch: guardedFetch(agent),
    post: guardedPost(agent),
    fetchPage: pageFetcher(agent, userAgent),
    close: () => agent.destroy(),
  }
}
