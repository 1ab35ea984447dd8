import type { Crawl } from '@docent/contract'
import { formatNumber } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Status, type Tone } from '../../ui/status.tsx'

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
