import type { Sync } from '@docent/contract'
import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useApiList } from '../../api.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { List, Row } from '../../ui/lists/list.tsx'
import { Status } from '../../ui/status.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { KnowledgeLayout } from '../knowledge/knowledge-layout.tsx'
import { Remarks } from './remarks.tsx'

export function SyncsPage() {
  const { syncs: texts, knowledge } = useTexts()
  const botId = useBotId()
  const [shownSync, setShownSync] = useState<Sync | null>(null)
  const syncs = useApiList('GET /api/manage/v1/bots/{botId}/syncs', { params: { botId } })
  return (
    <KnowledgeLayout>
      <List
        label={knowledge.syncs}
        list={syncs}
        empty={<EmptyState icon="refresh" title={texts.emptyTitle} about={texts.emptyAbout} />}
      >
        {(sync) => (
          <Row
            key={sync.id}
            title={<Time time={sync.finished_at} format="dateTime" />}
            onOpen={() => setShownSync(sync)}
            meta={[
              texts.received(formatNumber(sync.received)),
              texts.changed(formatNumber(sync.created), formatNumber(sync.updated), formatNumber(sync.deleted)),
              sync.mode,
              sync.dry_run && texts.dryRun,
            ]}
            end={
              <Status tone={sync.failed > 0 ? 'warn' : 'good'}>
                {sync.failed > 0 ? texts.failed(formatNumber(sync.failed)) : texts.succeeded}
              </Status>
            }
          />
        )}
      </List>
      <Modal
        opened={shownSync !== null}
        onClose={() => setShownSync(null)}
        size="lg"
        title={shownSync && <Time time={shownSync.finished_at} format="dateTime" />}
      >
        {shownSync && <SyncReport sync={shownSync} />}
      </Modal>
    </KnowledgeLayout>
  )
}

function SyncReport({ sync }: { sync: Sync }) {
  const { syncs: texts } = useTexts()
  return (
    <div className="stack">
      <p>
        {texts.received(formatNumber(sync.received))},{' '}
        {texts.changed(formatNumber(sync.created), formatNumber(sync.updated), formatNumber(sync.deleted))}
      </p>
      <Remarks title={texts.errors} remarks={sync.errors} />
      <Remarks title={texts.warnings} remarks={sync.warnings} />
    </div>
  )
}
