import type { CuratedAnswer } from '@docent/contract'
import { Button, Menu } from '@mantine/core'
import { useRef, useState } from 'react'
import { useAct, useList } from '../../api.ts'
import { Confirm } from '../../forms/confirm.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useMay } from '../../session.ts'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { List } from '../../ui/list.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { Row } from '../../ui/rows.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { AnswerForm } from './answer-form.tsx'
import { Knowledge } from './knowledge-layout.tsx'
import { useImportAnswers } from './use-import-answers.ts'

export function AnswersPage() {
  const { answers: words, general } = useMessages()
  const botId = useBotId()
  const mayEdit = useMay('editor')
  const [edited, setEdited] = useState<Partial<CuratedAnswer> | null>(null)
  const [removing, setRemoving] = useState<CuratedAnswer | null>(null)
  const answers = useList('GET /api/manage/v1/bots/{botId}/answers', { params: { botId } })
  const remove = useAct('DELETE /api/manage/v1/bots/{botId}/answers/{answerId}', {
    done: general.removed,
    onDone: () => setRemoving(null),
  })
  const add = mayEdit && (
    <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setEdited({})}>
      {words.add}
    </Button>
  )
  const actionsOf = (answer: CuratedAnswer) =>
    [
      { icon: 'pencil', label: general.edit, onClick: () => setEdited(answer) },
      { icon: 'trash', label: general.remove, onClick: () => setRemoving(answer), destroys: true },
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
      <List
        label={words.emptyTitle}
        list={answers}
        empty={<Empty icon="answer" title={words.emptyTitle} about={words.emptyAbout} action={add} />}
      >
        {(answer) => (
          <Row
            key={answer.id}
            title={answer.question}
            {...(mayEdit ? { onOpen: () => setEdited(answer) } : {})}
            meta={[
              answer.answer.length > 140 ? `${answer.answer.slice(0, 140)} …` : answer.answer,
              answer.alternatives.length > 0 && words.phrasings(answer.alternatives.length),
            ]}
            end={mayEdit && <RowMenu of={answer.question} actions={[...actionsOf(answer)]} />}
          />
        )}
      </List>
      <AnswerForm botId={botId} opened={edited !== null} onClose={() => setEdited(null)} start={edited ?? {}} />
      <Confirm
        opened={removing !== null}
        title={words.removeTitle}
        action={general.remove}
        pending={remove.isPending}
        onClose={() => setRemoving(null)}
        onConfirm={() => removing && remove.mutate({ params: { botId, answerId: removing.id } })}
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
