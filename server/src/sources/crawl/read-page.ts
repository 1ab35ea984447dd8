// Turns a fetched page into a document, links to follow, or a reason to skip it.
import type { PageAnswer } from '../../outbound/fetch-page.ts'
import {
  type CrawlPageRecord,
  type CrawlPagesTable,
  crawlPageId,
  type FoundPage,
  type PageOutcome,
} from '../../storage/crawl-pages.ts'
import type { CrawlRecord } from '../../storage/crawls.ts'
import type { ExtractedPage } from '../extraction/extract-page.ts'
import type { Extractor } from '../extraction/extractor.ts'
import { Unreadable } from '../extraction/parse-thread.ts'
import { robotsDirectives } from '../extraction/read-head.ts'
import { findPages, isSitemapUrl, toLinks } from './find-pages.ts'
import { isOnSite, judgeUrl } from './judge-url.ts'
import { fileName, filePage } from './linked-file.ts'
import { normaliseUrl } from './normalise-url.ts'
import { currentOutcome, failedVisit, skippedVisit, type Visit } from './visit.ts'

// The limit of documents.
const LONGEST_TITLE = 500

type FetchDetails = { statusCode: number; fetchedAt: number }

export type ReadPage = (
  crawl: CrawlRecord,
  page: CrawlPageRecord,
  answer: PageAnswer,
  seen: FetchDetails,
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

export function createReadPage({ extractor, pages, storePage, findWorkspaceId, sitemapBytes }: Deps): ReadPage {
  // Copies of one page read at the same time: the first is not in the database yet.
  const storing = new Map<string, string>()

  return async (crawl, page, answer, seen) => {
    try {
      const contentType = answer.headers['content-type'] ?? ''
      const workspaceId = (await findWorkspaceId(crawl.botId)) ?? ''
      if (page.kind === 'sitemap' || /xml/i.test(contentType.replace(/xhtml\+xml/i, ''))) {
        const sitemap = await extractor.sitemap(workspaceId, answer.body, sitemapBytes)
        if (!sitemap) return failedVisit(page, 'no_sitemap', seen)
        const found = [
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
        const outcome = { ...currentOutcome(page), ...seen, state: 'done' as const, reason: null }
        return page.kind === 'sitemap'
          ? { outcome, found, removesDocument: false }
          : skippedVisit(page, 'sitemap', seen, found)
      }
      const name = fileName(page.url, contentType)
      const extracted = name
        ? filePage(await extractor.file(workspaceId, inMemory(answer.body), name))
        : await extractor.page(workspaceId, answer.body, contentType)
      return await judge(crawl, page, answer, extracted, seen)
    } catch (error) {
      if (error instanceof Unreadable) return failedVisit(page, 'unreadable', seen)
      throw error
    }
  }

  async function judge(
    crawl: CrawlRecord,
    page: CrawlPageRecord,
    { headers }: PageAnswer,
    extracted: ExtractedPage,
    seen: FetchDetails,
  ): Promise<Visit> {
    const directives = robotsDirectives(headers['x-robots-tag'] ?? '')
    const { contentHash } = extracted
    const title = extracted.title || titleOf(page.url)
    const base = normaliseUrl(extracted.base ?? '', { base: page.url, keepIndex: true }) ?? page.url
    const follows = !extracted.nofollow && !directives.nofollow && !isSitemapUrl(crawl.url)
    const found = follows
      ? await findPages(toLinks(extracted.links), { crawl, base, depth: page.depth + 1, kind: 'page' })
      : []
    if (extracted.noindex || directives.noindex) return skippedVisit(page, 'noindex', { ...seen, title }, found)
    if (judgeUrl(page.url, page.depth, crawl)) return skippedVisit(page, 'not_included', { ...seen, title }, found)
    if (contentHash === null) return skippedVisit(page, 'empty', { ...seen, title }, found)
    const canonical = await canonicalOf(crawl, page, extracted.canonical, base)
    if (canonical) {
      const leads: FoundPage = {
        kind: 'page',
        url: canonical,
        depth: page.depth,
        redirects: page.redirects,
        skipped: null,
      }
      return skippedVisit(page, 'canonical', { ...seen, title, relatedUrl: canonical }, [leads, ...found])
    }
    const key = `${crawl.id}/${contentHash}`
    const copy = storing.get(key) ?? (await findCopy(crawl, page, contentHash))
    if (copy) return skippedVisit(page, 'duplicate', { ...seen, title, relatedUrl: copy }, found)
    storing.set(key, page.url)
    try {
      const outcome = await store(crawl, page, { ...extracted, contentHash, title }, headers, seen)
      return { outcome, found, removesDocument: false, onStored: () => storing.delete(key) }
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
    headers: PageAnswer['headers'],
    seen: FetchDetails,
  ): Promise<PageOutcome> {
    const isKnown = page.documentId !== null && page.contentHash === contentHash
    const documentId = isKnown ? page.documentId : await storePage(crawl, { url: page.url, title, format, content })
    return {
      ...currentOutcome(page),
      ...seen,
      state: isKnown ? 'unchanged' : 'done',
      reason: null,
      title,
      misses: 0,
      etag: headers.etag ?? null,
      lastModified: headers['last-modified'] ?? null,
      contentHash,
      documentId,
      readAt: seen.fetchedAt,
    }
  }

  /** The page's canonical URL, unless it leads nowhere: two pages that name each other are both kept. */
  async function canonicalOf(crawl: CrawlRecord, page: CrawlPageRecord, href: string | null, base: string) {
    const url = href && normaliseUrl(href, { base })
    if (!url || url === page.url || !isOnSite(url, crawl) || judgeUrl(url, page.depth, crawl)) return null
    const known = await pages.find(crawl.botId, crawl.id, crawlPageId(url))
    return known && ['skipped', 'failed', 'gone'].includes(known.state) ? null : url
  }
}

function inMemory(bytes: Uint8Array) {
  return { sizeBytes: bytes.length, memoryBytes: bytes.length, read: async () => bytes }
}

function titleOf(url: string): string {
  const { host, pathname } = new URL(url)
  return (pathname.split('/').filter(Boolean).at(-1) ?? host).slice(0, LONGEST_TITLE)
}
