/** Caches a result for a while. Concurrent callers share one call; failures are not cached. */
export function cacheResult<T>(ask: () => Promise<T>, forMs: number): () => Promise<T> {
  let answer: Promise<T> | undefined
  let askedAt = 0
  return () => {
    if (!answer || performance.now() - askedAt >= forMs) {
      askedAt = performance.now()
      answer = ask()
      answer.catch(() => {
        answer = undefined
      })
    }
    return answer
  }
}
