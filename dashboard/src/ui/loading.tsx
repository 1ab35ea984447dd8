import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { isUnreachable } from '../client.ts'
import { pause, serverAnswers } from '../shell/load-screen.ts'
import { explainError } from '../text/explain-error.ts'
import { useTexts } from '../texts/texts.tsx'
import { Notice } from './notice.tsx'

const LINES = ['a', 'b', 'c', 'd', 'e', 'f']

export function LoadingRows({ count = 4 }: { count?: number }) {
  const { general } = useTexts()
  return (
    <div className="loading" role="status">
      <span className="unseen">{general.loading}</span>
      {LINES.slice(0, count).map((line) => (
        <div key={line} />
      ))}
    </div>
  )
}

export function LoadError({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const texts = useTexts()
  const isWaiting = useRetry(error, onRetry)
  return (
    <div className="stack">
      <Notice tone="bad" title={texts.errors.title}>
        {isWaiting ? texts.errors.waiting : explainError(error, texts)}
      </Notice>
      {onRetry && (
        <div>
          <Button variant="default" onClick={onRetry}>
            {texts.general.retry}
          </Button>
        </div>
      )}
    </div>
  )
}

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
