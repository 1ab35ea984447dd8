// Every wait of the tests. Its limit is generous, since it costs nothing when the test passes and shared machines can
// stall for many seconds; `expect.poll` gets the same one from vitest.config.ts.
export { setTimeout as pause } from 'node:timers/promises'

import { setTimeout as pause } from 'node:timers/promises'

export const WAIT_TIMEOUT_MS = 120_000

export async function waitFor(isDone: () => boolean | Promise<boolean>, description: string): Promise<void> {
  const end = Date.now() + WAIT_TIMEOUT_MS
  while (!(await isDone())) {
    if (Date.now() > end) throw new Error(`timed out waiting for ${description}`)
    await pause(10)
  }
}
