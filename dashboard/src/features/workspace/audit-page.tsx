import { useList } from '../../api.ts'
import { useMessages } from '../../messages/messages.tsx'
import { useSession } from '../../session.ts'
import { Time } from '../../text/time.tsx'
import { Empty } from '../../ui/empty.tsx'
import { List } from '../../ui/list.tsx'
import { Page } from '../../ui/page.tsx'
import { Row } from '../../ui/rows.tsx'

export function AuditPage() {
  const { audit: words } = useMessages()
  const workspaceId = useSession().workspace_id ?? ''
  const entries = useList('GET /api/manage/v1/workspaces/{workspaceId}/audit', { params: { workspaceId } })
  return (
    <Page title={words.title} about={words.about}>
      <List
        label={words.title}
        list={entries}
        empty={<Empty icon="audit" title={words.emptyTitle} about={words.emptyAbout} />}
      >
        {(entry) => (
          <Row
            key={entry.id}
            title={<code>{entry.action}</code>}
            meta={[entry.actor, entry.target, entry.ip]}
            end={
              <span className="quiet small">
                <Time time={entry.at} />
              </span>
            }
          />
        )}
      </List>
    </Page>
  )
}
