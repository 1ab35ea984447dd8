// Repeated background work, one round at a time.

export interface RepeatedTask {
  /** Starts a round at once, unless one is running. */
  now(): void
  /** Waits for the round in progress. */
  stop(): Promise<void>
}

export function runEverySecond(work: () => Promise<void>, onError: (error: unknown) => void): RepeatedTask {
  let underWay: Promise<void> | null = null
  function now() {
    underWay ??= work()
      .catch(onError)
      .finally(() => {
        underWay = null
      })
  }
  const timer = setInterval(now, 1000)
  timer.unref()
  return {
    now,
    async stop() {
      clearInterval(timer)
      await underWay
    },
  }
}
