import { Button } from '@mantine/core'
import { useMessages } from '../messages/messages.tsx'
import { explainError } from '../text/explain-error.ts'
import { Notice } from './notice.tsx'

export function LoadError({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const messages = useMessages()
  return (
    <div className="stack">
      <Notice tone="bad" title={messages.errors.title}>
        {explainError(error, messages)}
      </Notice>
      {onRetry && (
        <div>
          <Button variant="default" onClick={onRetry}>
            {messages.general.retry}
          </Button>
        </div>
      )}
    </div>
  )
}
