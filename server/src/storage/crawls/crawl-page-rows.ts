// A page of a crawl.
import type { CrawlReason } from '@docent/contract'
import type { Row } from '../database.ts'

export type PageKind = 'page' | 'sitemap'
export type PageState = 'queued' | 'fetching' | 'done' | 'unchanged' | 'skipped' | 'failed' | 'gone'

export interface CrawlPageRecord {
  id: string
  kind: PageKind
  url: string
  /** Links away from the start. */
  depth: number
  /** Redirects followed to reach it. */
  redirects: number
  state: PageState
  reason: CrawlReason | null
  /** Redirect target, or the page it duplicates. */
  relatedUrl: string | null
  statusCode: number | null
  title: string | null
  attempts: number
  /** Consecutive runs in which it was gone. */
  misses: number
  etag: string | null
  lastModified: string | null
  contentHash: string | null
  documentId: string | null
  dueAt: number
  fetchedAt: number | null
  /** When its document was last confirmed to match the site. */
  readAt: number | null
}

export interface FoundPage {
  kind: PageKind
  url: string
  depth: number
  redirects: number
  /** Why it will not be fetched; null: it will be. */
  skipped: CrawlReason | null
  /** Last modification according to the sitemap. */
  changedAt?: number
}

export type PageOutcome = Omit<CrawlPageRecord, 'id' | 'kind' | 'url' | 'depth' | 'redirects'>

export interface PageRow extends Row {
  id: string
  kind: PageKind
  url: string
  depth: number
  redirects: number
  state: PageState
  reason: CrawlReason | null
  related_url: string | null
  status_code: number | null
  title: string | null
  attempts: number
  misses: number
  etag: string | null
  last_modified: string | null
  content_hash: string | null
  document_id: string | null
  due_at: number
  fetched_at: number | null
  read_at: number | null
}

export function fromRow(row: PageRow): CrawlPageRecord {
  return {
    id: row.id,
    kind: row.kind,
    url: row.url,
    depth: row.depth,
    redirects: row.redirects,
    state: row.state,
    reason: row.reason,
    relatedUrl: row.related_url,
    statusCode: row.status_code,
    title: row.title,
    attempts: row.attempts,
    misses: row.misses,
    etag: row.etag,
    lastModified: row.last_modified,
    contentHash: row.content_hash,
    documentId: row.document_id,
    dueAt: row.due_at,
    fetchedAt: row.fetched_at,
    readAt: row.read_at,
  }
}
