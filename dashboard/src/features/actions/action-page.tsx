import type { Action } from '@docent/contract'
import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useApiMutation, useApiQuery } from '../../api.ts'
import { RemoveButton } from '../../forms/remove-button.tsx'
import { toast } from '../../forms/toast.tsx'
import { useHasRole } from '../../session.ts'
import { useTexts } from '../../texts/texts.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { LoadingRows } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { ActionEditor } from './action-editor.tsx'
import { ActionRuns } from './action-runs.tsx'
import { ActionState, targetOf } from './action-state.tsx'
import { texts } from './action-texts.ts'
import { useActionDraft } from './use-action-draft.ts'

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
    <Page title={texts.title} back={{ to: `/bots/${botId}/actions`, label: texts.title }}>
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
  const list = `/bots/${botId}/actions`
  const path = `${list}/${action.id}`
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
              onRemove={() => remove.mutate({ params: { botId, actionId: action.id } })}
            >
              {texts.removeAbout}
            </RemoveButton>
          </>
        )
      }
    >
      {maySeeRuns && (
        <nav className="tabs" aria-label={action.name}>
          <Link to={path} className="tab" activeOptions={{ exact: true, includeSearch: false }}>
            {texts.tabs.settings}
          </Link>
          <Link to={`${path}/log`} className="tab">
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
