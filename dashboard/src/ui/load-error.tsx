import { Button } from '@mantine/core'
import { useRetry } from '../shell/use-retry.ts'
import { explainError } from '../text/explain-error.ts'
import { useTexts } from '../texts/texts.tsx'
import { Notice } from './notice.tsx'

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
