import type { CuratedAnswer } from '@docent/contract'
import { Modal, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { fieldError } from '../../client.ts'
import { Form } from '../../forms/form.tsx'
import { splitLines } from '../../text/split-lines.ts'
import { withScheme } from '../../text/with-scheme.ts'
import { useTexts } from '../../texts/texts.tsx'

interface Props {
  botId: string
  opened: boolean
  onClose: () => void
  /** The answer to edit, or initial values of a new one. */
  start?: Partial<CuratedAnswer>
  /** Default: whether it is added or edited. */
  title?: string
  /** Shown above the fields. */
  about?: ReactNode
  /** Approves a proposed answer instead of adding one. */
  approval?: Approval
}

interface Approval {
  proposalId: string
  title: string
  action: string
  done: string
  onDone: (() => void) | undefined
}

export function AnswerForm({ opened, onClose, start = {}, title, about, ...props }: Props) {
  const { answers } = useTexts()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title={title ?? props.approval?.title ?? (start.id ? answers.editTitle : answers.add)}
    >
      <div className="stack">
        {about}
        <Fields {...props} start={start} onClose={onClose} />
      </div>
    </Modal>
  )
}

function Fields({ botId, start = {}, onClose, approval }: Omit<Props, 'opened' | 'title' | 'about'>) {
  const { answers, general } = useTexts()
  const [question, setQuestion] = useState(start.question ?? '')
  const [alternatives, setAlternatives] = useState((start.alternatives ?? []).join('\n'))
  const [answer, setAnswer] = useState(start.answer ?? '')
  const [url, setUrl] = useState(start.url ?? '')
  const onDone = () => {
    approval?.onDone?.()
    onClose()
  }
  const then = { done: approval?.done ?? answers.saved, silent: true, onDone }
  const create = useApiMutation('POST /api/manage/v1/bots/{botId}/answers', then)
  const change = useApiMutation('PATCH /api/manage/v1/bots/{botId}/answers/{answerId}', then)
  const approve = useApiMutation('POST /api/manage/v1/bots/{botId}/answer-proposals/{proposalId}/approve', then)
  const body = { question, alternatives: splitLines(alternatives), answer, url: withScheme(url) || null }
  const submit = () => {
    if (approval) return approve.mutate({ params: { botId, proposalId: approval.proposalId }, body })
    return start.id
      ? change.mutate({ params: { botId, answerId: start.id }, body })
      : create.mutate({ params: { botId }, body })
  }
  const error = create.error ?? change.error ?? approve.error
  const pending = create.isPending || change.isPending || approve.isPending
  return (
    <Form
      onCancel={onClose}
      action={approval?.action ?? (start.id ? general.save : answers.add)}
      pending={pending}
      error={error}
      onSubmit={submit}
    >
      <TextInput
        label={answers.question}
        description={answers.questionHint}
        required
        data-autofocus
        maxLength={500}
        value={question}
        onChange={(event) => setQuestion(event.currentTarget.value)}
      />
      <Textarea
        label={answers.alternatives}
        description={answers.alternativesHint}
        autosize
        minRows={2}
        maxRows={8}
        value={alternatives}
        onChange={(event) => setAlternatives(event.currentTarget.value)}
      />
      <Textarea
        label={answers.answer}
        required
        autosize
        minRows={4}
        maxRows={14}
        maxLength={10_000}
        value={answer}
        onChange={(event) => setAnswer(event.currentTarget.value)}
      />
      <TextInput
        label={`${answers.url} (${general.optional})`}
        inputMode="url"
        placeholder="https://"
        value={url}
        error={fieldError(error, 'url') ?? null}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
    </Form>
  )
}
