// Test questions: what the bot should answer, and whether it still does.
import type { TestQuestion } from '@docent/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useApiList } from '../../api.ts'
import { useConfirmedAction } from '../../forms/use-confirmed-action.tsx'
import { useHasRole } from '../../session.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { DataList } from '../../ui/lists/data-list.tsx'
import { RowMenu } from '../../ui/lists/row-menu.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { KnowledgeLayout } from './knowledge-layout.tsx'
import { testTexts as texts } from './studio-texts.ts'
import { OutcomeStatus, TestQuestionForm } from './test-question-form.tsx'
import { TestRuns } from './test-runs.tsx'

export function TestsPage() {
  const { general, knowledge, lists } = useTexts()
  const botId = useBotId()
  const mayEdit = useHasRole('editor')
  const [editedQuestion, setEditedQuestion] = useState<Partial<TestQuestion> | null>(null)
  const [q, setQ] = useState('')
  const [order, setOrder] = useState('question')
  const questions = useApiList('GET /api/manage/v1/bots/{botId}/test-questions', {
    params: { botId },
    query: { sort: order as 'question', ...(q ? { q } : {}) },
  })
  const remove = useConfirmedAction('DELETE /api/manage/v1/bots/{botId}/test-questions/{questionId}', {
    toRequest: ({ id }: TestQuestion) => ({ params: { botId, questionId: id } }),
    done: general.removed,
    title: (items) => (items.length > 1 ? lists.removeTitle(items.length) : texts.removeTitle),
    about: () => texts.removeAbout,
    action: general.remove,
  })
  const add = mayEdit && (
    <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setEditedQuestion({})}>
      {texts.add}
    </Button>
  )
  const actionsOf = (question: TestQuestion) =>
    [
      { icon: 'pencil', label: general.edit, onClick: () => setEditedQuestion(question) },
      { icon: 'trash', label: general.remove, onClick: () => void remove.ask([question]), destroys: true },
    ] as const
  return (
    <KnowledgeLayout actions={questions.items.length > 0 && add}>
      {(questions.items.length > 0 || q !== '') && <TestRuns botId={botId} onDone={() => void questions.refetch()} />}
      <DataList<TestQuestion>
        label={knowledge.tests}
        list={questions}
        idOf={({ id }) => id}
        nameOf={({ question }) => question}
        search={{ q, onSearch: setQ }}
        sort={{ order, onOrder: setOrder }}
        onOpen={setEditedQuestion}
        columns={[
          {
            label: texts.question,
            show: ({ question }) => question,
            value: ({ question }) => question,
            sort: 'question',
          },
          {
            label: texts.result,
            show: ({ outcome }) => <OutcomeStatus outcome={outcome} />,
            value: ({ outcome }) => outcome ?? '',
          },
          {
            label: texts.expectation,
            isExtra: true,
            show: (question) => <span className="clip">{expectationOf(question)}</span>,
            value: expectationOf,
          },
          {
            label: texts.ran,
            isExtra: true,
            show: ({ result }) => (result ? <Time time={result.at} /> : '–'),
            value: ({ result }) => result?.at ?? '',
          },
        ]}
        bulk={mayEdit ? [{ label: general.remove, run: remove.ask, destroys: true }] : []}
        {...(mayEdit
          ? { actions: (question) => <RowMenu name={question.question} actions={[...actionsOf(question)]} /> }
          : {})}
        empty={<EmptyState icon="check" title={texts.emptyTitle} about={texts.emptyAbout} action={add} />}
      />
      <TestQuestionForm
        botId={botId}
        opened={editedQuestion !== null}
        onClose={() => setEditedQuestion(null)}
        start={editedQuestion ?? {}}
      />
      {remove.dialog}
    </KnowledgeLayout>
  )
}

function expectationOf({ expected_text, expected_source }: TestQuestion): string {
  const parts = [expected_text && texts.contains(expected_text), expected_source && texts.cites(expected_source)]
  return parts.filter(Boolean).join(', ') || texts.anyAnswer
}
