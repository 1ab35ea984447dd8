import type { WrittenQuestions as Writing } from '@docent/contract'
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
import { modelReason } from './model-texts.ts'

const POLL_MS = 2000
const tones: Record<Writing['status'], Tone> = { off: 'quiet', writing: 'busy', waiting: 'warn', done: 'good' }

/** Generated questions: the switch, the progress and the cost. */
export function GeneratedQuestions({ botId }: { botId: string }) {
  const { questions: words } = useTexts()
  const params = { botId }
  const { data } = useApiQuery(
    'GET /api/manage/v1/bots/{botId}/written-questions',
    { params },
    { refetchInterval: (answer) => ((answer as Writing).enabled ? POLL_MS : false) },
  )
  if (!data) return null
  return (
    <Card split title={words.title} about={words.about}>
      <Settings key={`${data.enabled} ${data.daily_calls}`} writing={data} botId={botId} />
      <WritingStatus writing={data} />
    </Card>
  )
}

function Settings({ writing, botId }: { writing: Writing; botId: string }) {
  const { questions: words, general } = useTexts()
  const [enabled, setEnabled] = useState(writing.enabled)
  const [daily, setDaily] = useState<number | string>(writing.daily_calls)
  const [clearing, setClearing] = useState(false)
  const params = { botId }
  const save = useApiMutation('PATCH /api/manage/v1/bots/{botId}/written-questions', {
    done: general.saved,
    silent: true,
  })
  const clear = useApiMutation('DELETE /api/manage/v1/bots/{botId}/written-questions', {
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
            {words.clear}
          </Button>
        )
      }
    >
      <Switch
        label={words.enabled}
        description={words.enabledHint}
        checked={enabled}
        onChange={(event) => setEnabled(event.currentTarget.checked)}
      />
      <NumberInput
        label={words.dailyLimit}
        min={1}
        max={100_000}
        allowDecimal={false}
        value={daily}
        error={fieldError(save.error, 'daily_calls') ?? null}
        onChange={setDaily}
      />
      <ConfirmDialog
        opened={clearing}
        title={words.clearTitle}
        action={words.clear}
        pending={clear.isPending}
        onClose={() => setClearing(false)}
        onConfirm={() => clear.mutate({ params })}
      >
        {words.clearAbout}
      </ConfirmDialog>
    </EditorForm>
  )
}

function WritingStatus({ writing }: { writing: Writing }) {
  const { questions: words } = useTexts()
  const { sections, status, estimate, spent, last_error, resumes_at } = writing
  const resumes = resumes_at && <Time time={resumes_at} format="dateTime" text={words.resumes} />
  return (
    <>
      <div className="inline">
        <Status tone={tones[status]}>{words.status[status]}</Status>
      </div>
      <Progress
        done={sections.written}
        total={sections.total}
        label={words.progress(formatNumber(sections.written), formatNumber(sections.total))}
      />
      {last_error ? (
        <Notice tone="warn" title={words.failed(modelReason(last_error.reason))}>
          {resumes}
        </Notice>
      ) : (
        resumes && (
          <Notice tone="warn">
            {words.limitReached} {resumes}
          </Notice>
        )
      )}
      <dl className="facts">
        {estimate.calls > 0 && <Cost title={words.remaining} {...estimate} />}
        {spent.calls > 0 && <Cost title={words.spent} {...spent} />}
      </dl>
    </>
  )
}

function Cost({ title, calls, input_tokens, output_tokens, cost }: Writing['estimate'] & { title: string }) {
  const { questions: words } = useTexts()
  const tokens = words.tokens(formatNumber(calls), formatNumber(input_tokens), formatNumber(output_tokens))
  return (
    <div className="facts-row">
      <dt>{title}</dt>
      <dd className="number">{cost === null ? tokens : `${tokens}, ${words.cost(formatCost(cost))}`}</dd>
    </div>
  )
}
