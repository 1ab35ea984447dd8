import type { GeneratedQuestions as Writing } from '@docent/contract'
import { Button, NumberInput, Switch } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation, useApiQuery } from '../../api.ts'
import { fieldError } from '../../client.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { EditorForm } from '../../forms/form.tsx'
import { formatCost, formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Status, type Tone } from '../../ui/status.tsx'
import { modelReason, questions as texts } from './model-texts.ts'

const POLL_MS = 2000
const tones: Record<Writing['status'], Tone> = { off: 'quiet', writing: 'busy', waiting: 'warn', done: 'good' }

/** Generated questions: the switch, the progress and the cost. */
export function GeneratedQuestions({ botId }: { botId: string }) {
  const params = { botId }
  const { data } = useApiQuery(
    'GET /api/manage/v1/bots/{botId}/generated-questions',
    { params },
    { refetchInterval: (answer) => ((answer as Writing).enabled ? POLL_MS : false) },
  )
  if (!data) return null
  return (
    <Card split title={texts.title} about={texts.about}>
      <Settings key={`${data.enabled} ${data.daily_calls}`} writing={data} botId={botId} />
      <WritingStatus writing={data} />
    </Card>
  )
}

function Settings({ writing, botId }: { writing: Writing; botId: string }) {
  const { general } = useTexts()
  const [enabled, setEnabled] = useState(writing.enabled)
  const [daily, setDaily] = useState<number | string>(writing.daily_calls)
  const [clearing, setClearing] = useState(false)
  const params = { botId }
  const save = useApiMutation('PATCH /api/manage/v1/bots/{botId}/generated-questions', {
    done: general.saved,
    silent: true,
  })
  const clear = useApiMutation('DELETE /api/manage/v1/bots/{botId}/generated-questions', {
    done: general.removed,
    onDone: () => setClearing(false),
  })
  const body = { enabled, ...(typeof daily === 'number' ? { daily_calls: daily } : {}) }
  return (
    <EditorForm
      action={general.save}
      pending={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate({ params, body })}
      aside={
        writing.sections.written > 0 && (
          <Button variant="light" color="red" onClick={() => setClearing(true)}>
            {texts.clear}
          </Button>
        )
      }
    >
      <Switch
        label={texts.enabled}
        description={texts.enabledHint}
        checked={enabled}
        onChange={(event) => setEnabled(event.currentTarget.checked)}
      />
      <NumberInput
        label={texts.dailyLimit}
        min={1}
        max={100_000}
        allowDecimal={false}
        value={daily}
        error={fieldError(save.error, 'daily_calls') ?? null}
        onChange={setDaily}
      />
      <ConfirmDialog
        opened={clearing}
        title={texts.clearTitle}
        action={texts.clear}
        pending={clear.isPending}
        onClose={() => setClearing(false)}
        onConfirm={() => clear.mutate({ params })}
      >
        {texts.clearAbout}
      </ConfirmDialog>
    </EditorForm>
  )
}

function WritingStatus({ writing }: { writing: Writing }) {
  const { sections, status, estimate, spent, last_error, resumes_at } = writing
  const resumes = resumes_at && <Time time={resumes_at} format="dateTime" text={texts.resumes} />
  return (
    <>
      <div className="inline">
        <Status tone={tones[status]}>{texts.status[status]}</Status>
      </div>
      <Progress
        done={sections.written}
        total={sections.total}
        label={texts.progress(formatNumber(sections.written), formatNumber(sections.total))}
      />
      {last_error ? (
        <Notice tone="warn" title={texts.failed(modelReason(last_error.reason))}>
          {resumes}
        </Notice>
      ) : (
        resumes && (
          <Notice tone="warn">
            {texts.limitReached} {resumes}
          </Notice>
        )
      )}
      <dl className="facts">
        {estimate.calls > 0 && <Cost title={texts.remaining} {...estimate} />}
        {spent.calls > 0 && <Cost title={texts.spent} {...spent} />}
      </dl>
    </>
  )
}

function Cost({ title, calls, input_tokens, output_tokens, cost }: Writing['estimate'] & { title: string }) {
  const tokens = texts.tokens(formatNumber(calls), formatNumber(input_tokens), formatNumber(output_tokens))
  return (
    <div className="facts-row">
      <dt>{title}</dt>
      <dd className="number">{cost === null ? tokens : `${tokens}, ${texts.cost(formatCost(cost))}`}</dd>
    </div>
  )
}
