import type { TestQuestion } from '@docent/contract'
import { Modal, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { EditorForm } from '../../forms/form.tsx'
import { AnswerText } from '../../text/answer-text.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Status, type Tone } from '../../ui/status.tsx'
import { Diff } from './diff.tsx'
import { testTexts as texts } from './studio-texts.ts'
import { diffWords } from './word-diff.ts'

interface Props {
  botId: string
  opened: boolean
  onClose: () => void
  /** The question to edit, or initial values of a new one. */
  start: Partial<TestQuestion>
}

export function TestQuestionForm({ opened, onClose, start, botId }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} size="lg" title={start.id ? texts.editTitle : texts.add}>
      <Fields botId={botId} start={start} onClose={onClose} />
    </Modal>
  )
}

function Fields({ botId, start, onClose }: Omit<Props, 'opened'>) {
  const { general } = useTexts()
  const [question, setQuestion] = useState(start.question ?? '')
  const [text, setText] = useState(start.expected_text ?? '')
  const [source, setSource] = useState(start.expected_source ?? '')
  const then = { done: texts.saved, silent: true, onDone: onClose }
  const create = useApiMutation('POST /api/manage/v1/bots/{botId}/test-questions', then)
  const change = useApiMutation('PATCH /api/manage/v1/bots/{botId}/test-questions/{questionId}', then)
  const body = { question, expected_text: text.trim() || null, expected_source: source.trim() || null }
  const submit = () =>
    start.id
      ? change.mutate({ params: { botId, questionId: start.id }, body })
      : create.mutate({ params: { botId }, body })
  const pending = create.isPending || change.isPending
  return (
    <EditorForm
      onCancel={onClose}
      action={start.id ? texts.save : texts.add}
      pending={pending}
      error={create.error ?? change.error}
      onSubmit={submit}
    >
      <TextInput
        label={texts.question}
        required
        data-autofocus
        maxLength={500}
        value={question}
        onChange={(event) => setQuestion(event.currentTarget.value)}
      />
      <Textarea
        label={`${texts.expectedText} (${general.optional})`}
        description={texts.expectedTextHint}
        autosize
        minRows={1}
        maxRows={6}
        maxLength={1000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <TextInput
        label={`${texts.expectedSource} (${general.optional})`}
        description={texts.expectedSourceHint}
        maxLength={2048}
        value={source}
        onChange={(event) => setSource(event.currentTarget.value)}
      />
      <p className="quiet small">{texts.neither}</p>
      {start.result && <LastReply question={start as TestQuestion} />}
    </EditorForm>
  )
}

function LastReply({ question: { outcome, result, last_passed } }: { question: TestQuestion }) {
  if (!result) return null
  return (
    <section className="stack tight" aria-label={texts.lastReply}>
      <div className="inline">
        <h3>{texts.lastReply}</h3>
        <OutcomeStatus outcome={outcome} />
      </div>
      {outcome === 'worse' && last_passed ? (
        <ReplyDiff before={last_passed.reply} after={result.reply} />
      ) : (
        <AnswerText text={result.reply || texts.noReply} />
      )}
    </section>
  )
}

// Below this share of words in common, a difference word by word is harder to read than both texts.
const SIMILAR = 0.5

export function ReplyDiff({ before, after }: { before: string; after: string }) {
  const commonParts = diffWords(before, after).filter(({ kind }) => kind === 'same')
  const keptLength = commonParts.reduce((length, { text }) => length + text.length, 0)
  if (keptLength < SIMILAR * Math.max(before.length, after.length))
    return (
      <dl className="reply-pair">
        <dt>{texts.before}</dt>
        <dd>
          <AnswerText text={before || texts.noReply} />
        </dd>
        <dt>{texts.now}</dt>
        <dd>
          <AnswerText text={after || texts.noReply} />
        </dd>
      </dl>
    )
  return <Diff before={before} after={after} labels={{ before: `${texts.before}:`, after: `${texts.now}:` }} />
}

const TONES: Record<NonNullable<TestQuestion['outcome']>, Tone> = {
  passed: 'good',
  better: 'good',
  failed: 'warn',
  worse: 'bad',
}

export function OutcomeStatus({ outcome }: { outcome: TestQuestion['outcome'] }) {
  if (outcome === null) return <Status tone="quiet">{texts.notRun}</Status>
  return <Status tone={TONES[outcome]}>{texts.outcomes[outcome]}</Status>
}
