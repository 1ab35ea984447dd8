import type { Crawl, CrawlReason } from '@docent/contract'
import { Button } from '@mantine/core'
import { useApiMutation } from '../../api.ts'
import { useHasRole } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Status, type Tone } from '../../ui/status.tsx'

// Sites without https typically fail like this.
const MAYBE_PLAIN: CrawlReason[] = ['unreachable', 'timeout', 'broken_answer', 'robots_unreachable']

const tones: Record<Crawl['state'], Tone> = {
  queued: 'busy',
  running: 'busy',
  done: 'good',
  failed: 'bad',
  stopped: 'quiet',
}
const POLL_MS = 1500

export function isCrawlRunning({ state }: Pick<Crawl, 'state'>): boolean {
  return state === 'queued' || state === 'running'
}

/** The polling interval: short while a crawl is running. */
export function crawlPollInterval(answer: unknown): number | false {
  return [answer as Crawl | Crawl[]].flat().some(isCrawlRunning) ? POLL_MS : false
}

export function CrawlState({ crawl }: { crawl: Crawl }) {
  const { websites } = useTexts()
  return <Status tone={tones[crawl.state]}>{websites.state[crawl.state]}</Status>
}

export function CrawlProgress({ crawl }: { crawl: Crawl }) {
  const { websites } = useTexts()
  const { found, waiting } = crawl.pages
  const doneCount = found - waiting
  const label = websites.progress(formatNumber(doneCount), formatNumber(found))
  return <Progress done={doneCount} total={found} label={label} />
}

/** Why a crawl found nothing and what to do, with a retry over http if https may be the cause. */
export function CrawlFailure({ botId, crawl }: { botId: string; crawl: Crawl }) {
  const { websites: texts } = useTexts()
  const params = { botId, crawlId: crawl.id }
  const run = useApiMutation('POST /api/manage/v1/bots/{botId}/crawls/{crawlId}/run', { done: texts.started })
  const change = useApiMutation('PATCH /api/manage/v1/bots/{botId}/crawls/{crawlId}', {
    onDone: () => run.mutate({ params }),
  })
  const mayRun = useHasRole('editor')
  if (crawl.state !== 'failed') return null
  const reason = crawl.failed[0]?.reason ?? crawl.reason
  const advice = (reason && (texts.advice as Record<string, string>)[reason]) ?? texts.advice.other
  const canBePlain = crawl.url.startsWith('https://') && reason !== null && MAYBE_PLAIN.includes(reason)
  const url = crawl.url.replace(/^https:/, 'http:')
  return (
    <Notice tone="bad">
      <p>{advice}</p>
      {mayRun && (
        <div className="inline">
          {canBePlain && (
            <Button
              size="compact-sm"
              loading={change.isPending || run.isPending}
              onClick={() => change.mutate({ params, body: { url } })}
            >
              {texts.tryPlain}
            </Button>
          )}
          <Button size="compact-sm" variant="default" loading={run.isPending} onClick={() => run.mutate({ params })}>
            {texts.tryAgain}
          </Button>
        </div>
      )}
    </Notice>
  )
}
