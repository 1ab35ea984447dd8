// Downloads a feed to an unnamed file, within size and time limits.
import type { FileHandle } from 'node:fs/promises'
import type { FetchPage, PageAnswer } from '../../outbound/fetch-page.ts'
import type { FeedRecord } from '../../storage/feeds.ts'
import { FeedFailure } from './feed-failure.ts'
import { feedRequest } from './feed-url.ts'

const MAX_REDIRECTS = 5
const ACCEPT = 'application/xml,text/xml,application/rss+xml,application/atom+xml,text/csv,application/json,*/*;q=0.5'
const NO_FEED = /^(image|audio|video|font)\/|^application\/(pdf|zip|javascript)\b/i

interface Deps {
  fetchPage: FetchPage
  limits: { bytes: number; timeoutMs: number }
}

interface Progress {
  bytes: number
  totalBytes: number | null
}

export async function fetchFeed(
  { fetchPage, limits }: Deps,
  { etag, lastModified }: Pick<FeedRecord, 'etag' | 'lastModified'>,
  url: string,
  file: FileHandle,
  progress: Progress,
  signal: AbortSignal,
): Promise<PageAnswer> {
  const answer = await fetchPage({
    ...feedRequest(url),
    ...{ etag, lastModified, signal },
    accept: ACCEPT,
    redirects: MAX_REDIRECTS,
    limitBytes: limits.bytes,
    timeoutMs: limits.timeoutMs,
    wants({ status, headers }) {
      const isWanted = status === 200 && !NO_FEED.test(headers['content-type'] ?? '')
      // The content length of a compressed response is not its real size.
      const length = headers['content-encoding'] ? Number.NaN : Number(headers['content-length'] ?? Number.NaN)
      progress.totalBytes = isWanted && !Number.isNaN(length) ? length : null
      return isWanted
    },
    async receive(chunk) {
      await file.write(chunk, 0, chunk.length, progress.bytes)
      progress.bytes += chunk.length
    },
  })
  const { status, headers } = answer
  if (status !== 200 && status !== 304) throw new FeedFailure('http_status', status)
  if (status === 200 && NO_FEED.test(headers['content-type'] ?? '')) throw new FeedFailure('unsupported_type', status)
  return answer
}
