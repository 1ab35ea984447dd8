import { useState } from 'react'
import { useApiList } from '../../api.ts'
import { useSession } from '../../session.ts'
import { Time } from '../../text/time.tsx'
import { currentLanguage, useTexts } from '../../texts/texts.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { DataList } from '../../ui/lists/data-list.tsx'
import { Page } from '../../ui/page.tsx'
import { useBotNames } from '../inbox/use-team.ts'
import { auditActionNames } from './audit-actions.ts'
import { auditText } from './audit-text.ts'

export function AuditPage() {
  const { audit: words, lists } = useTexts()
  const names = auditActionNames[currentLanguage()]
  const workspaceId = useSession().workspace_id ?? ''
  const [q, setQ] = useState('')
  const [order, setOrder] = useState('-at')
  const entries = useApiList('GET /api/manage/v1/workspaces/{workspaceId}/audit', {
    params: { workspaceId },
    query: { sort: order as '-at', ...(q ? { q } : {}) },
  })
  return (
    <Page title={words.title} about={words.about} wide>
      <DataList
        label={words.title}
        list={entries}
        idOf={({ id }) => id}
        nameOf={({ action }) => names[action]}
        search={{ q, onSearch: setQ }}
        sort={{ order, onOrder: setOrder }}
        columns={[
          {
            label: words.action,
            show: ({ action }) => (
              <>
                {names[action]} <code className="small quiet">{action}</code>
              </>
            ),
            value: ({ action }) => action,
          },
          {
            label: words.target,
            show: ({ target }) => (target ? <Recorded recorded={target} /> : '–'),
            value: ({ target }) => target,
          },
          {
            label: words.actor,
            show: ({ actor }) => <Recorded recorded={actor} />,
            value: ({ actor }) => actor,
            sort: 'actor',
          },
          { label: words.ip, show: ({ ip }) => ip ?? '–', value: ({ ip }) => ip, isExtra: true },
          { label: lists.time, show: ({ at }) => <Time time={at} />, value: ({ at }) => at, sort: 'at' },
        ]}
        empty={<EmptyState icon="audit" title={words.emptyTitle} about={words.emptyAbout} />}
      />
    </Page>
  )
}

function Recorded({ recorded }: { recorded: string }) {
  const { lists } = useTexts()
  const botNames = useBotNames()
  const { text, ids } = auditText(recorded, (id) => botNames.get(id))
  return (
    <>
      <span dir="auto">{text}</span>
      <span className="copied-ids small quiet">
        {ids.map((id) => (
          <span key={id} className="copied-id">
            <code>{id}</code>
            <CopyButton text={id} label={lists.copyId(id)} />
          </span>
        ))}
      </span>
    </>
  )
}
