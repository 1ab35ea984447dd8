import type { Workspace } from '@docent/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useApiList, useApiMutation } from '../../api.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { List, Row } from '../../ui/lists/list.tsx'
import { RowMenu } from '../../ui/lists/row-menu.tsx'
import { Page } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { WorkspaceForm } from './workspace-form.tsx'

/** For the instance owner: all workspaces with plans and limits. */
export function InstancePage() {
  const { instance: texts, usage, general } = useTexts()
  const [editedWorkspace, setEditedWorkspace] = useState<Workspace | 'new' | null>(null)
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
