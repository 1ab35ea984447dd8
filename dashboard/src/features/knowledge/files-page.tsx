import type { File } from '@docent/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAct, useList } from '../../api.ts'
import { Confirm } from '../../forms/confirm.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useMay } from '../../session.ts'
import { formatSize } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { Empty } from '../../ui/empty.tsx'
import { List } from '../../ui/list.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { Row } from '../../ui/rows.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { Knowledge } from './knowledge-layout.tsx'
import { Upload } from './upload.tsx'

export function FilesPage() {
  const { files: words, general } = useMessages()
  const botId = useBotId()
  const mayEdit = useMay('editor')
  const navigate = useNavigate()
  const [removing, setRemoving] = useState<File | null>(null)
  const files = useList('GET /api/manage/v1/bots/{botId}/files', { params: { botId } })
  const remove = useAct('DELETE /api/manage/v1/bots/{botId}/files/{fileId}', {
    done: general.removed,
    onDone: () => setRemoving(null),
  })
  const content = ({ id }: File) => `/api/manage/v1/bots/${botId}/files/${id}/content`
  const document = ({ document_id }: File) => `/bots/${botId}/knowledge/documents/${encodeURIComponent(document_id)}`
  const actionsOf = (file: File) => [
    { icon: 'text', label: words.viewText, onClick: () => navigate({ to: document(file) }) } as const,
    { icon: 'download', label: words.download, onClick: () => location.assign(content(file)) } as const,
    ...(mayEdit
      ? ([{ icon: 'trash', label: general.remove, onClick: () => setRemoving(file), destroys: true }] as const)
      : []),
  ]
  return (
    <Knowledge>
      {mayEdit && <Upload botId={botId} />}
      <List
        label={words.upload}
        list={files}
        empty={<Empty icon="file" title={words.emptyTitle} about={words.emptyAbout} />}
      >
        {(file) => (
          <Row
            key={file.id}
            title={file.name}
            to={document(file)}
            meta={[file.kind.toUpperCase(), formatSize(file.size_bytes), <Time key="time" time={file.updated_at} />]}
            end={<RowMenu of={file.name} actions={actionsOf(file)} />}
          />
        )}
      </List>
      <Confirm
        opened={removing !== null}
        title={words.removeTitle}
        action={general.remove}
        pending={remove.isPending}
        onClose={() => setRemoving(null)}
        onConfirm={() => removing && remove.mutate({ params: { botId, fileId: removing.id } })}
      >
        {words.removeAbout(removing?.name ?? '')}
      </Confirm>
    </Knowledge>
  )
}
