import type { UnansweredQuestion } from '@docent/contract'
import { QUESTION_LENGTH } from '@docent/contract/limits'
import { screenPath } from '@docent/contract/screens'
import { Button, SegmentedControl } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { reloadQueries, useApiList, useApiQuery } from '../../api.ts'
import { client } from '../../client.ts'
import { toast } from '../../forms/toast.tsx'
import { useHasRole } from '../../session.ts'
import { explainError } from '../../text/explain-error.ts'
import { formatNumber, languageName } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { List, Row } from '../../ui/lists/list.tsx'
import { type RowAction, RowMenu } from '../../ui/lists/row-menu.tsx'
import { LoadError, LoadingRows } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { AnswerForm } from '../knowledge/answer-form.tsx'
import { conversationsLink } from './conversations-link.ts'
import { unanswered as texts } from './insight-texts.ts'
import { Topics } from './topics.tsx'

const ROUTES = {
  dismiss: 'POST /api/manage/v1/bots/{botId}/unanswered/dismiss',
  restore: 'POST /api/manage/v1/bots/{botId}/unanswered/restore',
} as const
const UNDO_MS = 10_000
// As many as somebody reads.
const MAX_PHRASINGS = 20

export function UnansweredPage() {
  const botId = useBotId()
  const mayEdit = useHasRole('editor')
  const navigate = useNavigate()
  const { view: viewParameter } = useSearch({ strict: false }) as { view?: string }
  const view = viewParameter === 'all' ? 'all' : 'topics'
  const [answering, setAnswering] = useState<{ question: string; alternatives: string[] } | null>(null)
  const topics = useApiQuery('GET /api/manage/v1/bots/{botId}/unanswered/topics', { params: { botId } })
  const answer = (question: string, alternatives: string[] = []) =>
    setAnswering({ question: question.slice(0, QUESTION_LENGTH), alternatives: alternatives.slice(0, MAX_PHRASINGS) })
  const dismiss = useDismissQuestions(botId)
  const isEmpty = topics.data?.topics.length === 0
  return (
    <Page
      wide
      title={texts.title}
      about={texts.about}
      actions={
        !isEmpty && (
          <SegmentedControl
            aria-label={texts.view}
            value={view}
            onChange={(value) =>
              void navigate({
                to: screenPath('unanswered', { botId }),
                search: (value === 'all' ? { view: 'all' } : {}) as never,
                replace: true,
              })
            }
            data={(['topics', 'all'] as const).map((value) => ({ value, label: texts[value] }))}
          />
        )
      }
    >
      {topics.error ? (
        <LoadError error={topics.error} onRetry={() => topics.refetch()} />
      ) : !topics.data ? (
        <LoadingRows />
      ) : isEmpty ? (
        <NoQuestions botId={botId} />
      ) : view === 'topics' ? (
        <Topics
          botId={botId}
          topics={topics.data.topics}
          mayEdit={mayEdit}
          onDismiss={dismiss}
          onAnswer={({ questions: [first, ...others] }) =>
            answer(
              first?.question ?? '',
              others.map(({ question }) => question),
            )
          }
        />
      ) : (
        <AllQuestions botId={botId} mayEdit={mayEdit} onAnswer={answer} onDismiss={dismiss} />
      )}
      <AnswerForm
        botId={botId}
        opened={answering !== null}
        onClose={() => setAnswering(null)}
        start={answering ?? { question: '' }}
      />
    </Page>
  )
}

function NoQuestions({ botId }: { botId: string }) {
  return (
    <EmptyState
      icon="question"
      title={texts.emptyTitle}
      about={texts.emptyAbout}
      action={
        <Button variant="default" component={Link} to={screenPath('playground', { botId })}>
          {texts.toPlayground}
        </Button>
      }
    />
  )
}

interface AllProps {
  botId: string
  mayEdit: boolean
  onAnswer: (question: string) => void
  onDismiss: (questions: string[]) => void
}

function AllQuestions({ botId, mayEdit, onAnswer, onDismiss }: AllProps) {
  const questions = useApiList('GET /api/manage/v1/bots/{botId}/unanswered', { params: { botId } })
  return (
    <List label={texts.title} list={questions} empty={<NoQuestions botId={botId} />}>
      {(each) => (
        <QuestionRow
          key={each.question}
          botId={botId}
          question={each}
          {...(mayEdit ? { onAnswer: () => onAnswer(each.question), onDismiss: () => onDismiss([each.question]) } : {})}
        />
      )}
    </List>
  )
}

interface RowProps {
  botId: string
  question: UnansweredQuestion
  /** Left out for users who may not edit. */
  onAnswer?: () => void
  onDismiss?: () => void
}

function QuestionRow({ botId, question: each, onAnswer, onDismiss }: RowProps) {
  const { question, count, low_confidence, last_asked_at, languages } = each
  const actions: RowAction[] = onDismiss ? [{ icon: 'close', label: texts.dismiss, onClick: onDismiss }] : []
  return (
    <Row
      title={question}
      meta={[
        count === 1 ? texts.once : texts.times(formatNumber(count)),
        low_confidence > 0 && texts.lowOf(formatNumber(low_confidence)),
        <Time key="last" time={last_asked_at} text={texts.last} />,
        languages.map(languageName).join(', '),
        <Link key="conversation" to={conversationsLink(botId, { asked: question, had: 'unanswered' })}>
          {texts.conversation}
        </Link>,
      ]}
      end={
        onAnswer && (
          <>
            <Button size="xs" variant="light" aria-label={texts.answerOf(question)} onClick={onAnswer}>
              {texts.answer}
            </Button>
            <RowMenu name={question} actions={actions} />
          </>
        )
      }
    />
  )
}

/** Dismisses questions with an undo that works even after the list is closed. */
function useDismissQuestions(botId: string): (questions: string[]) => void {
  const allTexts = useTexts()

  async function all(verb: keyof typeof ROUTES, questions: string[], then: () => void) {
    try {
      for (const question of questions) await client.request(ROUTES[verb], { params: { botId }, body: { question } })
      then()
    } catch (error) {
      toast(explainError(error, allTexts), 'bad')
    }
    await reloadQueries()
  }

  return (questions) =>
    void all('dismiss', questions, () =>
      undoToast(
        questions.length > 1 ? texts.topicDismissed : texts.dismissed,
        texts.undo,
        () => void all('restore', questions, () => toast(texts.restored)),
      ),
    )
}

/** A toast with an undo button. */
function undoToast(message: string, undo: string, onUndo: () => void) {
  const id = notifications.show({
    autoClose: UNDO_MS,
    color: 'teal',
    message: (
      <div className="inline">
        {message}
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            notifications.hide(id)
            onUndo()
          }}
        >
          {undo}
        </Button>
      </div>
    ),
  })
}
