// Every wait of the tests. Its limit is generous, since it costs nothing when the test passes and shared machines can
// stall for many seconds; `expect.poll` gets the same one from vitest.config.ts.
export { setTimeout as pause } from 'node:timers/promises'

import { setTimeout as pause } from 'node:timers/promises'

export const WAIT_TIMEOUT_MS = 120_000
const SHORTEST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 100

export async function waitFor(isDone: () => boolean | Promise<boolean>, description: string): Promise<void> {
  const start = Date.now()
  while (!(await isDone())) {
    const waitedMs = Date.now() - start
    if (waitedMs > WAIT_TIMEOUT_MS) throw new Error(`timed out waiting for ${description}`)
    // Most checks are requests: asking often what takes long would slow down what is waited for.
    await pause(Math.min(Math.max(waitedMs / 10, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS))
  }
}
