import type { GeneratedQuestions as Writing } from '@docent/contract'
import { Button, NumberInput, Switch } from '@mantine/core'
import { useState } from 'react'
import { apiQuery, queryClient, useApiMutation, useApiQuery } from '../../api.ts'
import { fieldError } from '../../client.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useHasRole } from '../../session.ts'
import { formatCost, formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Status, type Tone } from '../../ui/status.tsx'
import { modelReason, questions as texts } from './model-texts.ts'

const ROUTE = 'GET /api/manage/v1/bots/{botId}/generated-questions'
const POLL_MS = 2000
const tones: Record<Writing['status'], Tone> = { off: 'quiet', writing: 'busy', waiting: 'warn', done: 'good' }

/** The switch and the limit, saved with the settings of the model. */
export function useGeneratedQuestions(botId: string, isUsed: boolean) {
  const { general } = useTexts()
  const params = { botId }
  const query = useApiQuery(
    ROUTE,
    { params },
    { enabled: isUsed, refetchInterval: (response) => ((response as Writing).enabled ? POLL_MS : false) },
  )
  // What was loaded before the model was turned off is still cached.
  const data = isUsed ? query.data : undefined
  const save = useApiMutation('PATCH /api/manage/v1/bots/{botId}/generated-questions', {
    done: general.saved,
    silent: true,
    onDone: (writing) => {
      queryClient.setQueryData(apiQuery(ROUTE, { params }).queryKey, writing)
      setEdited({})
    },
  })
  const [edited, setEdited] = useState<QuestionsDraft>({})
  const draft = { enabled: data?.enabled ?? false, daily_calls: data?.daily_calls ?? '', ...edited }
  const { enabled } = draft
  // An empty field leaves the limit as it is.
  const calls = typeof draft.daily_calls === 'number' ? draft.daily_calls : data?.daily_calls
  return {
    botId,
    writing: data,
    draft,
    change: (part: QuestionsDraft) => setEdited((old) => ({ ...old, ...part })),
    form: {
      changed: data !== undefined && (enabled !== data.enabled || calls !== data.daily_calls),
      pending: save.isPending,
      error: save.error,
      onSave: () => save.mutate({ params, body: { enabled, ...(calls === undefined ? {} : { daily_calls: calls }) } }),
      onDiscard: () => {
        save.reset()
        setEdited({})
      },
    },
  }
}

/** What was changed of the settings. */
interface QuestionsDraft {
  enabled?: boolean
  daily_calls?: number | string
}

/** Generated questions: the switch, the progress and the cost. */
export function GeneratedQuestions({ botId, writing, draft, change, form }: ReturnType<typeof useGeneratedQuestions>) {
  if (!writing) return null
  return (
    <Card
      split
      title={texts.title}
      about={texts.about}
      actions={writing.sections.written > 0 && <RemoveQuestions botId={botId} />}
    >
      <Switch
        label={texts.enabled}
        description={texts.enabledHint}
        checked={draft.enabled}
        onChange={(event) => change({ enabled: event.currentTarget.checked })}
      />
      <NumberInput
        label={texts.dailyLimit}
        min={1}
        max={100_000}
        allowDecimal={false}
        value={draft.daily_calls}
        error={fieldError(form.error, 'daily_calls') ?? null}
        onChange={(daily_calls) => change({ daily_calls })}
      />
      <WritingStatus writing={writing} />
    </Card>
  )
}

function RemoveQuestions({ botId }: { botId: string }) {
  const { general } = useTexts()
  const [clearing, setClearing] = useState(false)
  const mayEdit = useHasRole('editor')
  const clear = useApiMutation('DELETE /api/manage/v1/bots/{botId}/generated-questions', {
    done: general.removed,
    onDone: () => setClearing(false),
  })
  if (!mayEdit) return null
  return (
    <>
      <Button size="compact-sm" variant="light" color="red" onClick={() => setClearing(true)}>
        {texts.clear}
      </Button>
      <ConfirmDialog
        opened={clearing}
        title={texts.clearTitle}
        action={texts.clear}
        pending={clear.isPending}
        onClose={() => setClearing(false)}
        onConfirm={() => clear.mutate({ params: { botId } })}
      >
        {texts.clearAbout}
      </ConfirmDialog>
    </>
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
