import type { Feed, FeedRun } from '@docent/contract'
import { formatNumber, formatSize } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Status, type Tone } from '../../ui/status.tsx'
import { texts } from './feed-texts.ts'

const POLL_MS = 1500

export function isFeedRunning({ state }: Pick<Feed, 'state'>): boolean {
  return state === 'queued' || state === 'running'
}

/** The polling interval: short while a feed is running. */
export function feedPollInterval(answer: unknown): number | false {
  return [answer as Feed | Feed[]].flat().some(isFeedRunning) ? POLL_MS : false
}

export function FeedState({ feed }: { feed: Feed }) {
  if (isFeedRunning(feed)) return <Status tone="busy">{texts.state[feed.state as 'queued' | 'running']}</Status>
  if (feed.state === 'paused') return <Status tone="quiet">{texts.state.paused}</Status>
  return feed.last_run && <RunState run={feed.last_run} />
}

export function RunState({ run }: { run: FeedRun }) {
  const { syncs } = useTexts()
  const hasRejected = run.outcome === 'done' && run.failed > 0
  const tone: Tone =
    run.outcome === 'failed'
      ? 'bad'
      : hasRejected || run.removal_held > 0 || run.cut_reason !== null || run.warnings.length > 0
        ? 'warn'
        : 'good'
  return (
    <Status tone={tone}>{hasRejected ? syncs.failed(formatNumber(run.failed)) : texts.outcome[run.outcome]}</Status>
  )
}

export function FeedProgress({ feed }: { feed: Feed }) {
  const { bytes, total_bytes: total, items } = feed.progress ?? { bytes: 0, total_bytes: null, items: 0 }
  const label = items > 0 ? texts.reading(formatNumber(items)) : texts.loading(formatSize(bytes))
  return <Progress done={items > 0 ? (total ?? bytes) : bytes} total={total ?? 2 * bytes} label={label} />
}
