// Visits one page of a crawl: checks that it may be read, fetches it, and processes the response.
import type { CrawlReason } from '@docent/contract'
import { FetchFailure, type FetchPage, type PageResponse } from '../../outbound/fetch-page.ts'
import { retryAfterMs } from '../../retry-after.ts'
import {
  type CrawlPageRecord,
  type CrawlPagesTable,
  crawlPageId,
  type FoundPage,
  type PageOutcome,
} from '../../storage/crawl-pages.ts'
import type { CrawlRecord } from '../../storage/crawls.ts'
import type { ExtractedPage } from '../extraction/extract-page.ts'
import { type Extractor, ExtractorFull } from '../extraction/extractor.ts'
import { Unreadable } from '../extraction/parse-thread.ts'
import { robotsDirectives } from '../extraction/read-head.ts'
import type { HostGate } from './host-gate.ts'
import { filePage, isXml, linkedFileName } from './linked-file.ts'
import { findPages, folderPatterns, isOnSite, isSitemapUrl, judgeUrl, normaliseUrl, toLinks } from './page-urls.ts'
import { type RobotsOf, RobotsUnreachable } from './robots.ts'

const MAX_REDIRECTS = 10
const LONGEST_DELAY_MS = 10_000

interface VisitDeps {
  fetchPage: FetchPage
  robotsOf: RobotsOf
  gate: HostGate
  readPage: ReadPage
  limits: { pageBytes: number; fileBytes: number; sitemapBytes: number; timeoutMs: number; hostDelayMs: number }
  clock: () => number
}

export type VisitPage = (crawl: CrawlRecord, page: CrawlPageRecord, signal: AbortSignal) => Promise<Visit>

export function makeVisitPage(deps: VisitDeps): VisitPage {
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
      const response = await gate.run(host, delayMs, signal, () => fetchPage(request(page, signal)))
      return await outcomeOfResponse(crawl, page, response)
    } catch (error) {
      if (error instanceof RobotsUnreachable) return retriedVisit(page, 'robots_unreachable', clock())
      if (error instanceof ExtractorFull) return retriedVisit(page, 'internal', clock())
      if (!(error instanceof FetchFailure)) throw error
      const isFinal = error.code === 'refused_address' || error.code === 'too_large'
      return isFinal ? failedVisit(page, error.code) : retriedVisit(page, error.code, clock())
    }
  }

  function request(page: CrawlPageRecord, signal: AbortSignal) {
    const validators = page.documentId ? { etag: page.etag, lastModified: page.lastModified } : {}
    return {
      url: page.url,
      ...validators,
      limitBytes: (response: PageResponse) => limitOf(page, response),
      timeoutMs: limits.timeoutMs,
      signal,
      wants: (response: PageResponse) => response.status === 200 && isReadable(page, response),
    }
  }

  function limitOf({ kind, url }: CrawlPageRecord, { headers }: PageResponse): number {
    if (kind === 'sitemap') return limits.sitemapBytes
    return linkedFileName(url, headers) === null ? limits.pageBytes : limits.fileBytes
  }

  async function outcomeOfResponse(crawl: CrawlRecord, page: CrawlPageRecord, response: PageResponse): Promise<Visit> {
    const { status, headers } = response
    const now = clock()
    const details = { statusCode: status, fetchedAt: now }
    if (response.location !== null) return redirectedVisit(crawl, page, response.location, details)
    if (status === 304)
      return {
        outcome: { ...currentOutcome(page), ...details, state: 'unchanged', reason: null, misses: 0, readAt: now },
        found: [],
        removesDocument: false,
      }
    if (status === 404 || status === 410) return missingVisit(page, details)
    if (status === 429 || status === 408 || status >= 500)
      return retriedVisit(page, 'http_status', now, details, retryAfterMs(headers['retry-after'], now) ?? 0)
    if (status !== 200) return failedVisit(page, 'http_status', details)
    if (!isReadable(page, response)) return skippedVisit(page, 'unsupported_type', details)
    return readPage(crawl, page, response, details)
  }
}

type FetchDetails = { statusCode: number; fetchedAt: number }

/** The target is visited like any other page, so that redirect loops end. */
function redirectedVisit(crawl: CrawlRecord, page: CrawlPageRecord, location: string, details: FetchDetails): Visit {
  const target = normaliseUrl(location, { keepIndex: true })
  if (!target || !isOnSite(target, crawl))
    return skippedVisit(page, 'redirect_off_site', { ...details, relatedUrl: location })
  if (target === page.url || page.redirects >= MAX_REDIRECTS) return failedVisit(page, 'too_many_redirects', details)
  const { kind, depth } = page
  const redirectTarget: FoundPage = { kind, url: target, depth, redirects: page.redirects + 1, skipped: null }
  const visit = skippedVisit(page, 'redirect', { ...details, relatedUrl: target }, [redirectTarget])
  return { ...visit, include: movedFolder(crawl, page, target) }
}

/** Of a crawl that starts in a folder that has moved, the patterns of where it is now. */
function movedFolder(crawl: CrawlRecord, { kind, url, depth }: CrawlPageRecord, target: string): string[] {
  const isIncludedStart = kind === 'page' && depth === 0 && !judgeUrl(url, depth, crawl)
  return isIncludedStart && judgeUrl(target, depth, crawl) === 'not_included' ? folderPatterns(target) : []
}

function isReadable(page: CrawlPageRecord, { headers }: PageResponse): boolean {
  if (page.kind === 'sitemap') return true
  if (page.depth === 0 && isXml(headers)) return true
  if (linkedFileName(page.url, headers)) return true
  const type = headers['content-type'] ?? ''
  return type === '' || /^(text\/html|application\/xhtml\+xml|text\/plain)\b/i.test(type)
}

// The result of a page visit: its new state, and the pages found on it.
export interface Visit {
  outcome: PageOutcome
  found: FoundPage[]
  /** Patterns to add to those of the crawl. */
  include?: string[]
  /** Whether to delete its document. */
  removesDocument: boolean
  /** Called once the result is stored. */
  onStored?: () => void
}

const MAX_ATTEMPTS = 3
const RETRY_MS = [5_000, 60_000]
export const LONGEST_WAIT_MS = 60 * 60_000

type Change = Partial<PageOutcome>

function skippedVisit(
  page: CrawlPageRecord,
  reason: CrawlReason,
  change: Change = {},
  foundPages: FoundPage[] = [],
): Visit {
  const outcome = {
    ...currentOutcome(page),
    state: 'skipped' as const,
    reason,
    documentId: null,
    contentHash: null,
    ...change,
  }
  return { outcome, found: foundPages, removesDocument: page.documentId !== null }
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
function missingVisit(page: CrawlPageRecord, change: Change): Visit {
  if (page.kind === 'sitemap') return skippedVisit(page, 'no_sitemap', change)
  const misses = page.misses + 1
  if (!page.documentId || misses < 2) return failedVisit(page, 'not_found', { ...change, misses })
  const goneOutcome = {
    ...currentOutcome(page),
    state: 'gone' as const,
    reason: 'not_found' as const,
    documentId: null,
    contentHash: null,
  }
  return { outcome: { ...goneOutcome, ...change, misses }, found: [], removesDocument: true }
}

function currentOutcome(page: CrawlPageRecord): PageOutcome {
  const { id: _id, kind: _kind, url: _url, depth: _depth, redirects: _redirects, ...rest } = page
  return { ...rest, relatedUrl: null }
}

// Turns a fetched page into a document, links to follow, or a reason to skip it.

// The limit of documents.
const LONGEST_TITLE = 500

type ReadPage = (
  crawl: CrawlRecord,
  page: CrawlPageRecord,
  response: PageResponse,
  details: FetchDetails,
) => Promise<Visit>
/** Stores the page as a document and returns its id. */
export type StorePage = (
  crawl: CrawlRecord,
  page: Pick<ExtractedPage, 'title' | 'format' | 'content'> & { url: string },
) => Promise<string>

interface Deps {
  extractor: Pick<Extractor, 'page' | 'sitemap' | 'file'>
  pages: Pick<CrawlPagesTable, 'find' | 'findCopy'>
  storePage: StorePage
  findWorkspaceId: (botId: string) => Promise<string | undefined>
  sitemapBytes: number
}

export function makeReadPage({ extractor, pages, storePage, findWorkspaceId, sitemapBytes }: Deps): ReadPage {
  // Copies of one page read at the same time: the first is not in the database yet.
  const storing = new Map<string, string>()

  return async (crawl, page, response, details) => {
    try {
      const contentType = response.headers['content-type'] ?? ''
      const workspaceId = (await findWorkspaceId(crawl.botId)) ?? ''
      if (page.kind === 'sitemap' || isXml(response.headers)) {
        const sitemap = await extractor.sitemap(workspaceId, response.body, sitemapBytes)
        if (!sitemap) return failedVisit(page, 'no_sitemap', details)
        const listedPages = [
          ...(await findPages(toLinks(sitemap.sitemaps), {
            crawl,
            base: page.url,
            depth: page.depth + 1,
            kind: 'sitemap',
          })),
          // No need to check more than the crawl can take.
          ...(await findPages(sitemap.pages.slice(0, 2 * crawl.maxPages), {
            crawl,
            base: page.url,
            depth: 1,
            kind: 'page',
          })),
        ]
        const outcome = { ...currentOutcome(page), ...details, state: 'done' as const, reason: null }
        return page.kind === 'sitemap'
          ? { outcome, found: listedPages, removesDocument: false }
          : skippedVisit(page, 'sitemap', details, listedPages)
      }
      const name = linkedFileName(page.url, response.headers)
      const extractedPage = name
        ? filePage(await extractor.file(workspaceId, inMemory(response.body), name))
        : await extractor.page(workspaceId, response.body, contentType)
      return await outcomeOfPage(crawl, page, response, extractedPage, details)
    } catch (error) {
      if (error instanceof Unreadable) return failedVisit(page, error.problem, details)
      throw error
    }
  }

  async function outcomeOfPage(
    crawl: CrawlRecord,
    page: CrawlPageRecord,
    { headers }: PageResponse,
    extractedPage: ExtractedPage,
    details: FetchDetails,
  ): Promise<Visit> {
    const directives = robotsDirectives(headers['x-robots-tag'] ?? '')
    const { contentHash } = extractedPage
    const title = extractedPage.title || titleOf(page.url)
    const base = normaliseUrl(extractedPage.base ?? '', { base: page.url, keepIndex: true }) ?? page.url
    const follows = !extractedPage.nofollow && !directives.nofollow && !isSitemapUrl(crawl.url)
    const linkedPages = follows
      ? await findPages(toLinks(extractedPage.links), { crawl, base, depth: page.depth + 1, kind: 'page' })
      : []
    if (extractedPage.noindex || directives.noindex)
      return skippedVisit(page, 'noindex', { ...details, title }, linkedPages)
    if (judgeUrl(page.url, page.depth, crawl))
      return skippedVisit(page, 'not_included', { ...details, title }, linkedPages)
    if (extractedPage.needsScripts) return skippedVisit(page, 'needs_javascript', { ...details, title }, linkedPages)
    if (contentHash === null) return skippedVisit(page, 'empty', { ...details, title }, linkedPages)
    const canonical = await canonicalOf(crawl, page, extractedPage.canonical, base)
    if (canonical) {
      const leads: FoundPage = {
        kind: 'page',
        url: canonical,
        depth: page.depth,
        redirects: page.redirects,
        skipped: null,
      }
      return skippedVisit(page, 'canonical', { ...details, title, relatedUrl: canonical }, [leads, ...linkedPages])
    }
    const key = `${crawl.id}/${contentHash}`
    const copy = storing.get(key) ?? (await findCopy(crawl, page, contentHash))
    if (copy) return skippedVisit(page, 'duplicate', { ...details, title, relatedUrl: copy }, linkedPages)
    storing.set(key, page.url)
    try {
      const outcome = await store(crawl, page, { ...extractedPage, contentHash, title }, headers, details)
      return { outcome, found: linkedPages, removesDocument: false, onStored: () => storing.delete(key) }
    } catch (error) {
      storing.delete(key)
      throw error
    }
  }

  async function findCopy(crawl: CrawlRecord, page: CrawlPageRecord, contentHash: string) {
    return (await pages.findCopy(crawl.botId, crawl.id, page.id, contentHash))?.url
  }

  async function store(
    crawl: CrawlRecord,
    page: CrawlPageRecord,
    { contentHash, title, format, content }: ExtractedPage,
    headers: PageResponse['headers'],
    details: FetchDetails,
  ): Promise<PageOutcome> {
    const isKnown = page.documentId !== null && page.contentHash === contentHash
    const documentId = isKnown ? page.documentId : await storePage(crawl, { url: page.url, title, format, content })
    return {
      ...currentOutcome(page),
      ...details,
      state: isKnown ? 'unchanged' : 'done',
      reason: null,
      title,
      misses: 0,
      etag: headers.etag ?? null,
      lastModified: headers['last-modified'] ?? null,
      contentHash,
      documentId,
      readAt: details.fetchedAt,
    }
  }

  /** The page's canonical URL, unless it leads nowhere: two pages that name each other are both kept. */
  async function canonicalOf(crawl: CrawlRecord, page: CrawlPageRecord, href: string | null, base: string) {
    const url = href && normaliseUrl(href, { base })
    if (!url || url === page.url || !isOnSite(url, crawl) || judgeUrl(url, page.depth, crawl)) return null
    const knownPage = await pages.find(crawl.botId, crawl.id, crawlPageId(url))
    return knownPage && ['skipped', 'failed', 'gone'].includes(knownPage.state) ? null : url
  }
}

function inMemory(bytes: Uint8Array) {
  return { sizeBytes: bytes.length, memoryBytes: bytes.length, read: async () => bytes }
}

function titleOf(url: string): string {
  const { host, pathname } = new URL(url)
  return (pathname.split('/').filter(Boolean).at(-1) ?? host).slice(0, LONGEST_TITLE)
}
