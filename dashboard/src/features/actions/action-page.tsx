import type { Action, ActionRun } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useApiList, useApiMutation, useApiQuery } from '../../api.ts'
import { RemoveButton } from '../../forms/remove-button.tsx'
import { toast } from '../../forms/toast.tsx'
import { useHasRole } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { List, Row } from '../../ui/lists/list.tsx'
import { LoadError, LoadingRows } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { Status, type Tone } from '../../ui/status.tsx'
import { ActionEditor, useActionDraft } from './action-editor.tsx'
import { ActionState, targetOf } from './action-state.tsx'
import { texts } from './action-texts.ts'

const outcomeTones: Record<ActionRun['outcome'], Tone> = { started: 'quiet', completed: 'good', failed: 'bad' }

interface Props {
  botId: string
  actionId: string
  isLog: boolean
}

/** One action: its settings, or its log. */
export function ActionPage({ botId, actionId, isLog }: Props) {
  const actionQuery = useApiQuery('GET /api/manage/v1/bots/{botId}/actions/{actionId}', { params: { botId, actionId } })
  if (actionQuery.data) return <LoadedAction key={actionId} botId={botId} action={actionQuery.data} isLog={isLog} />
  return (
    <Page title={texts.title} back={{ to: screenPath('actions', { botId }), label: texts.title }}>
      {actionQuery.error ? (
        <LoadError error={actionQuery.error} onRetry={() => actionQuery.refetch()} />
      ) : (
        <LoadingRows />
      )}
    </Page>
  )
}

function LoadedAction({ botId, action, isLog }: { botId: string; action: Action; isLog: boolean }) {
  const { general } = useTexts()
  const list = screenPath('actions', { botId })
  const ids = { botId, actionId: action.id }
  const mayEdit = useHasRole('editor')
  const maySeeRuns = useHasRole('agent')
  const navigate = useNavigate()
  const editing = useActionDraft(botId, action)
  const remove = useApiMutation('DELETE /api/manage/v1/bots/{botId}/actions/{actionId}', {
    done: general.removed,
    onDone: () => navigate({ to: list, ignoreBlocker: true }),
  })
  const isLive = action.state === 'live'
  const publish = async () => {
    const isSaved = await editing.save({ state: isLive ? 'draft' : 'live' })
    if (isSaved) toast(isLive ? texts.unpublished : texts.published)
  }
  return (
    <Page
      title={action.name}
      about={
        <span className="inline">
          {targetOf(action)} <ActionState action={action} />
        </span>
      }
      back={{ to: list, label: texts.title }}
      actions={
        mayEdit && (
          <>
            {!isLog && (
              <Button variant={isLive ? 'default' : 'filled'} loading={editing.pending} onClick={publish}>
                {isLive ? texts.unpublish : texts.publish}
              </Button>
            )}
            <RemoveButton
              title={texts.removeTitle(action.name)}
              pending={remove.isPending}
              onRemove={() => remove.mutate({ params: ids })}
            >
              {texts.removeAbout}
            </RemoveButton>
          </>
        )
      }
    >
      {maySeeRuns && (
        <nav className="tabs" aria-label={action.name}>
          <Link to={screenPath('actions', ids)} className="tab" activeOptions={{ exact: true, includeSearch: false }}>
            {texts.tabs.settings}
          </Link>
          <Link to={screenPath('actions', { ...ids, view: 'log' })} className="tab">
            {texts.tabs.log}
          </Link>
        </nav>
      )}
      {isLog && maySeeRuns ? (
        <ActionRuns botId={botId} actionId={action.id} />
      ) : (
        <ActionEditor botId={botId} action={action} editing={editing} />
      )}
    </Page>
  )
}

/** The log of an action, newest first. */
function ActionRuns({ botId, actionId }: { botId: string; actionId: string }) {
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
          <Link key="conversation" to={screenPath('botInbox', { botId, conversationId: conversation_id })}>
            {texts.conversation}
          </Link>
        ),
      ]}
      end={
        <>
          {is_test && <Status tone="quiet">{texts.isTest}</Status>}
          <Status tone={outcomeTones[outcome]}>{outcomes[outcome]}</Status>
        </>
      }
    />
  )
}
