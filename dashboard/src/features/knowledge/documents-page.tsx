import type { DocumentSummary } from '@docent/contract'
import { Button, Modal, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useActOnAll, useList } from '../../api.ts'
import { Confirm } from '../../forms/confirm.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useMay } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { DataList } from '../../ui/data-list.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { Knowledge } from './knowledge-layout.tsx'
import { TextForm } from './text-form.tsx'

type Sort = 'id' | 'title' | '-updated_at'

export function DocumentsPage() {
  const { documents: words, knowledge, general, lists } = useMessages()
  const botId = useBotId()
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<DocumentSummary[]>([])
  const [text, setText] = useState('')
  const [sort, setSort] = useState<Sort>('-updated_at')
  const [q] = useDebouncedValue(text.trim(), 250)
  const mayEdit = useMay('editor')
  const documents = useList('GET /api/manage/v1/bots/{botId}/documents', {
    params: { botId },
    query: { sort, ...(q ? { q } : {}) },
  })
  const remove = useActOnAll('DELETE /api/manage/v1/bots/{botId}/documents/{documentId}', {
    done: general.removed,
    onDone: () => setRemoving([]),
  })
  const add = mayEdit && (
    <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  )
  return (
    <Knowledge actions={documents.items.length > 0 && add}>
      <DataList
        label={knowledge.documents}
        list={documents}
        idOf={({ id }) => id}
        nameOf={({ title }) => title}
        to={({ id }) => `/bots/${botId}/knowledge/documents/${encodeURIComponent(id)}`}
        search={{ value: text, onChange: setText }}
        {...(documents.items.length > 0 || q !== ''
          ? {
              filters: (
                <Select
                  aria-label={lists.sort}
                  data={[
                    { value: '-updated_at', label: lists.newest },
                    { value: 'title', label: lists.byTitle },
                  ]}
                  value={sort}
                  onChange={(value) => setSort((value ?? '-updated_at') as Sort)}
                />
              ),
            }
          : {})}
        columns={[
          { label: words.titleField, show: ({ title }) => title, value: ({ title }) => title },
          {
            label: words.source,
            show: (each) => source(each, words.fromCrawl),
            value: ({ url }) => url,
            isExtra: true,
          },
          { label: words.language, show: ({ language }) => language.toUpperCase(), value: ({ language }) => language },
          {
            ...{ label: words.passagesField, isNumber: true, isExtra: true },
            show: ({ passages }) => formatNumber(passages),
            value: ({ passages }) => passages,
          },
          {
            label: lists.changed,
            show: ({ updated_at }) => <Time time={updated_at} />,
            value: ({ updated_at }) => updated_at,
          },
        ]}
        bulk={mayEdit ? [{ label: general.remove, run: setRemoving, destroys: true }] : []}
        empty={<Empty icon="text" title={words.emptyTitle} about={words.emptyAbout} action={add} />}
      />
      <Modal opened={adding} onClose={() => setAdding(false)} title={words.add} size="lg">
        <TextForm botId={botId} onDone={() => setAdding(false)} />
      </Modal>
      <Confirm
        opened={removing.length > 0}
        title={lists.removeTitle(removing.length)}
        action={general.remove}
        pending={remove.isPending}
        onClose={() => setRemoving([])}
        onConfirm={() => remove.mutate(removing.map(({ id }) => ({ params: { botId, documentId: id } })))}
      >
        {words.removeAbout}
      </Confirm>
    </Knowledge>
  )
}

function source({ url, crawl_id }: DocumentSummary, fromCrawl: string): string {
  return url ?? (crawl_id ? fromCrawl : '–')
}
