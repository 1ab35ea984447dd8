import { useList } from '../api.ts'
import { useMessages } from '../messages/messages.tsx'
import { Empty } from '../parts/empty.tsx'
import { List } from '../parts/list.tsx'
import { Page } from '../parts/page.tsx'
import { Row } from '../parts/rows.tsx'
import { Time } from '../parts/time.tsx'
import { useSession } from '../session.ts'

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
