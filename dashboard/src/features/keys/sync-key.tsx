import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useHasRole, useWidgetBaseUrl } from '../../session.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'

/** Its place on the API page, to which Products leads. */
const SYNC_KEY = 'sync-key'

export function SyncKey({ botId, onMade }: { botId: string; onMade: (key: string) => void }) {
  const { keys: texts } = useTexts()
  const mayEdit = useHasRole('editor')
  const [asking, setAsking] = useState(false)
  const make = useApiMutation('POST /api/manage/v1/bots/{botId}/sync-key', {
    onDone: ({ key }) => {
      setAsking(false)
      onMade(key)
    },
  })
  useEffect(() => {
    if (location.hash !== `#${SYNC_KEY}`) return
    // After the page has given its title the focus.
    const frame = requestAnimationFrame(() => document.getElementById(SYNC_KEY)?.scrollIntoView({ block: 'center' }))
    return () => cancelAnimationFrame(frame)
  }, [])
  const sample = `curl ${useWidgetBaseUrl()}/api/v1/chat/sync-products \\
  -H "X-Service-Key: $DOCENT_SYNC_KEY" \\
  -H "Content-Type: application/json" \\
  -d '[{"id": "1", "title": "Atlas jacket", "price": "129.00 EUR", "availability": "in_stock"}]'`
  return (
    <Card id={SYNC_KEY} title={texts.syncKey} about={texts.syncKeyAbout}>
      <CodeBlock text={sample} />
      {mayEdit && (
        <div>
          <Button variant="default" onClick={() => setAsking(true)}>
            {texts.createSyncKey}
          </Button>
        </div>
      )}
      <ConfirmDialog
        opened={asking}
        title={texts.createSyncKey}
        action={texts.createSyncKey}
        pending={make.isPending}
        isHarmless
        onClose={() => setAsking(false)}
        onConfirm={() => make.mutate({ params: { botId }, body: { overlap: '24h' } })}
      >
        {texts.syncKeyReplace}
      </ConfirmDialog>
    </Card>
  )
}
