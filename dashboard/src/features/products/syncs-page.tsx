import type { Sync } from '@docent/contract'
import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useApiList } from '../../api.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { List } from '../../ui/lists/list.tsx'
import { Row } from '../../ui/lists/rows.tsx'
import { Status } from '../../ui/status.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { KnowledgeLayout } from '../knowledge/knowledge-layout.tsx'
import { Remarks } from './remarks.tsx'

export function SyncsPage() {
  const { syncs: words, knowledge } = useTexts()
  const botId = useBotId()
  const [opened, setOpened] = useState<Sync | null>(null)
  const syncs = useApiList('GET /api/manage/v1/bots/{botId}/syncs', { params: { botId } })
  return (
    <KnowledgeLayout>
      <List
        label={knowledge.syncs}
        list={syncs}
        empty={<EmptyState icon="refresh" title={words.emptyTitle} about={words.emptyAbout} />}
      >
        {(sync) => (
          <Row
            key={sync.id}
            title={<Time time={sync.finished_at} format="dateTime" />}
            onOpen={() => setOpened(sync)}
            meta={[
              words.received(formatNumber(sync.received)),
              words.changed(formatNumber(sync.created), formatNumber(sync.updated), formatNumber(sync.deleted)),
              sync.mode,
              sync.dry_run && words.dryRun,
            ]}
            end={
              <Status tone={sync.failed > 0 ? 'warn' : 'good'}>
                {sync.failed > 0 ? words.failed(formatNumber(sync.failed)) : words.succeeded}
              </Status>
            }
          />
        )}
      </List>
      <Modal
        opened={opened !== null}
        onClose={() => setOpened(null)}
        size="lg"
        title={opened && <Time time={opened.finished_at} format="dateTime" />}
      >
        {opened && <SyncReport sync={opened} />}
      </Modal>
    </KnowledgeLayout>
  )
}

function SyncReport({ sync }: { sync: Sync }) {
  const { syncs: words } = useTexts()
  return (
    <div className="stack">
      <p>
        {words.received(formatNumber(sync.received))},{' '}
        {words.changed(formatNumber(sync.created), formatNumber(sync.updated), formatNumber(sync.deleted))}
      </p>
      <Remarks title={words.errors} remarks={sync.errors} />
      <Remarks title={words.warnings} remarks={sync.warnings} />
    </div>
  )
}
