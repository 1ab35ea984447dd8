import { useEffect, useRef } from 'react'
import { isUnreachable } from '../client.ts'
import { pause, serverAnswers } from './load-screen.ts'

/** Retries once the server answers again, if it could not be reached. Returns whether it waits for that. */
export function useRetry(error: unknown, retry: (() => void) | undefined): boolean {
  const isWaiting = retry !== undefined && isUnreachable(error)
  const latestRetry = useRef(retry)
  latestRetry.current = retry
  useEffect(() => {
    if (!isWaiting) return
    const end = new AbortController()
    // At first a pause: a server that answers, but not this, is not asked without end.
    void pause()
      .then(() => serverAnswers({ signal: end.signal }))
      .then(() => end.signal.aborted || latestRetry.current?.())
    return () => end.abort()
    // Each failure is an error of its own.
  }, [isWaiting, error])
  return isWaiting
}
