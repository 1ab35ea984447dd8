import type { File } from '@docent/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useActOnAll, useList } from '../../api.ts'
import { Confirm } from '../../forms/confirm.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useMay } from '../../session.ts'
import { formatSize } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { DataList } from '../../ui/data-list.tsx'
import { Empty } from '../../ui/empty.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { Knowledge } from './knowledge-layout.tsx'
import { Upload } from './upload.tsx'

export function FilesPage() {
  const { files: words, general, knowledge, lists } = useMessages()
  const botId = useBotId()
  const mayEdit = useMay('editor')
  const navigate = useNavigate()
  const [removing, setRemoving] = useState<File[]>([])
  const files = useList('GET /api/manage/v1/bots/{botId}/files', { params: { botId } })
  const remove = useActOnAll('DELETE /api/manage/v1/bots/{botId}/files/{fileId}', {
    done: general.removed,
    onDone: () => setRemoving([]),
  })
  const content = ({ id }: File) => `/api/manage/v1/bots/${botId}/files/${id}/content`
  const document = ({ document_id }: File) => `/bots/${botId}/knowledge/documents/${encodeURIComponent(document_id)}`
  const actionsOf = (file: File) => [
    { icon: 'text', label: words.viewText, onClick: () => navigate({ to: document(file) }) } as const,
    { icon: 'download', label: words.download, onClick: () => location.assign(content(file)) } as const,
    ...(mayEdit
      ? ([{ icon: 'trash', label: general.remove, onClick: () => setRemoving([file]), destroys: true }] as const)
      : []),
  ]
  return (
    <Knowledge>
      {mayEdit && <Upload botId={botId} />}
      <DataList
        label={knowledge.files}
        list={files}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        to={document}
        columns={[
          { label: general.name, show: ({ name }) => name, value: ({ name }) => name },
          { label: lists.kind, show: ({ kind }) => kind.toUpperCase(), value: ({ kind }) => kind },
          {
            ...{ label: lists.size, isNumber: true, isExtra: true },
            show: ({ size_bytes }) => formatSize(size_bytes),
            value: ({ size_bytes }) => size_bytes,
          },
          {
            label: lists.changed,
            show: ({ updated_at }) => <Time time={updated_at} />,
            value: ({ updated_at }) => updated_at,
          },
        ]}
        bulk={mayEdit ? [{ label: general.remove, run: setRemoving, destroys: true }] : []}
        actions={(file) => <RowMenu of={file.name} actions={actionsOf(file)} />}
        empty={<Empty icon="file" title={words.emptyTitle} about={words.emptyAbout} />}
      />
      <Confirm
        opened={removing.length > 0}
        title={removing.length > 1 ? lists.removeTitle(removing.length) : words.removeTitle}
        action={general.remove}
        pending={remove.isPending}
        onClose={() => setRemoving([])}
        onConfirm={() => remove.mutate(removing.map(({ id }) => ({ params: { botId, fileId: id } })))}
      >
        {words.removeAbout(removing.map(({ name }) => name).join(', '))}
      </Confirm>
    </Knowledge>
  )
}
