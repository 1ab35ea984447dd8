import type { Feed } from '@docent/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useApiList } from '../../api.ts'
import { useHasRole } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row, Rows } from '../../ui/lists/rows.tsx'
import { FeedForm } from './feed-form.tsx'
import { FeedProgress, FeedState, feedPollInterval, isFeedRunning } from './feed-state.tsx'

/** The product feeds, if there are any. */
export function Feeds({ botId }: { botId: string }) {
  const { feeds: words } = useTexts()
  const feeds = useApiList(
    'GET /api/manage/v1/bots/{botId}/feeds',
    { params: { botId } },
    { refetchInterval: feedPollInterval },
  )
  if (feeds.items.length === 0) return null
  return (
    <Card title={words.title}>
      <Rows label={words.title}>
        {feeds.items.map((feed) => (
          <FeedRow key={feed.id} botId={botId} feed={feed} />
        ))}
      </Rows>
    </Card>
  )
}

export function AddFeed({ botId }: { botId: string }) {
  const { feeds: words } = useTexts()
  const [adding, setAdding] = useState(false)
  if (!useHasRole('editor')) return null
  return (
    <>
      <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setAdding(true)}>
        {words.add}
      </Button>
      <FeedForm botId={botId} opened={adding} onClose={() => setAdding(false)} />
    </>
  )
}

function FeedRow({ botId, feed }: { botId: string; feed: Feed }) {
  const { feeds: words, syncs } = useTexts()
  const { last_run: run } = feed
  return (
    <Row
      title={feed.url}
      to={`/bots/${botId}/knowledge/feeds/${feed.id}`}
      meta={[
        feed.every_hours === null ? words.manually : words.everyHours(feed.every_hours),
        run?.outcome === 'done' && syncs.received(formatNumber(run.received)),
        run?.reason && words.reasons[run.reason],
        run && <Time key="last" time={run.finished_at} text={words.lastRun} />,
      ]}
      end={<FeedState feed={feed} />}
    >
      {isFeedRunning(feed) && <FeedProgress feed={feed} />}
    </Row>
  )
}
