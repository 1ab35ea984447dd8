import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { useList } from '../api.ts'
import { useMessages } from '../messages/messages.tsx'
import { Empty } from '../parts/empty.tsx'
import { formatNumber } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { Knowledge } from '../parts/knowledge.tsx'
import { List } from '../parts/list.tsx'
import { Row } from '../parts/rows.tsx'
import { TextForm } from '../parts/text-form.tsx'
import { Time } from '../parts/time.tsx'
import { useBotId } from '../parts/use-bot.ts'
import { useMay } from '../session.ts'

export function DocumentsPage() {
  const { documents: words, knowledge } = useMessages()
  const botId = useBotId()
  const [adding, setAdding] = useState(false)
  const mayEdit = useMay('editor')
  const documents = useList('GET /api/manage/v1/bots/{botId}/documents', { params: { botId } })
  const add = mayEdit && (
    <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  )
  return (
    <Knowledge actions={documents.items.length > 0 && add}>
      <List
        label={knowledge.documents}
        list={documents}
        empty={<Empty icon="text" title={words.emptyTitle} about={words.emptyAbout} action={add} />}
      >
        {(document) => (
          <Row
            key={document.id}
            title={document.title}
            to={`/bots/${botId}/knowledge/documents/${encodeURIComponent(document.id)}`}
            meta={[
              words.passages(formatNumber(document.passages)),
              document.language.toUpperCase(),
              document.crawl_id && words.fromCrawl,
              <Time key="time" time={document.updated_at} />,
            ]}
          />
        )}
      </List>
      <Modal opened={adding} onClose={() => setAdding(false)} title={words.add} size="lg">
        <TextForm botId={botId} onDone={() => setAdding(false)} />
      </Modal>
    </Knowledge>
  )
}
