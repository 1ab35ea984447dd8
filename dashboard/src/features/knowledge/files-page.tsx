import type { File } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiList } from '../../api.ts'
import { useConfirmedAction } from '../../forms/use-confirmed-action.tsx'
import { useHasRole } from '../../session.ts'
import { formatSize } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { DataList } from '../../ui/lists/data-list.tsx'
import { RowMenu } from '../../ui/lists/row-menu.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { KnowledgeLayout } from './knowledge-layout.tsx'
import { Upload } from './upload.tsx'

export function FilesPage() {
  const { files: texts, general, knowledge, lists } = useTexts()
  const botId = useBotId()
  const mayEdit = useHasRole('editor')
  const navigate = useNavigate()
  const [q, setQ] = useState('')
  const [order, setOrder] = useState('name')
  const files = useApiList('GET /api/manage/v1/bots/{botId}/files', {
    params: { botId },
    query: { sort: order as 'name', ...(q ? { q } : {}) },
  })
  const remove = useConfirmedAction('DELETE /api/manage/v1/bots/{botId}/files/{fileId}', {
    toRequest: ({ id }: File) => ({ params: { botId, fileId: id } }),
    done: general.removed,
    title: (items) => (items.length > 1 ? lists.removeTitle(items.length) : texts.removeTitle),
    about: (items) => texts.removeAbout(shortList(items.map(({ name }) => name))),
    action: general.remove,
  })
  const content = ({ id }: File) => `/api/manage/v1/bots/${botId}/files/${id}/content`
  // Each page of an export is a separate document.
  const document = ({ document_id }: File) =>
    document_id ? screenPath('document', { botId, documentId: document_id }) : screenPath('documents', { botId })
  const actionsOf = (file: File) => [
    { icon: 'text', label: texts.viewText, onClick: () => navigate({ to: document(file) }) } as const,
    { icon: 'download', label: texts.download, onClick: () => location.assign(content(file)) } as const,
    ...(mayEdit
      ? ([{ icon: 'trash', label: general.remove, onClick: () => void remove.ask([file]), destroys: true }] as const)
      : []),
  ]
  return (
    <KnowledgeLayout>
      {mayEdit && <Upload botId={botId} />}
      <DataList
        label={knowledge.files}
        list={files}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        to={document}
        search={{ q, onSearch: setQ }}
        sort={{ order, onOrder: setOrder }}
        columns={[
          { label: general.name, show: ({ name }) => name, value: ({ name }) => name, sort: 'name' },
          { label: lists.kind, show: ({ kind }) => kindName(kind), value: ({ kind }) => kindName(kind) },
          {
            label: lists.size,
            isNumber: true,
            isExtra: true,
            show: ({ size_bytes }) => formatSize(size_bytes),
            value: ({ size_bytes }) => size_bytes,
            sort: 'size_bytes',
          },
          {
            label: lists.changed,
            show: ({ updated_at }) => <Time time={updated_at} />,
            value: ({ updated_at }) => updated_at,
            sort: 'updated_at',
          },
        ]}
        bulk={mayEdit ? [{ label: general.remove, run: remove.ask, destroys: true }] : []}
        actions={(file) => <RowMenu name={file.name} actions={actionsOf(file)} />}
        empty={<EmptyState icon="file" title={texts.emptyTitle} about={texts.emptyAbout} />}
      />
      {remove.dialog}
    </KnowledgeLayout>
  )
}

const names: Record<string, string> = {
  docx: 'Word',
  xlsx: 'Excel',
  pptx: 'PowerPoint',
  odt: 'OpenDocument',
  markdown: 'Markdown',
  text: 'Text',
  notion: 'Notion',
  confluence: 'Confluence',
  zendesk: 'Zendesk',
}

function kindName(kind: string): string {
  return names[kind] ?? kind.toUpperCase()
}

/** At most five names. */
function shortList(names: string[]): string {
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} …` : names.join(', ')
}
