// Visits one page of a crawl: checks that it may be read, fetches it, and processes the response.
import { FetchFailure } from '../../outbound/fetch-failure.ts'
import type { FetchPage, PageAnswer } from '../../outbound/fetch-page.ts'
import { retryAfterMs } from '../../retry-after.ts'
import type { CrawlPageRecord, FoundPage } from '../../storage/crawl-pages.ts'
import type { CrawlRecord } from '../../storage/crawls.ts'
import { ExtractorFull } from '../extraction/extractor.ts'
import type { HostGate } from './host-gate.ts'
import { isOnSite, judgeUrl } from './judge-url.ts'
import { fileName, looksLikeFile } from './linked-file.ts'
import { normaliseUrl } from './normalise-url.ts'
import type { ReadPage } from './read-page.ts'
import { type RobotsOf, RobotsUnreachable } from './robots-cache.ts'
import { currentOutcome, failedVisit, missingVisit, retriedVisit, skippedVisit, type Visit } from './visit.ts'

const MAX_REDIRECTS = 10
const LONGEST_DELAY_MS = 10_000

export interface VisitDeps {
  fetchPage: FetchPage
  robotsOf: RobotsOf
  gate: HostGate
  readPage: ReadPage
  limits: { pageBytes: number; fileBytes: number; sitemapBytes: number; timeoutMs: number; hostDelayMs: number }
  clock: () => number
}

export type VisitPage = (crawl: CrawlRecord, page: CrawlPageRecord, signal: AbortSignal) => Promise<Visit>

export function createVisitPage(deps: VisitDeps): VisitPage {
  const { fetchPage, robotsOf, gate, readPage, limits, clock } = deps

  return async (crawl, page, signal) => {
    const reason = judgeUrl(page.url, page.depth, crawl)
    // The start page is always read for its links.
    if (reason && !(page.depth === 0 && reason === 'not_included') && page.kind === 'page')
      return skippedVisit(page, reason)
    try {
      const { origin, host, pathname, search } = new URL(page.url)
      const robots = await robotsOf(origin, signal)
      if (!robots.allows(pathname + search)) return skippedVisit(page, 'robots')
      const delayMs = Math.max(limits.hostDelayMs, Math.min(robots.delayMs ?? 0, LONGEST_DELAY_MS))
      const answer = await gate.run(host, delayMs, signal, () => fetchPage(request(page, signal)))
      return await judgeAnswer(crawl, page, answer)
    } catch (error) {
      if (error instanceof RobotsUnreachable) return retriedVisit(page, 'robots_unreachable', clock())
      if (error instanceof ExtractorFull) return retriedVisit(page, 'internal', clock())
      if (!(error instanceof FetchFailure)) throw error
      const isFinal = error.code === 'refused_address' || error.code === 'too_large'
      return isFinal ? failedVisit(page, error.code) : retriedVisit(page, error.code, clock())
    }
  }

  function request(page: CrawlPageRecord, signal: AbortSignal) {
    const known = page.documentId ? { etag: page.etag, lastModified: page.lastModified } : {}
    return {
      url: page.url,
      ...known,
      limitBytes: limitOf(page),
      timeoutMs: limits.timeoutMs,
      signal,
      wants: (answer: PageAnswer) => answer.status === 200 && isReadable(page, answer),
    }
  }

  function limitOf({ kind, url }: CrawlPageRecord): number {
    if (kind === 'sitemap') return limits.sitemapBytes
    return looksLikeFile(url) ? limits.fileBytes : limits.pageBytes
  }

  async function judgeAnswer(crawl: CrawlRecord, page: CrawlPageRecord, answer: PageAnswer): Promise<Visit> {
    const { status, headers } = answer
    const now = clock()
    const seen = { statusCode: status, fetchedAt: now }
    if (answer.location !== null) return redirectedVisit(crawl, page, answer.location, seen)
    if (status === 304)
      return {
        outcome: { ...currentOutcome(page), ...seen, state: 'unchanged', reason: null, misses: 0, readAt: now },
        found: [],
        removesDocument: false,
      }
    if (status === 404 || status === 410) return missingVisit(page, seen)
    if (status === 429 || status === 408 || status >= 500)
      return retriedVisit(page, 'http_status', now, seen, retryAfterMs(headers['retry-after'], now) ?? 0)
    if (status !== 200) return failedVisit(page, 'http_status', seen)
    if (!isReadable(page, answer)) return skippedVisit(page, 'unsupported_type', seen)
    return readPage(crawl, page, answer, seen)
  }
}

type FetchDetails = { statusCode: number; fetchedAt: number }

/** The target is visited like any other page, so that redirect loops end. */
function redirectedVisit(crawl: CrawlRecord, page: CrawlPageRecord, location: string, seen: FetchDetails): Visit {
  const target = normaliseUrl(location, { keepIndex: true })
  if (!target || !isOnSite(target, crawl))
    return skippedVisit(page, 'redirect_off_site', { ...seen, relatedUrl: location })
  if (target === page.url || page.redirects >= MAX_REDIRECTS) return failedVisit(page, 'too_many_redirects', seen)
  const { kind, depth } = page
  const found: FoundPage = { kind, url: target, depth, redirects: page.redirects + 1, skipped: null }
  return skippedVisit(page, 'redirect', { ...seen, relatedUrl: target }, [found])
}

function isReadable(page: CrawlPageRecord, { headers }: PageAnswer): boolean {
  if (page.kind === 'sitemap') return true
  const type = headers['content-type'] ?? ''
  if (page.depth === 0 && /^(text|application)\/(\w+\+)?xml/i.test(type)) return true
  if (fileName(page.url, type)) return true
  return type === '' || /^(text\/html|application\/xhtml\+xml|text\/plain)\b/i.test(type)
}
