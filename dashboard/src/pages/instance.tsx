import type { Workspace } from '@docent/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useAct, useList } from '../api.ts'
import { useMessages } from '../messages/messages.tsx'
import { Empty } from '../parts/empty.tsx'
import { formatNumber } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { List } from '../parts/list.tsx'
import { Page } from '../parts/page.tsx'
import { RowMenu } from '../parts/row-menu.tsx'
import { Row } from '../parts/rows.tsx'
import { Status } from '../parts/status.tsx'
import { Time } from '../parts/time.tsx'
import { WorkspaceForm } from '../parts/workspace-form.tsx'

/** For the instance owner: every workspace, its plan and its limit. */
export function InstancePage() {
  const { instance: words, usage, general } = useMessages()
  const [edited, setEdited] = useState<Workspace | 'new' | null>(null)
  const workspaces = useList('GET /api/manage/v1/workspaces', {})
  const choose = useAct('PATCH /api/manage/v1/session', { onDone: () => location.assign('/bots') })
  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setEdited('new')}>
          {words.create}
        </Button>
      }
    >
      <List
        label={words.title}
        list={workspaces}
        empty={<Empty icon="instance" title={words.emptyTitle} about={words.emptyAbout} />}
      >
        {(workspace) => (
          <Row
            key={workspace.id}
            title={workspace.name}
            onOpen={() => setEdited(workspace)}
            meta={[
              <Time key="created" time={workspace.created_at} format="date" />,
              words.limitShown(formatNumber(workspace.daily_limit ?? 1000)),
              <code key="id">{workspace.id}</code>,
            ]}
            end={
              <>
                <Status tone="quiet">{usage.plans[workspace.plan]}</Status>
                <RowMenu
                  of={workspace.name}
                  actions={[
                    { icon: 'pencil', label: general.edit, onClick: () => setEdited(workspace) },
                    {
                      icon: 'out',
                      label: words.switchTo,
                      onClick: () => choose.mutate({ body: { workspace_id: workspace.id } }),
                    },
                  ]}
                />
              </>
            }
          />
        )}
      </List>
      <WorkspaceForm edited={edited} onClose={() => setEdited(null)} />
    </Page>
  )
}
