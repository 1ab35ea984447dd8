import type { AuditAction } from '@docent/contract'
import { useState } from 'react'
import { useApiList } from '../../api.ts'
import { useSession } from '../../session.ts'
import { Time } from '../../text/time.tsx'
import { currentLanguage, loadTexts, useTexts } from '../../texts/texts.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { DataList } from '../../ui/lists/data-list.tsx'
import { Page } from '../../ui/page.tsx'
import { useBotNames } from '../inbox/use-team.ts'
import { auditText, changedSettings } from './audit-text.ts'

const { auditActions: names, auditFields } = await loadTexts<typeof import('../../texts/en/audit.ts')>(
  (language) => import(`../../texts/${language}/audit.ts`),
)

// More would be a paragraph; the record itself has all.
const SHOWN_FIELDS = 4

export function AuditPage() {
  const { audit: texts, lists } = useTexts()
  const workspaceId = useSession().workspace_id ?? ''
  const members = useApiList(
    'GET /api/manage/v1/workspaces/{workspaceId}/members',
    { params: { workspaceId }, query: { limit: 200 } },
    { enabled: workspaceId !== '' },
  )
  const people = new Map(members.items.map(({ email, name }) => [email, name]))
  const [q, setQ] = useState('')
  const [order, setOrder] = useState('-at')
  const entries = useApiList('GET /api/manage/v1/workspaces/{workspaceId}/audit', {
    params: { workspaceId },
    query: { sort: order as '-at', ...(q ? { q } : {}) },
  })
  return (
    <Page title={texts.title} about={texts.about} wide>
      <DataList
        label={texts.title}
        list={entries}
        idOf={({ id }) => id}
        nameOf={({ action }) => names[action]}
        search={{ q, onSearch: setQ }}
        sort={{ order, onOrder: setOrder }}
        columns={[
          {
            label: texts.action,
            show: ({ action, target }) => (
              <>
                <Sentence action={action} target={target} /> <code className="small quiet">{action}</code>
              </>
            ),
            value: ({ action }) => action,
          },
          {
            label: texts.target,
            show: ({ action, target }) => (target ? <Recorded recorded={target} action={action} /> : '–'),
            value: ({ target }) => target,
          },
          {
            label: texts.actor,
            show: ({ actor }) => (
              <>
                {people.has(actor) && <strong>{people.get(actor)} </strong>}
                <Recorded recorded={actor} />
              </>
            ),
            value: ({ actor }) => actor,
            sort: 'actor',
          },
          { label: texts.ip, show: ({ ip }) => ip ?? '–', value: ({ ip }) => ip, isExtra: true },
          { label: lists.time, show: ({ at }) => <Time time={at} />, value: ({ at }) => at, sort: 'at' },
        ]}
        empty={<EmptyState icon="audit" title={texts.emptyTitle} about={texts.emptyAbout} />}
      />
    </Page>
  )
}

/** What was done, in words: "Changed the greeting and the colour of Shop". */
function Sentence({ action, target }: { action: AuditAction; target: string | null }) {
  const change = changedSettings(action, target ?? '')
  if (!change) return names[action]
  const fieldNames: Record<string, string> = auditFields.fields
  const words = new Set(
    change.fields.map((field) => fieldNames[field] ?? fieldNames[field.split('.')[0] ?? ''] ?? field),
  )
  const visibleWords = [...words].slice(0, SHOWN_FIELDS)
  const more = words.size > SHOWN_FIELDS ? [auditFields.others(words.size - SHOWN_FIELDS)] : []
  const all = new Intl.ListFormat(currentLanguage()).format([...visibleWords, ...more])
  return <span dir="auto">{auditFields.changed(all, change.name)}</span>
}

function Recorded({ recorded, action }: { recorded: string; action?: AuditAction }) {
  const { lists } = useTexts()
  const botNames = useBotNames()
  const target = (action && changedSettings(action, recorded)?.target) ?? recorded
  const { text, ids } = auditText(target, (id) => botNames.get(id))
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
