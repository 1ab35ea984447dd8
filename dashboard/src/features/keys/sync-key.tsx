import { Button } from '@mantine/core'
import { useState } from 'react'
import { useAct } from '../../api.ts'
import { Confirm } from '../../forms/confirm.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useMay, useWidgetAddress } from '../../session.ts'
import { Card } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'

export function SyncKey({ botId, onMade }: { botId: string; onMade: (key: string) => void }) {
  const { keys: words } = useMessages()
  const mayEdit = useMay('editor')
  const [asking, setAsking] = useState(false)
  const make = useAct('POST /api/manage/v1/bots/{botId}/sync-key', {
    onDone: ({ key }) => {
      setAsking(false)
      onMade(key)
    },
  })
  const sample = `curl ${useWidgetAddress()}/api/v1/chat/sync-products \\
  -H "X-Service-Key: $DOCENT_SYNC_KEY" \\
  -H "Content-Type: application/json" \\
  -d '[{"id": "1", "title": "Atlas jacket", "price": "129.00 EUR", "availability": "in_stock"}]'`
  return (
    <Card title={words.syncKey} about={words.syncKeyAbout}>
      <Code text={sample} />
      {mayEdit && (
        <div>
          <Button variant="default" onClick={() => setAsking(true)}>
            {words.createSyncKey}
          </Button>
        </div>
      )}
      <Confirm
        opened={asking}
        title={words.createSyncKey}
        action={words.createSyncKey}
        pending={make.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => make.mutate({ params: { botId }, body: { overlap: '24h' } })}
      >
        {words.syncKeyReplace}
      </Confirm>
    </Card>
  )
}
