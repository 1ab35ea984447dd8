// Work that is done again and again in the background, one round at a time.

/** Tells how to stop it, which waits for the one under way. */
export function everySecond(work: () => Promise<void>, onError: (error: unknown) => void): () => Promise<void> {
  let underWay: Promise<void> | null = null
  const timer = setInterval(() => {
    underWay ??= work()
      .catch(onError)
      .finally(() => {
        underWay = null
      })
  }, 1000)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await underWay
  }
}
