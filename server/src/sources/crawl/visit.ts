// The result of a page visit: its new state, and the pages found on it.
import type { CrawlReason } from '@docent/contract'
import type { CrawlPageRecord, FoundPage, PageOutcome } from '../../storage/crawl-pages.ts'

export interface Visit {
  outcome: PageOutcome
  found: FoundPage[]
  /** Whether to delete its document. */
  removesDocument: boolean
  /** Called once the result is stored. */
  onStored?: () => void
}

const MAX_ATTEMPTS = 3
const RETRY_MS = [5_000, 60_000]
export const LONGEST_WAIT_MS = 60 * 60_000

type Change = Partial<PageOutcome>

export function skippedVisit(
  page: CrawlPageRecord,
  reason: CrawlReason,
  change: Change = {},
  found: FoundPage[] = [],
): Visit {
  const outcome = {
    ...currentOutcome(page),
    state: 'skipped' as const,
    reason,
    documentId: null,
    contentHash: null,
    ...change,
  }
  return { outcome, found, removesDocument: page.documentId !== null }
}

/** Keeps its document: the failure may be temporary. */
export function failedVisit(page: CrawlPageRecord, reason: CrawlReason, change: Change = {}): Visit {
  return { outcome: { ...currentOutcome(page), state: 'failed', reason, ...change }, found: [], removesDocument: false }
}

/** Retried later, a few times. */
export function retriedVisit(
  page: CrawlPageRecord,
  reason: CrawlReason,
  now: number,
  change: Change = {},
  askedMs = 0,
): Visit {
  if (page.attempts >= MAX_ATTEMPTS) return failedVisit(page, reason, change)
  const waitMs = Math.min(Math.max(RETRY_MS[page.attempts - 1] ?? 0, askedMs), LONGEST_WAIT_MS)
  const visit = failedVisit(page, reason, change)
  return { ...visit, outcome: { ...visit.outcome, state: 'queued', dueAt: now + waitMs } }
}

/** Removed only when missing twice in a row: pages vanish for a while when a site is rebuilt. */
export function missingVisit(page: CrawlPageRecord, change: Change): Visit {
  if (page.kind === 'sitemap') return skippedVisit(page, 'no_sitemap', change)
  const misses = page.misses + 1
  if (!page.documentId || misses < 2) return failedVisit(page, 'not_found', { ...change, misses })
  const gone = {
    ...currentOutcome(page),
    state: 'gone' as const,
    reason: 'not_found' as const,
    documentId: null,
    contentHash: null,
  }
  return { outcome: { ...gone, ...change, misses }, found: [], removesDocument: true }
}

export function currentOutcome(page: CrawlPageRecord): PageOutcome {
  const { id: _id, kind: _kind, url: _url, depth: _depth, redirects: _redirects, ...rest } = page
  return { ...rest, relatedUrl: null }
}
