import type { Action } from '@docent/contract'
import { ACTIONS_PER_BOT } from '@docent/contract/limits'
import { screenPath } from '@docent/contract/screens'
import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiList, useApiMutation } from '../../api.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useHasRole } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { List, Row } from '../../ui/lists/list.tsx'
import { type RowAction, RowMenu } from '../../ui/lists/row-menu.tsx'
import { Page } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { ActionPage } from './action-page.tsx'
import { ActionState, targetOf } from './action-state.tsx'
import { texts } from './action-texts.ts'
import { NewActionForm } from './new-action-form.tsx'

/** The list of actions, or one of them. */
export function ActionsPage() {
  const botId = useBotId()
  const { actionId, view } = useParams({ strict: false }) as { actionId?: string; view?: string }
  return actionId ? (
    <ActionPage botId={botId} actionId={actionId} isLog={view === 'log'} />
  ) : (
    <ActionList botId={botId} />
  )
}

function ActionList({ botId }: { botId: string }) {
  const { general } = useTexts()
  const mayEdit = useHasRole('editor')
  const [creating, setCreating] = useState(false)
  const [removing, setRemoving] = useState<Action | null>(null)
  const actions = useApiList('GET /api/manage/v1/bots/{botId}/actions', { params: { botId } })
  const remove = useApiMutation('DELETE /api/manage/v1/bots/{botId}/actions/{actionId}', {
    done: general.removed,
    onDone: () => setRemoving(null),
  })
  const isFull = actions.items.length >= ACTIONS_PER_BOT
  const create = mayEdit && (
    <Button leftSection={<Icon name="plus" size={18} />} disabled={isFull} onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  )
  return (
    <Page
      title={texts.title}
      about={isFull ? `${texts.about} ${texts.full}` : texts.about}
      actions={actions.items.length > 0 && create}
    >
      <List
        label={texts.title}
        list={actions}
        empty={<EmptyState icon="run" title={texts.emptyTitle} about={texts.emptyAbout} action={create} />}
      >
        {(action) => (
          <ActionRow
            key={action.id}
            botId={botId}
            action={action}
            mayEdit={mayEdit}
            onRemove={() => setRemoving(action)}
          />
        )}
      </List>
      <NewActionForm botId={botId} opened={creating} onClose={() => setCreating(false)} />
      <ConfirmDialog
        opened={removing !== null}
        title={texts.removeTitle(removing?.name ?? '')}
        action={general.remove}
        pending={remove.isPending}
        onClose={() => setRemoving(null)}
        onConfirm={() => removing && remove.mutate({ params: { botId, actionId: removing.id } })}
      >
        {texts.removeAbout}
      </ConfirmDialog>
    </Page>
  )
}

interface RowProps {
  botId: string
  action: Action
  mayEdit: boolean
  onRemove: () => void
}

function ActionRow({ botId, action, mayEdit, onRemove }: RowProps) {
  const { general } = useTexts()
  const { name, state, recent_runs: runs } = action
  const isLive = state === 'live'
  const change = useApiMutation('PATCH /api/manage/v1/bots/{botId}/actions/{actionId}', {
    done: isLive ? texts.unpublished : texts.published,
  })
  const switchTo = (next: Action['state']) =>
    change.mutate({ params: { botId, actionId: action.id }, body: { state: next } })
  const all: RowAction[] = [
    isLive
      ? { icon: 'stop', label: texts.unpublish, onClick: () => switchTo('draft') }
      : { icon: 'check', label: texts.publish, onClick: () => switchTo('live') },
    { icon: 'trash', label: general.remove, onClick: onRemove, destroys: true },
  ]
  return (
    <Row
      title={name}
      to={screenPath('actions', { botId, actionId: action.id })}
      meta={[targetOf(action), texts.runs(runs.total, formatNumber(runs.total))]}
      end={
        <>
          {runs.failed > 0 && <Status tone="bad">{texts.failedRuns(formatNumber(runs.failed))}</Status>}
          <ActionState action={action} />
          {mayEdit && <RowMenu name={name} actions={all} />}
        </>
      }
    />
  )
}
