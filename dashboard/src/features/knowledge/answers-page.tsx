import type { CuratedAnswer, ImportReport } from '@docent/contract'
import { toDocentError } from '@docent/sdk'
import { Button, Menu } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { reloadQueries, useApiList } from '../../api.ts'
import { toast } from '../../forms/toast.tsx'
import { useConfirmedAction } from '../../forms/use-confirmed-action.tsx'
import { useHasRole } from '../../session.ts'
import { explainError } from '../../text/explain-error.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { DataList } from '../../ui/lists/data-list.tsx'
import { RowMenu } from '../../ui/lists/row-menu.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { AnswerForm } from './answer-form.tsx'
import { KnowledgeLayout } from './knowledge-layout.tsx'
import { Proposals } from './proposals.tsx'

export function AnswersPage() {
  const { answers: texts, general, knowledge, lists } = useTexts()
  const botId = useBotId()
  const mayEdit = useHasRole('editor')
  const [editedAnswer, setEditedAnswer] = useState<Partial<CuratedAnswer> | null>(null)
  const [q, setQ] = useState('')
  const [order, setOrder] = useState('question')
  const answers = useApiList('GET /api/manage/v1/bots/{botId}/answers', {
    params: { botId },
    query: { sort: order as 'question', ...(q ? { q } : {}) },
  })
  const remove = useConfirmedAction('DELETE /api/manage/v1/bots/{botId}/answers/{answerId}', {
    toRequest: ({ id }: CuratedAnswer) => ({ params: { botId, answerId: id } }),
    done: general.removed,
    title: (items) => (items.length > 1 ? lists.removeTitle(items.length) : texts.removeTitle),
    about: () => texts.removeAbout,
    action: general.remove,
  })
  const add = mayEdit && (
    <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setEditedAnswer({})}>
      {texts.add}
    </Button>
  )
  const actionsOf = (answer: CuratedAnswer) =>
    [
      { icon: 'pencil', label: general.edit, onClick: () => setEditedAnswer(answer) },
      { icon: 'trash', label: general.remove, onClick: () => void remove.ask([answer]), destroys: true },
    ] as const
  return (
    <KnowledgeLayout
      actions={
        <>
          <ImportExport botId={botId} mayImport={mayEdit} />
          {answers.items.length > 0 && add}
        </>
      }
    >
      <Proposals botId={botId} />
      <DataList<CuratedAnswer>
        label={knowledge.answers}
        list={answers}
        idOf={({ id }) => id}
        nameOf={({ question }) => question}
        search={{ q, onSearch: setQ }}
        sort={{ order, onOrder: setOrder }}
        {...(mayEdit ? { onOpen: setEditedAnswer } : {})}
        columns={[
          {
            label: texts.question,
            show: ({ question }) => question,
            value: ({ question }) => question,
            sort: 'question',
          },
          {
            label: texts.answer,
            show: ({ answer }) => <span className="clip">{answer}</span>,
            value: ({ answer }) => answer,
          },
          {
            label: texts.phrasingsField,
            isNumber: true,
            isExtra: true,
            show: ({ alternatives }) => formatNumber(alternatives.length),
            value: ({ alternatives }) => alternatives.length,
          },
          {
            label: lists.changed,
            isExtra: true,
            sort: 'updated_at',
            show: ({ updated_at }) => <Time time={updated_at} />,
            value: ({ updated_at }) => updated_at,
          },
        ]}
        bulk={mayEdit ? [{ label: general.remove, run: remove.ask, destroys: true }] : []}
        {...(mayEdit
          ? { actions: (answer) => <RowMenu name={answer.question} actions={[...actionsOf(answer)]} /> }
          : {})}
        empty={<EmptyState icon="answer" title={texts.emptyTitle} about={texts.emptyAbout} action={add} />}
      />
      <AnswerForm
        botId={botId}
        opened={editedAnswer !== null}
        onClose={() => setEditedAnswer(null)}
        start={editedAnswer ?? {}}
      />
      {remove.dialog}
    </KnowledgeLayout>
  )
}

function ImportExport({ botId, mayImport }: { botId: string; mayImport: boolean }) {
  const { answers: texts } = useTexts()
  const input = useRef<HTMLInputElement>(null)
  const importing = useImportAnswers(botId)
  const exportAs = (format: string) => `/api/manage/v1/bots/${botId}/answers/export?format=${format}`
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" loading={importing.isPending} rightSection={<Icon name="updown" size={16} />}>
            {texts.importExport}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {mayImport && (
            <Menu.Item leftSection={<Icon name="upload" size={16} />} onClick={() => input.current?.click()}>
              {texts.import}
            </Menu.Item>
          )}
          <Menu.Item
            component="a"
            href={exportAs('csv')}
            download="answers.csv"
            leftSection={<Icon name="download" size={16} />}
          >
            {texts.exportCsv}
          </Menu.Item>
          <Menu.Item
            component="a"
            href={exportAs('json')}
            download="answers.json"
            leftSection={<Icon name="download" size={16} />}
          >
            {texts.exportJson}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <input
        ref={input}
        className="unseen"
        type="file"
        accept=".csv,.json"
        tabIndex={-1}
        aria-label={texts.importHint}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          if (file) importing.mutate(file)
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}

/** Uploads a file of curated answers. The server parses CSV and JSON and reports on each row. */
function useImportAnswers(botId: string) {
  const texts = useTexts()
  return useMutation({
    mutationFn: async (file: File): Promise<ImportReport> => {
      const isCsv = file.name.toLowerCase().endsWith('.csv')
      const response = await fetch(`/api/manage/v1/bots/${encodeURIComponent(botId)}/answers/import`, {
        method: 'POST',
        headers: { 'content-type': isCsv ? 'text/csv' : 'application/json' },
        body: file,
      })
      if (!response.ok) throw await toDocentError(response)
      return response.json()
    },
    onSuccess: async ({ created, updated, failed, errors }) => {
      const first = errors[0] ? ` ${errors[0].message}` : ''
      toast(texts.answers.imported(created, updated, failed) + first, failed > 0 ? 'bad' : 'good')
      await reloadQueries()
    },
    onError: (error) => toast(explainError(error, texts), 'bad'),
  })
}
