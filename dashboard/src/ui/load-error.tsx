import { Button } from '@mantine/core'
import { explainError } from '../text/explain-error.ts'
import { useTexts } from '../texts/texts.tsx'
import { Notice } from './notice.tsx'

export function LoadError({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const texts = useTexts()
  return (
    <div className="stack">
      <Notice tone="bad" title={texts.errors.title}>
        {explainError(error, texts)}
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
