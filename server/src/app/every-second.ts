// Work that is done again and again in the background, one round at a time.

export interface Repetition {
  /** Begins a round at once, unless one is under way. */
  now(): void
  /** Waits for the one under way. */
  stop(): Promise<void>
}

export function everySecond(work: () => Promise<void>, onError: (error: unknown) => void): Repetition {
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
