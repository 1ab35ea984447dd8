import type { CuratedAnswer } from '@docent/contract'
import { Button, Menu } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { useActOnAll, useList } from '../../api.ts'
import { Confirm } from '../../forms/confirm.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useMay } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { DataList } from '../../ui/data-list.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { AnswerForm } from './answer-form.tsx'
import { Knowledge } from './knowledge-layout.tsx'
import { useImportAnswers } from './use-import-answers.ts'

export function AnswersPage() {
  const { answers: words, general, knowledge, lists } = useMessages()
  const botId = useBotId()
  const mayEdit = useMay('editor')
  const [edited, setEdited] = useState<Partial<CuratedAnswer> | null>(null)
  const [removing, setRemoving] = useState<CuratedAnswer[]>([])
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), 250)
  const answers = useList('GET /api/manage/v1/bots/{botId}/answers', { params: { botId }, query: q ? { q } : {} })
  const remove = useActOnAll('DELETE /api/manage/v1/bots/{botId}/answers/{answerId}', {
    done: general.removed,
    onDone: () => setRemoving([]),
  })
  const add = mayEdit && (
    <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setEdited({})}>
      {words.add}
    </Button>
  )
  const actionsOf = (answer: CuratedAnswer) =>
    [
      { icon: 'pencil', label: general.edit, onClick: () => setEdited(answer) },
      { icon: 'trash', label: general.remove, onClick: () => setRemoving([answer]), destroys: true },
    ] as const
  return (
    <Knowledge
      actions={
        <>
          <Exchange botId={botId} mayImport={mayEdit} />
          {answers.items.length > 0 && add}
        </>
      }
    >
      <DataList<CuratedAnswer>
        label={knowledge.answers}
        list={answers}
        idOf={({ id }) => id}
        nameOf={({ question }) => question}
        search={{ value: text, onChange: setText }}
        {...(mayEdit ? { onOpen: setEdited } : {})}
        columns={[
          { label: words.question, show: ({ question }) => question, value: ({ question }) => question },
          {
            label: words.answer,
            show: ({ answer }) => <span className="clip">{answer}</span>,
            value: ({ answer }) => answer,
          },
          {
            ...{ label: words.phrasingsField, isNumber: true, isExtra: true },
            show: ({ alternatives }) => formatNumber(alternatives.length),
            value: ({ alternatives }) => alternatives.length,
          },
        ]}
        bulk={mayEdit ? [{ label: general.remove, run: setRemoving, destroys: true }] : []}
        {...(mayEdit ? { actions: (answer) => <RowMenu of={answer.question} actions={[...actionsOf(answer)]} /> } : {})}
        empty={<Empty icon="answer" title={words.emptyTitle} about={words.emptyAbout} action={add} />}
      />
      <AnswerForm botId={botId} opened={edited !== null} onClose={() => setEdited(null)} start={edited ?? {}} />
      <Confirm
        opened={removing.length > 0}
        title={removing.length > 1 ? lists.removeTitle(removing.length) : words.removeTitle}
        action={general.remove}
        pending={remove.isPending}
        onClose={() => setRemoving([])}
        onConfirm={() => remove.mutate(removing.map(({ id }) => ({ params: { botId, answerId: id } })))}
      >
        {words.removeAbout}
      </Confirm>
    </Knowledge>
  )
}

function Exchange({ botId, mayImport }: { botId: string; mayImport: boolean }) {
  const { answers: words } = useMessages()
  const input = useRef<HTMLInputElement>(null)
  const importing = useImportAnswers(botId)
  const exportAs = (format: string) => `/api/manage/v1/bots/${botId}/answers/export?format=${format}`
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" loading={importing.isPending} rightSection={<Icon name="updown" size={16} />}>
            {words.importExport}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {mayImport && (
            <Menu.Item leftSection={<Icon name="upload" size={16} />} onClick={() => input.current?.click()}>
              {words.import}
            </Menu.Item>
          )}
          <Menu.Item
            component="a"
            href={exportAs('csv')}
            download="answers.csv"
            leftSection={<Icon name="download" size={16} />}
          >
            {words.exportCsv}
          </Menu.Item>
          <Menu.Item
            component="a"
            href={exportAs('json')}
            download="answers.json"
            leftSection={<Icon name="download" size={16} />}
          >
            {words.exportJson}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <input
        ref={input}
        className="unseen"
        type="file"
        accept=".csv,.json"
        tabIndex={-1}
        aria-label={words.importHint}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          if (file) importing.mutate(file)
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}
