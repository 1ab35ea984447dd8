// Parts of the running server. They start in order and stop in reverse, so that each stops before its dependencies.

export interface Part {
  start?(): Promise<void> | void
  stop?(): Promise<void>
}

export async function startAll(parts: readonly Part[]): Promise<void> {
  for (const part of parts) await part.start?.()
}

export async function stopAll(parts: readonly Part[]): Promise<void> {
  for (const part of parts.toReversed()) await part.stop?.()
}

interface RepeatedWork {
  start(): void
  /** Waits for the round in progress. */
  stop(): Promise<void>
  /** Starts a round at once, unless one is running or the work has not been started. */
  now(): void
}

/** Background work, one round at a time; `last` runs once at the end. */
export function repeatEverySecond(
  work: () => Promise<void>,
  onError: (error: unknown) => void,
  last: () => Promise<void> = async () => {},
): RepeatedWork {
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> | null = null

  function now() {
    if (timer === undefined) return
    round ??= work()
      .catch(onError)
      .finally(() => {
        round = null
      })
  }

  return {
    now,
    start() {
      timer = setInterval(now, 1000).unref()
    },
    async stop() {
      clearInterval(timer)
      timer = undefined
      await round
      await last().catch(onError)
    },
  }
}
