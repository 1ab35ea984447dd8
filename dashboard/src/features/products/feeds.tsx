import type { Feed } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useApiList } from '../../api.ts'
import { useHasRole } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row, Rows } from '../../ui/lists/list.tsx'
import { FeedForm } from './feed-form.tsx'
import { FeedProgress, FeedState, feedPollInterval, isFeedRunning } from './feed-state.tsx'
import { texts } from './feed-texts.ts'

/** The product feeds, if there are any. */
export function Feeds({ botId }: { botId: string }) {
  const feeds = useApiList(
    'GET /api/manage/v1/bots/{botId}/feeds',
    { params: { botId } },
    { refetchInterval: feedPollInterval },
  )
  if (feeds.items.length === 0) return null
  return (
    <Card title={texts.title}>
      <Rows label={texts.title}>
        {feeds.items.map((feed) => (
          <FeedRow key={feed.id} botId={botId} feed={feed} />
        ))}
      </Rows>
    </Card>
  )
}

export function AddFeed({ botId }: { botId: string }) {
  const [adding, setAdding] = useState(false)
  if (!useHasRole('editor')) return null
  return (
    <>
      <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setAdding(true)}>
        {texts.add}
      </Button>
      <FeedForm botId={botId} opened={adding} onClose={() => setAdding(false)} />
    </>
  )
}

function FeedRow({ botId, feed }: { botId: string; feed: Feed }) {
  const { syncs } = useTexts()
  const { last_run: run } = feed
  return (
    <Row
      title={feed.url}
      to={screenPath('feed', { botId, feedId: feed.id })}
      meta={[
        feed.every_hours === null ? texts.manually : texts.everyHours(feed.every_hours),
        run?.outcome === 'done' && syncs.received(formatNumber(run.received)),
        run?.reason && texts.reasons[run.reason],
        run && <Time key="last" time={run.finished_at} text={texts.lastRun} />,
      ]}
      end={<FeedState feed={feed} />}
    >
      {isFeedRunning(feed) && <FeedProgress feed={feed} />}
    </Row>
  )
}
