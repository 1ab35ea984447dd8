// The result of a page visit: its new state, and the pages found on it.
import type { CrawlReason } from '@docent/contract'
import type { CrawlPageRecord, FoundPage, PageOutcome } from '../../storage/crawls/crawl-page-rows.ts'

export interface Visit {
  outcome: PageOutcome
  found: FoundPage[]
  /** Whether to delete its document. */
  removesDocument: boolean
  /** Called once the result is stored. */
  settled?: () => void
}

const MAX_ATTEMPTS = 3
const RETRY_MS = [5_000, 60_000]
export const LONGEST_WAIT_MS = 60 * 60_000

type Change = Partial<PageOutcome>

export function skipped(
  page: CrawlPageRecord,
  reason: CrawlReason,
  change: Change = {},
  found: FoundPage[] = [],
): Visit {
  const outcome = {
    ...standing(page),
    state: 'skipped' as const,
    reason,
    documentId: null,
    contentHash: null,
    ...change,
  }
  return { outcome, found, removesDocument: page.documentId !== null }
}

/** Keeps its document: the failure may be temporary. */
export function failed(page: CrawlPageRecord, reason: CrawlReason, change: Change = {}): Visit {
  return { outcome: { ...standing(page), state: 'failed', reason, ...change }, found: [], removesDocument: false }
}

/** Retried later, a few times. */
export function retried(
  page: CrawlPageRecord,
  reason: CrawlReason,
  now: number,
  change: Change = {},
  askedMs = 0,
): Visit {
  if (page.attempts >= MAX_ATTEMPTS) return failed(page, reason, change)
  const waitMs = Math.min(Math.max(RETRY_MS[page.attempts - 1] ?? 0, askedMs), LONGEST_WAIT_MS)
  const visit = failed(page, reason, change)
  return { ...visit, outcome: { ...visit.outcome, state: 'queued', dueAt: now + waitMs } }
}

/** Removed only when missing twice in a row: pages vanish for a while when a site is rebuilt. */
export function missing(page: CrawlPageRecord, change: Change): Visit {
  if (page.kind === 'sitemap') return skipped(page, 'no_sitemap', change)
  const misses = page.misses + 1
  if (!page.documentId || misses < 2) return failed(page, 'not_found', { ...change, misses })
  const gone = {
    ...standing(page),
    state: 'gone' as const,
    reason: 'not_found' as const,
    documentId: null,
    contentHash: null,
  }
  return { outcome: { ...gone, ...change, misses }, found: [], removesDocument: true }
}

export function standing(page: CrawlPageRecord): PageOutcome {
  const { id: _id, kind: _kind, url: _url, depth: _depth, redirects: _redirects, ...rest } = page
  return { ...rest, relatedUrl: null }
}
