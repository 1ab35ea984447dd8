import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { useList } from '../../api.ts'
import { useMessages } from '../../messages/messages.tsx'
import { useMay } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { List } from '../../ui/list.tsx'
import { Row } from '../../ui/rows.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { Knowledge } from './knowledge-layout.tsx'
import { TextForm } from './text-form.tsx'

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
