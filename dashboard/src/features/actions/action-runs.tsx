import type { ActionRun } from '@docent/contract'
import { Link } from '@tanstack/react-router'
import { useApiList } from '../../api.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { List } from '../../ui/lists/list.tsx'
import { Row } from '../../ui/lists/rows.tsx'
import { Status, type Tone } from '../../ui/status.tsx'
import { texts } from './action-texts.ts'

const tones: Record<ActionRun['outcome'], Tone> = { started: 'quiet', completed: 'good', failed: 'bad' }

/** The log of an action, newest first. */
export function ActionRuns({ botId, actionId }: { botId: string; actionId: string }) {
  const runs = useApiList('GET /api/manage/v1/bots/{botId}/actions/{actionId}/runs', { params: { botId, actionId } })
  return (
    <div className="stack">
      <p className="quiet">{texts.logAbout}</p>
      <List
        label={texts.tabs.log}
        list={runs}
        empty={<EmptyState icon="audit" title={texts.noRuns} about={texts.noRunsAbout} />}
      >
        {(run) => <RunRow key={run.id} botId={botId} run={run} />}
      </List>
    </div>
  )
}

function RunRow({ botId, run }: { botId: string; run: ActionRun }) {
  const { outcome, failure, status, duration_ms: duration, inputs, is_test, conversation_id } = run
  const outcomes = { started: texts.running, completed: texts.completed, failed: texts.failed }
  return (
    <Row
      title={<Time time={run.created_at} format="dateTime" />}
      meta={[
        status !== null && texts.httpStatus(status),
        duration !== null && texts.milliseconds(formatNumber(duration)),
        failure && texts.failures[failure],
        ...Object.entries(inputs).map(([name, value]) => `${name}: ${value}`),
        conversation_id && (
          <Link key="conversation" to={`/bots/${botId}/inbox/${conversation_id}`}>
            {texts.conversation}
          </Link>
        ),
      ]}
      end={
        <>
          {is_test && <Status tone="quiet">{texts.isTest}</Status>}
          <Status tone={tones[outcome]}>{outcomes[outcome]}</Status>
        </>
      }
    />
  )
}
