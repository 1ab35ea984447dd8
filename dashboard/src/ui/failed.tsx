import { Button } from '@mantine/core'
import { useMessages } from '../messages/messages.tsx'
import { explain } from '../text/explain.ts'
import { Notice } from './notice.tsx'

export function Failed({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const messages = useMessages()
  return (
    <div className="stack">
      <Notice tone="bad" title={messages.errors.title}>
        {explain(error, messages)}
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
