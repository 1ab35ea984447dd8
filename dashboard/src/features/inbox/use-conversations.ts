// The conversation list: those who wait for a person, then by newest message. Changes move conversations to the top, so
// only the first page is reloaded, however many pages are open.
import type { ConversationSummary, PageOf } from '@docent/contract'
import { type InfiniteData, type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { client } from '../../client.ts'
import { type InboxFilter, toQuery } from './filter.ts'

const ROUTE = 'GET /api/manage/v1/workspaces/{workspaceId}/conversations'
const PAGE_SIZE = 50
/** The server's maximum page size. */
const MAX_PAGE_SIZE = 200

type List = InfiniteData<PageOf<ConversationSummary>, string>

export function useConversations(workspaceId: string, filter: InboxFilter) {
  const cache = useQueryClient()
  const key = listKey(workspaceId, filter)
  const list = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(workspaceId, filter, pageParam, { signal }),
    initialPageParam: '',
    enabled: workspaceId !== '',
    getNextPageParam: (last) => last.next_cursor,
    meta: { refreshesItself: true },
    // Reloading all pages is expensive; `refresh` does it better.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const keyText = JSON.stringify(key)
  const refresh = useCallback(() => refreshTop(cache, workspaceId, filter), [cache, keyText])
  const patch = useCallback(
    (changedRow: ConversationSummary) => cache.setQueryData<List>(key, (old) => old && patchRow(old, changedRow)),
    [cache, keyText],
  )
  /** Loads all pages, independently of those shown. */
  const readAll = async (onCount: (count: number) => void) => {
    const all: ConversationSummary[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: PageOf<ConversationSummary> = await read(workspaceId, filter, cursor, { limit: MAX_PAGE_SIZE })
      all.push(...page.items)
      onCount(all.length)
      cursor = page.next_cursor
    }
    return all
  }
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data])
  /** Reloads all rows on the screen, whereas `refresh` reloads only the top. */
  const reload = async () => {
    try {
      const page = await readRows(workspaceId, filter, items.length)
      cache.setQueryData<List>(key, { pages: [page], pageParams: [''] })
    } catch {
      // As in `refresh`.
    }
  }
  return { ...list, items, key: keyText, refresh, reload, patch, readAll, csvUrl: makeCsvUrl(workspaceId, filter) }
}

async function refreshTop(cache: QueryClient, workspaceId: string, filter: InboxFilter) {
  const key = listKey(workspaceId, filter)
  try {
    const top = await read(workspaceId, filter, '')
    const loadedRows = cache.getQueryData<List>(key)?.pages.flatMap(({ items }) => items) ?? []
    const rows = hasLostWaiting(top, loadedRows) ? await readRows(workspaceId, filter, loadedRows.length, top) : top
    cache.setQueryData<List>(key, (list) => list && { pages: [joinPages(list, rows)], pageParams: [''] })
  } catch {
    // Keep the old rows. The next refresh may succeed, and the page shows the connection state.
  }
}

/** Whether one that waited in the top waits no more: its place is then somewhere below. */
export function hasLostWaiting(top: PageOf<ConversationSummary>, loadedRows: ConversationSummary[]): boolean {
  const last = top.items.at(-1)
  if (!last || top.next_cursor === null) return false
  const ids = new Set(top.items.map(({ id }) => id))
  return loadedRows.some((each) => each.waiting && !ids.has(each.id) && !isBelow(each, last))
}

/** Loads at least `count` rows, if there are as many. */
async function readRows(
  workspaceId: string,
  filter: InboxFilter,
  count: number,
  top?: PageOf<ConversationSummary>,
): Promise<PageOf<ConversationSummary>> {
  let { items, next_cursor } = top ?? (await read(workspaceId, filter, ''))
  while (next_cursor !== null && items.length < count) {
    const page = await read(workspaceId, filter, next_cursor)
    items = [...items, ...page.items]
    next_cursor = page.next_cursor
  }
  return { items, next_cursor }
}

function read(
  workspaceId: string,
  filter: InboxFilter,
  cursor: string,
  { signal, limit = PAGE_SIZE }: { signal?: AbortSignal; limit?: number } = {},
) {
  const query = { ...toQuery(filter), sort: 'waiting' as const, limit, ...(cursor ? { cursor } : {}) }
  return client.request(ROUTE, { params: { workspaceId }, query, ...(signal ? { signal } : {}) })
}

/** The server creates the CSV file for the filter. */
function makeCsvUrl(workspaceId: string, filter: InboxFilter): string {
  const query = { ...toQuery(filter), format: 'csv' }
  const params = Object.entries(query).map(([name, value]) => [name, String(value)])
  return `/api/manage/v1/workspaces/${workspaceId}/conversations?${new URLSearchParams(params)}`
}

function listKey(workspaceId: string, filter: InboxFilter) {
  return ['inbox', workspaceId, toQuery(filter)] as const
}

/** The new top, followed by the known rows below it. */
function joinPages({ pages }: List, top: PageOf<ConversationSummary>): PageOf<ConversationSummary> {
  const last = top.items.at(-1)
  if (!last || top.next_cursor === null) return top
  const topIds = new Set(top.items.map(({ id }) => id))
  const all = pages.flatMap(({ items }) => items)
  const below = all.filter((each) => !topIds.has(each.id) && isBelow(each, last))
  // Without overlap there may be unknown rows in between.
  if (below.length === all.length) return top
  return { items: [...top.items, ...below], next_cursor: pages.at(-1)?.next_cursor ?? null }
}

/** Updates a row that may be too far down to be reloaded. */
function patchRow({ pages, pageParams }: List, changedRow: ConversationSummary): List {
  const patch = (each: ConversationSummary) => (each.id === changedRow.id ? changedRow : each)
  return { pageParams, pages: pages.map((page) => ({ ...page, items: page.items.map(patch) })) }
}

function isBelow(one: ConversationSummary, other: ConversationSummary): boolean {
  if (one.waiting || other.waiting) {
    if (!one.waiting || !other.waiting) return other.waiting !== null
    const [since, otherSince] = [one.waiting.since, other.waiting.since]
    return since > otherSince || (since === otherSince && one.id > other.id)
  }
  return one.updated_at < other.updated_at || (one.updated_at === other.updated_at && one.id < other.id)
}
