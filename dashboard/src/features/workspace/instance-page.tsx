import type { Plan, Workspace } from '@docent/contract'
import { DEFAULT_DAILY_LIMIT } from '@docent/contract/limits'
import { Button, Modal, NumberInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiList, useApiMutation } from '../../api.ts'
import { Form } from '../../forms/form.tsx'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { List, Row } from '../../ui/lists/list.tsx'
import { RowMenu } from '../../ui/lists/row-menu.tsx'
import { Page } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'

/** The workspace to edit, or 'new'; null closes the form. */
type Edited = Workspace | 'new' | null

/** For the instance owner: all workspaces with plans and limits. */
export function InstancePage() {
  const { instance: texts, usage, general } = useTexts()
  const [editedWorkspace, setEditedWorkspace] = useState<Edited>(null)
  const workspaces = useApiList('GET /api/manage/v1/workspaces', {})
  // Enterprise is everything: where all have it, there are no plans to speak of.
  const hasPlans = workspaces.items.some(({ plan }) => plan !== 'enterprise')
  const choose = useApiMutation('PATCH /api/manage/v1/session', { onDone: () => location.assign('/') })
  return (
    <Page
      title={texts.title}
      about={texts.about}
      actions={
        <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setEditedWorkspace('new')}>
          {texts.create}
        </Button>
      }
    >
      <List
        label={texts.title}
        list={workspaces}
        empty={<EmptyState icon="instance" title={texts.emptyTitle} about={texts.emptyAbout} />}
      >
        {(workspace) => (
          <Row
            key={workspace.id}
            title={workspace.name}
            onOpen={() => setEditedWorkspace(workspace)}
            meta={[
              <Time key="created" time={workspace.created_at} format="date" />,
              texts.limitShown(formatNumber(workspace.daily_limit ?? 1000)),
              <code key="id">{workspace.id}</code>,
            ]}
            end={
              <>
                {hasPlans && <Status tone="quiet">{usage.plans[workspace.plan]}</Status>}
                <RowMenu
                  name={workspace.name}
                  actions={[
                    { icon: 'pencil', label: general.edit, onClick: () => setEditedWorkspace(workspace) },
                    {
                      icon: 'out',
                      label: texts.switchTo,
                      onClick: () => choose.mutate({ body: { workspace_id: workspace.id } }),
                    },
                  ]}
                />
              </>
            }
          />
        )}
      </List>
      <WorkspaceForm edited={editedWorkspace} onClose={() => setEditedWorkspace(null)} />
    </Page>
  )
}

function WorkspaceForm({ edited, onClose }: { edited: Edited; onClose: () => void }) {
  const { instance: texts } = useTexts()
  return (
    <Modal opened={edited !== null} onClose={onClose} title={edited === 'new' ? texts.create : texts.edit}>
      {edited && <Fields edited={edited} onClose={onClose} />}
    </Modal>
  )
}

function Fields({ edited, onClose }: { edited: NonNullable<Edited>; onClose: () => void }) {
  const { instance: texts, usage, general } = useTexts()
  const old = edited === 'new' ? null : edited
  const [name, setName] = useState(old?.name ?? '')
  const [plan, setPlan] = useState<Plan>(old?.plan ?? 'business')
  const [limit, setLimit] = useState<number | string>(old?.daily_limit ?? '')
  const [total, setTotal] = useState<number | string>(old?.total_daily_limit ?? '')
  const create = useApiMutation('POST /api/manage/v1/workspaces', {
    silent: true,
    done: texts.created,
    onDone: onClose,
  })
  const change = useApiMutation('PATCH /api/manage/v1/workspaces/{workspaceId}', {
    silent: true,
    done: general.saved,
    onDone: onClose,
  })
  const body = {
    name,
    plan,
    daily_limit: typeof limit === 'number' ? limit : null,
    total_daily_limit: typeof total === 'number' ? total : null,
  }
  return (
    <Form
      onCancel={onClose}
      action={old ? general.save : texts.submit}
      pending={create.isPending || change.isPending}
      error={create.error ?? change.error}
      onSubmit={() => (old ? change.mutate({ params: { workspaceId: old.id }, body }) : create.mutate({ body }))}
    >
      <TextInput
        label={general.name}
        required
        data-autofocus
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label={usage.plan}
        data={Object.entries(usage.plans).map(([value, label]) => ({ value, label }))}
        value={plan}
        onChange={(value) => value && setPlan(value as Plan)}
      />
      <NumberInput
        label={texts.limit}
        description={texts.limitHint(formatNumber(DEFAULT_DAILY_LIMIT))}
        min={0}
        value={limit}
        onChange={setLimit}
      />
      <NumberInput label={texts.total} description={texts.totalHint} min={0} value={total} onChange={setTotal} />
    </Form>
  )
}
