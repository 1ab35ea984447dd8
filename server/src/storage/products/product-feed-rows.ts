// A product feed as stored, and its changeable fields.
import type { Row } from '../database.ts'

export type FeedState = 'idle' | 'queued' | 'running'

export interface FeedRecord {
  botId: string
  id: string
  /** Sealed: it may hold credentials. */
  url: string
  /** Without credentials. */
  shownUrl: string
  format: string | null
  everyHours: number | null
  removeMissing: boolean
  /** Whether the next run may remove more than half of the products. */
  removalConfirmed: boolean
  paused: boolean
  state: FeedState
  etag: string | null
  lastModified: string | null
  /** Runs started but not finished. */
  attempts: number
  readBytes: number
  totalBytes: number | null
  readItems: number
  dueAt: number | null
  createdAt: number
  finishedAt: number | null
}

export interface FeedRow extends Row {
  bot_id: string
  id: string
  url: string
  shown_url: string
  format: string | null
  every_hours: number | null
  remove_missing: number
  removal_confirmed: number
  paused: number
  state: FeedState
  etag: string | null
  last_modified: string | null
  attempts: number
  read_bytes: number
  total_bytes: number | null
  read_items: number
  due_at: number | null
  created_at: number
  finished_at: number | null
}

export const columns = `bot_id, id, url, shown_url, format, every_hours, remove_missing, removal_confirmed, paused, state, etag,
  last_modified, attempts, read_bytes, total_bytes, read_items, due_at, created_at, finished_at`

export const changeColumns = {
  url: 'url',
  shownUrl: 'shown_url',
  everyHours: 'every_hours',
  removeMissing: 'remove_missing',
  dueAt: 'due_at',
  etag: 'etag',
  lastModified: 'last_modified',
} as const

export interface FeedChange {
  url?: string | undefined
  shownUrl?: string | undefined
  everyHours?: number | null | undefined
  removeMissing?: number | undefined
  dueAt?: number | null | undefined
  etag?: null | undefined
  lastModified?: null | undefined
}

export interface FeedRunRecord {
  id: string
  startedAt: number
  finishedAt: number
  /** As reported, as JSON. */
  report: string
}

export interface RunRow extends Row {
  id: string
  started_at: number
  finished_at: number
  report: string
}

/** Result of a run. Undefined fields stay unchanged. */
export interface FeedEnd {
  dueAt: number | null
  format?: string | undefined
  etag?: string | null | undefined
  lastModified?: string | null | undefined
  productIds?: Uint8Array | undefined
}

export const endColumns = {
  dueAt: 'due_at',
  format: 'format',
  etag: 'etag',
  lastModified: 'last_modified',
  productIds: 'product_ids',
} as const

export function fromRow(row: FeedRow): FeedRecord {
  return {
    botId: row.bot_id,
    id: row.id,
    url: row.url,
    shownUrl: row.shown_url,
    format: row.format,
    everyHours: row.every_hours,
    removeMissing: row.remove_missing === 1,
    removalConfirmed: row.removal_confirmed === 1,
    paused: row.paused === 1,
    state: row.state,
    etag: row.etag,
    lastModified: row.last_modified,
    attempts: row.attempts,
    readBytes: row.read_bytes,
    totalBytes: row.total_bytes,
    readItems: row.read_items,
    dueAt: row.due_at,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  }
}
