import type { Crawl } from '@docent/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useList } from '../../api.ts'
import { useMessages } from '../../messages/messages.tsx'
import { useMay } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { List } from '../../ui/list.tsx'
import { Row } from '../../ui/rows.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { Knowledge } from '../knowledge/knowledge-layout.tsx'
import { CrawlForm } from './crawl-form.tsx'
import { CrawlProgress, CrawlState, isUnderWay, whileUnderWay } from './crawl-state.tsx'

export function WebsitesPage() {
  const { websites: words } = useMessages()
  const botId = useBotId()
  const [adding, setAdding] = useState(false)
  const mayEdit = useMay('editor')
  const crawls = useList('GET /api/manage/v1/bots/{botId}/crawls', { params: { botId } }, { every: whileUnderWay })
  const add = mayEdit && (
    <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  )
  return (
    <Knowledge actions={crawls.items.length > 0 && add}>
      <List
        label={words.pages}
        list={crawls}
        empty={<Empty icon="globe" title={words.emptyTitle} about={words.emptyAbout} action={add} />}
      >
        {(crawl) => <CrawlRow key={crawl.id} botId={botId} crawl={crawl} />}
      </List>
      <CrawlForm botId={botId} opened={adding} onClose={() => setAdding(false)} />
    </Knowledge>
  )
}

function CrawlRow({ botId, crawl }: { botId: string; crawl: Crawl }) {
  const { websites: words } = useMessages()
  const { found, waiting } = crawl.pages
  return (
    <Row
      title={crawl.url}
      to={`/bots/${botId}/knowledge/websites/${crawl.id}`}
      meta={[
        !isUnderWay(crawl) && words.progress(formatNumber(found - waiting), formatNumber(found)),
        crawl.finished_at && <Time key="last" time={crawl.finished_at} text={words.lastCrawl} />,
        crawl.next_run_at && <Time key="next" time={crawl.next_run_at} text={words.nextCrawl} />,
        crawl.reason,
      ]}
      end={<CrawlState crawl={crawl} />}
    >
      {isUnderWay(crawl) && <CrawlProgress crawl={crawl} />}
    </Row>
  )
}
