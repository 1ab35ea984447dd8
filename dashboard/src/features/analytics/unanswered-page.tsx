import type { UnansweredQuestion } from '@docent/contract'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAct, useList } from '../../api.ts'
import { undoToast } from '../../forms/undo-toast.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useMay } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { languageName } from '../../text/languages.ts'
import { Time } from '../../text/time.tsx'
import { Empty } from '../../ui/empty.tsx'
import { List } from '../../ui/list.tsx'
import { Page } from '../../ui/page.tsx'
import { type RowAction, RowMenu } from '../../ui/row-menu.tsx'
import { Row } from '../../ui/rows.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { AnswerForm } from '../knowledge/answer-form.tsx'

export function UnansweredPage() {
  const { unanswered: words } = useMessages()
  const botId = useBotId()
  const params = { botId }
  const mayEdit = useMay('editor')
  const [answering, setAnswering] = useState<string | null>(null)
  const questions = useList('GET /api/manage/v1/bots/{botId}/unanswered', { params })
  const restore = useAct('POST /api/manage/v1/bots/{botId}/unanswered/restore', { done: words.restored })
  const dismiss = useAct('POST /api/manage/v1/bots/{botId}/unanswered/dismiss')
  const putAway = ({ question }: UnansweredQuestion) => {
    const options = { params, body: { question } }
    dismiss.mutate(options, {
      onSuccess: () => undoToast(words.dismissed, words.undo, () => restore.mutate(options)),
    })
  }
  return (
    <Page title={words.title} about={words.about}>
      <List
        label={words.title}
        list={questions}
        empty={
          <Empty
            icon="question"
            title={words.emptyTitle}
            about={words.emptyAbout}
            action={
              <Button variant="default" component={Link} to={`/bots/${botId}/playground`}>
                {words.toPlayground}
              </Button>
            }
          />
        }
      >
        {(each) => (
          <QuestionRow
            key={each.question}
            botId={botId}
            question={each}
            {...(mayEdit ? { onAnswer: () => setAnswering(each.question), onDismiss: () => putAway(each) } : {})}
          />
        )}
      </List>
      <AnswerForm
        botId={botId}
        opened={answering !== null}
        onClose={() => setAnswering(null)}
        start={{ question: answering ?? '' }}
      />
    </Page>
  )
}

interface RowProps {
  botId: string
  question: UnansweredQuestion
  /** Left out for those who may only look. */
  onAnswer?: () => void
  onDismiss?: () => void
}

function QuestionRow({ botId, question: each, onAnswer, onDismiss }: RowProps) {
  const { unanswered: words } = useMessages()
  const { question, count, last_asked_at, conversation_id, languages } = each
  const actions: RowAction[] = onDismiss ? [{ icon: 'close', label: words.dismiss, onClick: onDismiss }] : []
  return (
    <Row
      title={question}
      meta={[
        count === 1 ? words.once : words.times(formatNumber(count)),
        <Time key="last" time={last_asked_at} text={words.last} />,
        languages.map(languageName).join(', '),
        <Link key="conversation" to={`/bots/${botId}/inbox/${conversation_id}`}>
          {words.conversation}
        </Link>,
      ]}
      end={
        onAnswer && (
          <>
            <Button size="xs" variant="light" aria-label={words.answerOf(question)} onClick={onAnswer}>
              {words.answer}
            </Button>
            <RowMenu of={question} actions={actions} />
          </>
        )
      }
    />
  )
}
