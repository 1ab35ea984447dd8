// How the last run of the test questions went, what changed by it, and when the next one starts.
import type { TestRun, TestRunResults } from '@docent/contract'
import { Button, Switch } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useApiMutation, useApiQuery } from '../../api.ts'
import { useHasRole } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadError } from '../../ui/loading.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Status } from '../../ui/status.tsx'
import { useHasModel } from '../inbox/use-team.ts'
import { testTexts as texts } from './studio-texts.ts'
import { OutcomeStatus, ReplyDiff } from './test-question-form.tsx'

const RUNNING_MS = 1500
const IDLE_MS = 15_000

interface Props {
  botId: string
  /** Called when a run has ended. */
  onDone: () => void
}

export function TestRuns({ botId, onDone }: Props) {
  const mayEdit = useHasRole('editor')
  const params = { botId }
  const runs = useApiQuery(
    'GET /api/manage/v1/bots/{botId}/test-runs',
    { params },
    { refetchInterval: (answer) => (isUnderWay((answer as { items: TestRun[] }).items[0]) ? RUNNING_MS : IDLE_MS) },
  )
  const start = useApiMutation('POST /api/manage/v1/bots/{botId}/test-runs', {})
  const [latest] = runs.data?.items ?? []
  const finishedRun = runs.data?.items.find(({ state }) => state === 'finished')
  const knownEnd = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (knownEnd.current !== undefined && finishedRun && knownEnd.current !== finishedRun.id) onDone()
    if (runs.data) knownEnd.current = finishedRun?.id ?? ''
  }, [finishedRun?.id, runs.data])
  if (runs.error && !runs.data) return <LoadError error={runs.error} onRetry={() => runs.refetch()} />
  if (!runs.data) return <section className="card test-runs" aria-busy="true" />
  const underWay = latest && isUnderWay(latest) ? latest : undefined
  return (
    <section className="card test-runs" aria-label={finishedRun ? headlineOf(finishedRun) : texts.neverRun}>
      <div className="card-head">
        <div>
          <h2>{finishedRun ? headlineOf(finishedRun) : texts.neverRun}</h2>
          {finishedRun && (
            <p className="inline small quiet">
              {finishedRun.better > 0 && <Status tone="good">{texts.better(formatNumber(finishedRun.better))}</Status>}
              <span>{texts.causes[finishedRun.cause]}</span>
              <Time time={finishedRun.finished_at ?? finishedRun.created_at} />
            </p>
          )}
        </div>
        {mayEdit && (
          <Button
            variant="default"
            leftSection={<Icon name="run" size={16} />}
            loading={start.isPending || underWay !== undefined}
            onClick={() => start.mutate({ params })}
          >
            {texts.run}
          </Button>
        )}
      </div>
      {underWay && (
        <Progress
          done={underWay.done}
          total={underWay.total}
          label={
            underWay.state === 'waiting'
              ? texts.waiting
              : texts.running(formatNumber(underWay.done), formatNumber(underWay.total))
          }
        />
      )}
      {finishedRun && finishedRun.worse + finishedRun.better > 0 && (
        <Differences botId={botId} runId={finishedRun.id} />
      )}
      <Automatic botId={botId} isOn={runs.data.run_automatically} mayEdit={mayEdit} />
    </section>
  )
}

function Automatic({ botId, isOn, mayEdit }: { botId: string; isOn: boolean; mayEdit: boolean }) {
  const hasModel = useHasModel(botId)
  const change = useApiMutation('PATCH /api/manage/v1/bots/{botId}/test-runs', {})
  if (!mayEdit) return <p className="quiet small">{isOn ? texts.automaticOn : texts.automaticOff}</p>
  return (
    <Switch
      label={texts.automatic}
      description={hasModel ? texts.automaticCosts : texts.automaticHint}
      checked={change.isPending ? change.variables.body.run_automatically : isOn}
      onChange={(event) =>
        change.mutate({ params: { botId }, body: { run_automatically: event.currentTarget.checked } })
      }
    />
  )
}

function Differences({ botId, runId }: { botId: string; runId: string }) {
  const run = useApiQuery('GET /api/manage/v1/bots/{botId}/test-runs/{runId}', { params: { botId, runId } })
  const changedResults = (run.data?.results ?? []).filter(({ before }) => before !== null)
  return (
    <div className="stack tight">
      {changedResults.map((result) => (
        <Difference key={result.question_id} result={result} isOpen={changedResults.length === 1} />
      ))}
    </div>
  )
}

function Difference({ result, isOpen }: { result: TestRunResults['results'][number]; isOpen: boolean }) {
  const { question, outcome, reply, before } = result
  return (
    <details className="found" open={isOpen}>
      <summary>
        <span className="row-title">{question}</span>
        <OutcomeStatus outcome={outcome} />
      </summary>
      <ReplyDiff before={before?.reply ?? ''} after={reply} />
    </details>
  )
}

function isUnderWay(run: TestRun | undefined): boolean {
  return run !== undefined && run.state !== 'finished'
}

function headlineOf({ total, passed, worse }: TestRun): string {
  const all = formatNumber(total)
  if (worse > 0) return texts.worse(formatNumber(worse), all)
  return passed === total ? texts.allPassed(all) : texts.somePassed(formatNumber(passed), all)
}
